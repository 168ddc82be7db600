import { isEmpty } from '../disruption/candidates.ts';
import type { Move } from '../policies/consolidate.ts';
import type { TimedMove } from './waves.ts';

/**
 * Deletions of one wave that are one command: all empty nodes, and nodes of pools that allow multi-node consolidation
 * but not single-node. Of the latter one alone may not go at all; it is left out.
 */
export function bundled(timed: readonly TimedMove[]): readonly TimedMove[] {
  const out: TimedMove[] = [];
  for (const [wave, own] of Map.groupBy(timed, (t) => t.wave)) {
    const moves = own.map((t) => t.move);
    const empty = moves.filter(isEmptyDeletion);
    const joint = moves.filter((m) => !isEmptyDeletion(m) && needsCompany(m));
    const others = moves.filter((m) => !isEmptyDeletion(m) && !needsCompany(m));
    if (joint.length === 1) {
      // Somebody else's deletion may go together with it.
      const companion = others.findIndex((m) => m.kind === 'delete' && m.candidates.every((c) => c.methods.multi));
      if (companion >= 0) joint.push(...others.splice(companion, 1));
    }
    const most = Math.min(...joint.flatMap((m) => m.candidates.map((c) => c.policy.multiNode.maxParallel)));
    const jointly = joint.length > 1 ? inParts(joint, most).filter((m) => !needsCompany(m)) : [];
    const all = [...(empty.length === 0 ? [] : [together(empty)]), ...jointly, ...others];
    out.push(...all.map((move) => ({ move, wave })));
  }
  return out;
}

function isEmptyDeletion({ kind, candidates }: Move): boolean {
  return kind === 'delete' && candidates.every(isEmpty);
}

function needsCompany({ kind, candidates }: Move): boolean {
  return (
    kind === 'delete' && candidates.length === 1 && !candidates[0].methods.single && !candidates[0].methods.emptiness
  );
}

/** At most so many nodes each, as even as can be so that none is left alone. */
function inParts(moves: readonly Move[], most: number): readonly Move[] {
  const parts = Math.ceil(moves.length / most);
  const size = Math.ceil(moves.length / parts);
  return Array.from({ length: parts }, (_, i) => together(moves.slice(i * size, (i + 1) * size)));
}

function together(moves: readonly Move[]): Move {
  return {
    kind: 'delete',
    candidates: moves.flatMap((m) => m.candidates),
    replacements: [],
    placements: moves.flatMap((m) => m.placements),
    savings: moves.reduce((sum, m) => sum + m.savings, 0),
  };
}
