export interface Piece {
  readonly text: string;
  readonly isNode: boolean;
}

/** Splits a sentence into text and node names; nodes that it does not mention come last. */
export function linkedNames(text: string, nodes: readonly string[]): readonly Piece[] {
  const known = nodes.filter((node) => node !== '');
  const pieces: Piece[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    // Longest first: node-1 is also a prefix of node-12.
    const [node] = known.filter((each) => text.startsWith(each, at)).sort((a, b) => b.length - a.length);
    if (node === undefined) continue;
    pieces.push({ text: text.slice(start, at), isNode: false }, { text: node, isNode: true });
    start = at + node.length;
    at = start - 1;
  }
  pieces.push({ text: text.slice(start), isNode: false });
  const unnamed = known.filter((node) => !pieces.some((piece) => piece.isNode && piece.text === node));
  const others = unnamed.flatMap((node, i) => [
    { text: i === 0 ? ': ' : ', ', isNode: false },
    { text: node, isNode: true },
  ]);
  return [...pieces, ...others].filter((piece) => piece.text !== '');
}
