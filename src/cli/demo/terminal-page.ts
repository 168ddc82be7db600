type Output = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & { write(text: string): unknown };

/** Lines that stay, and on a terminal one below them that is written over; nothing of that one in a pipe or in the end. */
export class TerminalPage {
  private readonly out: Output;
  private status = '';

  constructor(out: Output) {
    this.out = out;
  }

  /** A pipe has no width; what goes there is the same whoever reads it. */
  get width(): number {
    return this.out.isTTY ? (this.out.columns ?? 100) : 100;
  }

  print(lines: readonly string[]): void {
    const text = lines.map((line) => `${line}\n`).join('');
    this.out.write(this.out.isTTY ? `\r\u001b[K${text}${this.status}` : text);
  }

  /** Cut to one line: more could not be written over. */
  show(status: string): void {
    if (!this.out.isTTY) return;
    const cut = status.length < this.width ? status : `${status.slice(0, this.width - 2)}…`;
    if (cut === this.status) return;
    this.status = cut;
    this.out.write(`\r\u001b[K${cut}`);
  }

  clear(): void {
    this.show('');
  }
}
