import type { Problem } from '../config/problem.ts';

/** A field that cannot be used, thrown by decoders, which do not know the object that it is in. */
export class FieldProblem extends Error {
  override readonly name = 'FieldProblem';
  readonly path: string;
  readonly value: unknown;

  constructor(path: string, value: unknown, allowed: string) {
    super(allowed);
    this.path = path;
    this.value = value;
  }

  /** The problem as one of this object. */
  of(object: string): Problem {
    return { object, field: this.path, value: this.value, allowed: this.message };
  }
}

/** The input as a whole cannot be used, such as an API server's refusal in place of objects. */
export class InputProblem extends FieldProblem {}
