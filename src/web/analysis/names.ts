/** Numbers values in order of first appearance. */
export class Names<T extends string = string> {
  readonly list: T[] = [];
  private readonly numbers = new Map<T, number>();

  numberOf(name: T): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    this.numbers.set(name, this.list.length);
    return this.list.push(name) - 1;
  }
}
