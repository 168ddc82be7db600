import { isEmpty } from '../disruption/candidates.ts';
import type { Move } from '../policies/consolidate.ts';
import { hostsOf } from './following.ts';

/** There is nothing on its nodes that would have to move. */
export function isEmptyDeletion({ kind, candidates, placements }: Move): boolean {
  return kind === 'delete' && placements.length === 0 && candidates.every(isEmpty);
}

/** The deletion of a node whose pool allows multi-node consolidation but not single-node: it may not go alone. */
export function needsCompany({ kind, candidates }: Move): boolean {
  return (
    kind === 'delete' && candidates.length === 1 && !candidates[0].methods.single && !candidates[0].methods.emptiness
  );
}

/** The deletion of one node that may go together with others. */
export function isCompany(move: Move): boolean {
  const [first, ...others] = move.candidates;
  if (move.kind !== 'delete' || others.length > 0 || hostsOf(move).size > 0) return false;
  return first.methods.multi && first.policy.multiNode.maxParallel > 1;
}

/** Nodes that may go in one command, by the strictest of their pools. */
export function mostTogether(moves: readonly Move[]): number {
  return Math.min(...moves.flatMap((m) => m.candidates.map((c) => c.policy.multiNode.maxParallel)));
}

/** Deletions that may go together, split into as few and as even parts as their pools' maxParallel allows. */
export function inParts(moves: readonly Move[]): readonly (readonly Move[])[] {
  const parts = Math.ceil(moves.length / mostTogether(moves));
  const start = (i: number) => Math.floor((i * moves.length) / parts);
  return Array.from({ length: parts }, (_, i) => moves.slice(start(i), start(i + 1)));
}

/** Deletions as one command. Savings and what they require add up, so it passes the gates that each passes. */
export function together(moves: readonly Move[]): Move {
  return {
    kind: 'delete',
    candidates: moves.flatMap((m) => m.candidates),
    replacements: [],
    placements: moves.flatMap((m) => m.placements),
    savings: moves.reduce((sum, m) => sum + m.savings, 0),
  };
}
