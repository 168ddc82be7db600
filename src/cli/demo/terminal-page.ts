type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & { write(text: string): unknown };

/** Permanent lines and, in a terminal, a few status lines below them that are overwritten. */
export class TerminalPage {
  private readonly out: Output;
  private status: readonly string[] = [];

  constructor(out: Output) {
    this.out = out;
  }

  /** 100 in a pipe, so that output does not depend on a terminal. */
  get width(): number {
    return this.out.isTTY ? (this.out.columns ?? 100) : 100;
  }

  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const text = lines.map((line) => `${line}\n`).join('');
    this.out.write(this.out.isTTY ? `${this.erase()}${text}${this.status.join('\n')}` : text);
  }

  /** Truncates each to one line: wrapped lines could not be overwritten. */
  show(status: readonly string[]): void {
    if (!this.out.isTTY) return;
    const cut = status.map((line) => (line.length < this.width ? line : `${line.slice(0, this.width - 2)}…`));
    if (cut.join('\n') === this.status.join('\n')) return;
    const erase = this.erase();
    this.status = cut;
    this.out.write(`${erase}${cut.join('\n')}`);
  }

  clear(): void {
    this.show([]);
  }

  /** Moves to the first status line and clears everything from there. */
  private erase(): string {
    const up = this.status.length - 1;
    return `${up > 0 ? `\u001b[${up}A` : ''}\r\u001b[J`;
  }
}
