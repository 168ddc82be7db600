/** A field of an object that cannot be used; whoever knows the file and the object makes an InputError of it. */
export class FieldProblem extends Error {
  override readonly name = 'FieldProblem';
  readonly path: string;
  readonly value: unknown;

  constructor(path: string, value: unknown, wanted: string) {
    super(wanted);
    this.path = path;
    this.value = value;
  }
}
