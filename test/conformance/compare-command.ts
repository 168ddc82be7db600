import type { RecordedAlone, RecordedCommand } from './recorded-answer.ts';
import type { StockCommand } from './stock-answer.ts';

/** What two commands must share to be the same move: decision, nodes, and the types to choose from. */
export function sameMove(theirs: RecordedCommand, ours: StockCommand): boolean {
  return theirs.decision === ours.decision && sameNodes(theirs, ours) && typesOf(theirs) === typesOf(ours);
}

export function sameNodes(theirs: RecordedCommand, ours: StockCommand): boolean {
  return ours.decision === 'no-op' || [...(theirs.nodes ?? [])].sort().join() === [...ours.nodes].sort().join();
}

/** The set of type names of each replacement, as one text. */
export function typesOf(command: RecordedCommand | StockCommand): string {
  return (command.replacements ?? [])
    .map((r) =>
      (r.instanceTypes ?? [])
        .map((t) => t.name)
        .sort()
        .join(' '),
    )
    .join(' | ');
}

export function answersSeen(alone: RecordedAlone): readonly RecordedCommand[] {
  return [alone, ...(alone.others ?? [])];
}

/** The move in short, for people. */
export function describe(command: RecordedCommand | StockCommand): string {
  const parts = [command.decision, ...(command.nodes ?? [])];
  for (const r of command.replacements ?? [])
    parts.push(`-> ${r.nodePool} [${typesOf({ decision: '', replacements: [r] })}]`);
  return parts.join(' ');
}

/** The fields of the first replacement on which the two differ; only asked when their types agree. */
export function* replacementDifferences(
  theirs: RecordedCommand,
  ours: StockCommand,
): Generator<[string, unknown, unknown]> {
  const a = theirs.replacements?.[0];
  const b = ours.replacements[0];
  if (!a || !b) return;
  if (a.nodePool !== b.nodePool) yield ['nodePool', a.nodePool, b.nodePool];
  for (const field of ['capacityTypes', 'zones', 'pods'] as const) {
    const x = (a[field] ?? []).map(ordered).sort().join(' ');
    const y = b[field].map(ordered).sort().join(' ');
    if (x !== y) yield [field, x, y];
  }
}

/** "NotIn:b,a" is "NotIn:a,b": a complement is written in whatever order Go's map gave. */
function ordered(text: string): string {
  const [operator, values] = text.split(':');
  return values === undefined ? text : `${operator}:${values.split(',').sort().join()}`;
}
