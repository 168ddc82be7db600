/** Longer texts rarely repeat exactly, and remembering them costs more than reading them. */
const LONGEST = 1 << 14;
const NOTHING = new Float64Array(0);

/**
 * A piece of the input, to recognise when it repeats: eight bytes at a time, in a third of the time of scanning.
 *
 * Eight bytes are read as a double because that is the widest number JavaScript compares without allocating. Equal
 * doubles are equal bytes except for 0 and -0, and a text has no zero bytes; NaN, which non-ASCII text can produce,
 * equals nothing, so such text is read as new.
 */
export class RememberedText {
  private words = NOTHING;
  private last = 0;
  /** 0 if empty. */
  length = 0;

  remember(view: DataView, start: number, end: number): void {
    const length = end - start;
    if (length > LONGEST) {
      this.length = 0;
      return;
    }
    const full = length >> 3;
    if (this.words.length < full) this.words = new Float64Array(full * 2);
    for (let i = 0; i < full; i++) this.words[i] = view.getFloat64(start + i * 8, true);
    // The remaining bytes are compared together with some before them.
    this.last = length >= 8 ? view.getFloat64(end - 8, true) : headOf(view, start, length);
    this.length = length;
  }

  /** `view` must extend 8 bytes beyond `start`; beyond the end of the input it has a 0, which no text contains. */
  standsAt(view: DataView, start: number): boolean {
    const length = this.length;
    if (length >= 8) {
      const words = this.words;
      const end = start + length - 8;
      let i = 0;
      for (let p = start; p <= end; p += 8) if (view.getFloat64(p, true) !== words[i++]) return false;
      return view.getFloat64(end, true) === this.last;
    }
    return length > 0 && headOf(view, start, length) === this.last;
  }
}

/** The first bytes, up to 7, as one number. */
function headOf(view: DataView, start: number, length: number): number {
  const low = view.getInt32(start, true);
  if (length <= 3) return low & ((1 << (length * 8)) - 1);
  return (view.getInt32(start + length - 4, true) >>> 0) * 0x1_0000_0000 + (low >>> 0);
}
