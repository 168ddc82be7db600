const LINE_FEED = 0x0a;

/** Longer than any object that an API server stores. */
const LONGEST_LINE = 64 << 20;

/** Splits a stream at line breaks: for each chunk, the lines that end in it, each as its chunks. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<readonly (readonly Uint8Array[])[]> {
  let open: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    const lines: (readonly Uint8Array[])[] = [];
    let start = 0;
    for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, start)) {
      open.push(piece.subarray(start, end));
      lines.push(open);
      open = [];
      length = 0;
      start = end + 1;
    }
    if (start < piece.length) {
      open.push(piece.subarray(start));
      length += piece.length - start;
      if (length > LONGEST_LINE) throw new Error(`a line of more than ${LONGEST_LINE >> 20} MiB`);
    }
    if (lines.length > 0) yield lines.filter((line) => line.some((part) => part.length > 0));
  }
}
