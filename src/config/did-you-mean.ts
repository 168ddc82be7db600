/** Longer texts are not misspelt words, and comparing them takes time. */
const LONGEST = 100;

/** The known word nearest to a misspelt one, if near enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > LONGEST) return undefined;
  let best: string | undefined;
  // With more than a third of its letters wrong it is another word.
  let least = Math.ceil(word.length / 3) + 1;
  for (const each of known) {
    const edits = distance(word.toLowerCase(), each.toLowerCase());
    if (edits < least) [best, least] = [each, edits];
  }
  return best;
}

/** Letters to insert, delete or change (Levenshtein), row by row. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(change, previous[j] + 1, row[j - 1] + 1));
    }
    previous = row;
  }
  return previous[b.length];
}
