import { ByteWindow } from './byte-window.ts';
import { JsonProblem, OUT_OF_BYTES } from './json-problem.ts';
import { escapeEnd, scalarEnd } from './json-scalar.ts';

export const MAX_DEPTH = 1000;

export const QUOTE = 0x22;
const COMMA = 0x2c;
export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const COLON = 0x3a;
export const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const TAB = 0x09;

/**
 * A strict JSON scanner over a window of bytes.
 *
 * Why not `JSON.parse` alone: it needs the whole text as one string (V8 stops at 512 MB) and creates an object for
 * every field, while decisions depend on a tenth of them. Scanning costs a third of parsing, so unused values are only
 * checked for syntax, and `JSON.parse` gets only the slices that are used.
 */
export class JsonCursor extends ByteWindow {
  private readonly closers = new Uint8Array(MAX_DEPTH);

  /** Skips white space; true at the end of the input. */
  atEnd(): boolean {
    this.next();
    if (this.pos < this.end) return false;
    if (!this.final) throw OUT_OF_BYTES;
    return true;
  }

  /** Skips white space and returns the next byte without consuming it. */
  peek(): number {
    const c = this.next();
    if (c === 0) this.stop(this.pos, 'a value');
    return c;
  }

  /** Skips white space and the given byte. */
  expect(wanted: number): void {
    if (this.next() !== wanted) this.stop(this.pos, `'${String.fromCharCode(wanted)}'`);
    this.pos++;
  }

  /** After a member: true at a comma (consumed), false at the closing bracket (consumed). */
  another(closer: number): boolean {
    const c = this.next();
    if (c !== COMMA && c !== closer) this.stop(this.pos, `',' or '${String.fromCharCode(closer)}'`);
    this.pos++;
    return c === COMMA;
  }

  private next(): number {
    const bytes = this.bytes;
    let p = this.pos;
    let c = bytes[p];
    while (isSpace(c)) c = bytes[++p];
    this.pos = p;
    return c;
  }

  /** An object's key; leaves `pos` after its colon. */
  readKey(): string {
    this.peek();
    const start = this.pos;
    this.pos = this.keyEnd(start);
    const end = this.stringEnd(start + 1);
    const text = this.bytes.toString('utf8', start + 1, end - 1);
    return text.includes('\\') ? JSON.parse(`"${text}"`) : text;
  }

  /** Skips one value of any kind, checking its syntax, and returns its start. */
  skipValue(): number {
    this.peek();
    const start = this.pos;
    this.pos = this.valueEnd(start);
    return start;
  }

  /**
   * Skips one value like `skipValue`, in half the time, by checking little but quotes and brackets: for texts that are
   * compared with known ones, or that JSON.parse will check. Returns its start.
   */
  passValue(): number {
    const first = this.peek();
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return this.skipValue();
    const start = this.pos;
    const bytes = this.bytes;
    let p = start;
    let depth = 0;
    for (;;) {
      const c = bytes[p++];
      if (c === QUOTE) {
        let d = bytes[p++];
        while (d !== QUOTE) {
          if (d === BACKSLASH) {
            // The escaped byte may be the 0 behind the window, which must not be skipped.
            if (p >= this.end) this.stop(p, 'the rest of a string');
            p++;
          } else if (d === 0) this.stop(p - 1, 'the rest of a string');
          d = bytes[p++];
        }
      } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        if (++depth > MAX_DEPTH) return this.skipValue();
      } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) {
        if (--depth === 0) break;
      } else if (c === 0) this.stop(p - 1, 'a value');
    }
    this.pos = p;
    return start;
  }

  /** The value at `pos`. */
  readValue(): unknown {
    const start = this.passValue();
    return this.parse(start, this.pos);
  }

  /** The value at start…end, found by `passValue`. */
  parse(start: number, end: number): unknown {
    try {
      return JSON.parse(this.bytes.toString('utf8', start, end));
    } catch (error) {
      // Our message is better: it has the position in the file.
      this.pos = start;
      this.skipValue();
      throw error;
    }
  }

  /** Invalid syntax at `p`, or the end of the window. */
  stop(p: number, wanted: string): never {
    if (p < this.end) throw new JsonProblem(this.base + p, `${this.shownAt(p)} where ${wanted} should be`);
    if (!this.final) throw OUT_OF_BYTES;
    throw new JsonProblem(this.base + p, `the end of the file where ${wanted} should be`);
  }

  private shownAt(p: number): string {
    const c = this.bytes[p];
    if (c < SPACE || c === 0x7f) return `byte 0x${c.toString(16).padStart(2, '0')}`;
    return `'${String.fromCodePoint(this.bytes.toString('utf8', p, p + 4).codePointAt(0) ?? c)}'`;
  }

  /** `p` is just after an opening quote; returns the position just after the closing one. */
  private stringEnd(p: number): number {
    const bytes = this.bytes;
    for (;;) {
      const c = bytes[p++];
      if (c === QUOTE) return p;
      if (c === BACKSLASH) p = escapeEnd(this, p);
      else if (c < SPACE) this.stop(p - 1, 'the rest of a string');
    }
  }

  /** The position after the value that begins at `p`. Iterative: no input can overflow the stack. */
  private valueEnd(p: number): number {
    const bytes = this.bytes;
    const closers = this.closers;
    let depth = 0;
    for (;;) {
      let c = bytes[p];
      while (isSpace(c)) c = bytes[++p];
      let opened = false;
      if (c === QUOTE) p = this.stringEnd(p + 1);
      else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        if (depth === MAX_DEPTH) throw new JsonProblem(this.base + p, `nesting deeper than ${MAX_DEPTH} levels`);
        // In ASCII a closing brace or bracket is two after the opening one.
        closers[depth++] = c + 2;
        opened = true;
        p++;
      } else p = scalarEnd(this, p, c);
      // After a value or an opening bracket: close what ends here, then find the next value.
      for (;;) {
        if (depth === 0) return p;
        const closer = closers[depth - 1];
        c = bytes[p];
        while (isSpace(c)) c = bytes[++p];
        if (c === closer) {
          depth--;
          p++;
          opened = false;
          continue;
        }
        if (!opened) {
          if (c !== COMMA) this.stop(p, `',' or '${String.fromCharCode(closer)}'`);
          p++;
        }
        if (closer === CLOSE_BRACE) p = this.keyEnd(p);
        break;
      }
    }
  }

  /** The position after a key and its colon. */
  private keyEnd(p: number): number {
    const bytes = this.bytes;
    let c = bytes[p];
    while (isSpace(c)) c = bytes[++p];
    if (c !== QUOTE) this.stop(p, 'a key in double quotes');
    p = this.stringEnd(p + 1);
    c = bytes[p];
    while (isSpace(c)) c = bytes[++p];
    if (c !== COLON) this.stop(p, "':'");
    return p + 1;
  }
}

function isSpace(c: number): boolean {
  return c === SPACE || c === LINE_FEED || c === CARRIAGE_RETURN || c === TAB;
}
