import type { Problem } from '../config/problem.ts';

/** An invalid field, thrown by decoders, which do not know the object. */
export class FieldProblem extends Error {
  override readonly name = 'FieldProblem';
  readonly path: string;
  readonly value: unknown;

  constructor(path: string, value: unknown, allowed: string) {
    super(allowed);
    this.path = path;
    this.value = value;
  }

  of(object: string): Problem {
    return { object, field: this.path, value: this.value, allowed: this.message };
  }
}

/** The whole input is invalid, such as an API server's Status instead of objects. */
export class InputProblem extends FieldProblem {}
