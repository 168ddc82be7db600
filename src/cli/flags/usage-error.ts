/** What was asked for cannot be done; the message says what can. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
