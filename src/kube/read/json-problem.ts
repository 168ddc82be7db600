/** JSON that is wrong at one byte of the input; whoever knows the file makes an InputError of it. */
export class JsonProblem extends Error {
  override readonly name = 'JsonProblem';
  readonly offset: number;

  constructor(offset: number, found: string) {
    super(found);
    this.offset = offset;
  }
}

/**
 * Thrown when a value goes on behind the end of the window. It is control flow, not a failure: the
 * reader fetches more and begins the value again, once per window. One instance, so no stack is taken.
 */
export const OUT_OF_BYTES = new Error('out of bytes');
