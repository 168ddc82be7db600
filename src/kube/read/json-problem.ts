/** Invalid JSON at one byte of the input; the caller adds the file. */
export class JsonProblem extends Error {
  override readonly name = 'JsonProblem';
  readonly offset: number;

  constructor(offset: number, found: string) {
    super(found);
    this.offset = offset;
  }
}

/**
 * Thrown when a value continues beyond the window. It is control flow, not a failure: the reader fetches more and
 * restarts the value, once per window. One instance, to avoid capturing a stack.
 */
export const OUT_OF_BYTES = new Error('out of bytes');
