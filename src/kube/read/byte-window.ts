import { isUtf8 } from 'node:buffer';
import { JsonProblem } from './json-problem.ts';

const FIRST_WINDOW = 1 << 20;
/** V8's longest string: a longer value could not be parsed anyway. */
const LARGEST_WINDOW = 1 << 29;
const PADDING = 16;

/**
 * A window of bytes that slides along an input of any size and keeps unread bytes.
 *
 * The byte after the last one is always 0, which is never valid in JSON: a scanner need not test for the end at each
 * step.
 */
export class ByteWindow {
  /** At least `end` + 8 bytes long, so that eight bytes can be read at once anywhere before `end`. */
  bytes: Buffer = Buffer.allocUnsafe(FIRST_WINDOW + PADDING);
  view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
  /** Next byte to read. */
  pos = 0;
  /** Bytes in the window. */
  end = 0;
  /** Offset in the input of the window's first byte. */
  base = 0;
  /** The input ends with this window. */
  final = false;
  /** Bytes before this one are known to be valid UTF-8. */
  private checked = 0;

  constructor() {
    this.reset();
  }

  /** Prepares for another input. */
  reset(): void {
    this.pos = 0;
    this.end = 0;
    this.base = 0;
    this.final = false;
    this.checked = 0;
    this.bytes[0] = 0;
  }

  /** The buffer for `fill` to write to; drops everything before `keepFrom`. */
  makeRoom(keepFrom: number): Buffer {
    const kept = this.end - keepFrom;
    const capacity = this.bytes.length - PADDING;
    if (kept > capacity / 2) {
      if (capacity >= LARGEST_WINDOW) throw new JsonProblem(this.base + keepFrom, 'a value longer than 512 MiB');
      const wider = Buffer.allocUnsafe(capacity * 2 + PADDING);
      this.bytes.copy(wider, 0, keepFrom, this.end);
      this.bytes = wider;
      this.view = new DataView(wider.buffer, wider.byteOffset, wider.byteLength);
    } else if (keepFrom > 0) {
      this.bytes.copyWithin(0, keepFrom, this.end);
    }
    this.base += keepFrom;
    this.checked -= keepFrom;
    this.pos -= keepFrom;
    this.end = kept;
    return this.bytes.subarray(kept, this.bytes.length - PADDING);
  }

  /** `count` bytes were written to the buffer of `makeRoom`; `final`: they were the last. */
  took(count: number, final: boolean): void {
    this.end += count;
    this.bytes[this.end] = 0;
    this.final = final;
    let whole = this.end;
    if (!this.final) {
      // A character may be split at the end of the window: its first bytes wait for the rest.
      for (let back = 1; back <= 3 && back <= this.end - this.checked; back++) {
        const byte = this.bytes[this.end - back];
        if (byte < 0x80) break;
        if (byte >= 0xc0) {
          whole -= back;
          break;
        }
      }
    }
    const fresh = this.bytes.subarray(this.checked, whole);
    if (!isUtf8(fresh)) throw this.notUtf8(fresh);
    this.checked = whole;
  }

  private notUtf8(fresh: Buffer): JsonProblem {
    // Decoding yields U+FFFD for invalid bytes.
    const valid = fresh.toString('utf8').split('\ufffd', 1)[0];
    return new JsonProblem(this.base + this.checked + Buffer.byteLength(valid), 'bytes that are not UTF-8 text');
  }
}
