import { closeSync, openSync, writeSync } from 'node:fs';

const BUFFER_BYTES = 1 << 20;

/** Writes text to a file piece by piece: clusters of 10,000 nodes are too long for one string. */
export class TextFile {
  readonly #descriptor: number;
  #parts: string[] = [];
  #length = 0;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'w');
  }

  write(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
    if (this.#length >= BUFFER_BYTES) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#descriptor);
  }

  #flush(): void {
    const bytes = Buffer.from(this.#parts.join(''));
    for (let done = 0; done < bytes.length; ) done += writeSync(this.#descriptor, bytes, done);
    this.#parts = [];
    this.#length = 0;
  }
}
