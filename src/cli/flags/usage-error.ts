/** An invalid request; the message says what is allowed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
