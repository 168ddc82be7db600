/**
 * Values by their JSON text. Pods of a workload repeat labels, owners and constraints byte for byte: each distinct text
 * is parsed once, and equal texts give the identical value, by which decoders recognise it.
 */
export class ValuesByText {
  /** Entry + 1 by hash, open addressing; 0 is free. A power of two, at most half full. */
  private slots = new Int32Array(1 << 12);
  private readonly hashes: number[] = [];
  private readonly starts: number[] = [];
  private readonly lengths: number[] = [];
  private readonly values: unknown[] = [];
  /** The texts, concatenated. */
  private texts = Buffer.allocUnsafe(1 << 18);
  private view = viewOf(this.texts);
  private used = 0;

  /** The entry for the text at bytes[start, end); -1 if it is new. */
  find(bytes: Buffer, view: DataView, start: number, end: number): number {
    const hash = hashOf(bytes, view, start, end);
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const entry = this.slots[slot] - 1;
      if (entry < 0) return -1;
      if (
        this.hashes[entry] === hash &&
        this.lengths[entry] === end - start &&
        this.matches(entry, bytes, view, start)
      ) {
        return entry;
      }
      slot = (slot + 1) & mask;
    }
  }

  valueOf(entry: number): unknown {
    return this.values[entry];
  }

  lengthOf(entry: number): number {
    return this.lengths[entry];
  }

  /** Whether the entry's text is at bytes[start…]. May read up to 4 bytes beyond it. */
  matches(entry: number, bytes: Buffer, view: DataView, start: number): boolean {
    const from = this.starts[entry];
    const length = this.lengths[entry];
    if (length < 8) {
      for (let i = 0; i < length; i++) if (this.texts[from + i] !== bytes[start + i]) return false;
      return true;
    }
    // Eight bytes at a time, as in RememberedText; the last eight may overlap the ones before.
    const last = length - 8;
    for (let i = 0; i < last; i += 8)
      if (this.view.getFloat64(from + i, true) !== view.getFloat64(start + i, true)) return false;
    return this.view.getFloat64(from + last, true) === view.getFloat64(start + last, true);
  }

  /** The text must not have an entry yet. */
  add(bytes: Buffer, view: DataView, start: number, end: number, value: unknown): number {
    const length = end - start;
    if (this.used + length > this.texts.length) {
      const wider = Buffer.allocUnsafe(Math.max(this.texts.length * 2, this.used + length));
      this.texts.copy(wider, 0, 0, this.used);
      this.texts = wider;
      this.view = viewOf(wider);
    }
    bytes.copy(this.texts, this.used, start, end);
    this.hashes.push(hashOf(bytes, view, start, end));
    this.starts.push(this.used);
    this.lengths.push(length);
    this.used += length;
    const entry = this.values.push(value) - 1;
    if (this.values.length * 2 > this.slots.length) this.widen();
    else place(this.slots, this.hashes[entry], entry);
    return entry;
  }

  private widen(): void {
    this.slots = new Int32Array(this.slots.length * 4);
    for (let entry = 0; entry < this.hashes.length; entry++) place(this.slots, this.hashes[entry], entry);
  }
}

function place(slots: Int32Array, hash: number, entry: number): void {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = entry + 1;
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Multiplying by 31 is a shift and a subtraction: Math.imul is a call until the code is optimized. */
function hashOf(bytes: Buffer, view: DataView, start: number, end: number): number {
  let hash = end - start;
  let p = start;
  for (const last = end - 4; p <= last; p += 4) hash = ((hash << 5) - hash + view.getInt32(p, true)) | 0;
  for (; p < end; p++) hash = ((hash << 5) - hash + bytes[p]) | 0;
  hash ^= hash >>> 15;
  return hash ^ (hash >>> 7);
}
