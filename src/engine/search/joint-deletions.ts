import { isEmpty } from '../disruption/candidates.ts';
import type { Move } from '../moves/move.ts';
import { hostsOf } from './following.ts';
import type { SearchProblem } from './problem.ts';
import { type BudgetUse, budgetUsesOf, WaveBudgets } from './wave-budgets.ts';

/** No pod on its nodes has to move. */
export function isEmptyDeletion({ kind, candidates, placements }: Move): boolean {
  return kind === 'delete' && placements.length === 0 && candidates.every(isEmpty);
}

/** The deletion of a node whose pool allows multi-node but not single-node consolidation: it may not go alone. */
export function mustBeJoint({ kind, candidates }: Move): boolean {
  return (
    kind === 'delete' && candidates.length === 1 && !candidates[0].methods.single && !candidates[0].methods.emptiness
  );
}

/** The deletion of one node that may be combined with others. */
export function mayBeJoint(move: Move): boolean {
  const [first, ...others] = move.candidates;
  if (move.kind !== 'delete' || others.length > 0 || hostsOf(move).size > 0) return false;
  return first.methods.multi && first.policy.multiNode.maxParallel > 1;
}

/**
 * Single-node deletions that may be combined, in as few and as even parts as each pool's maxParallel allows. A part of
 * one node may not go.
 */
export function inParts(moves: readonly Move[]): readonly (readonly Move[])[] {
  const pools = [...Map.groupBy(moves, (move) => move.candidates[0].pool.name).values()];
  const partsFor = (own: readonly Move[]) => Math.ceil(own.length / own[0].candidates[0].policy.multiNode.maxParallel);
  const parts: Move[][] = Array.from({ length: Math.max(0, ...pools.map(partsFor)) }, () => []);
  for (const own of pools.sort((a, b) => partsFor(b) - partsFor(a))) {
    // Smallest parts first, one node each in turn: then no part exceeds the pool's limit.
    const order = [...parts].sort((a, b) => a.length - b.length);
    for (const [i, move] of own.entries()) order[i % order.length].push(move);
  }
  return parts.reverse();
}

/** Deletions as one command. Savings and requirements add up, so it passes every gate that each passes. */
export function jointDeletion(moves: readonly Move[]): Move {
  return {
    kind: 'delete',
    candidates: moves.flatMap((m) => m.candidates),
    replacements: [],
    placements: moves.flatMap((m) => m.placements),
    savings: moves.reduce((sum, m) => sum + m.savings, 0),
  };
}

/** Decides which deletions that must be joint find others in their wave. */
export class JointDeletions {
  private readonly usesOf: (move: Move) => readonly BudgetUse[];
  private readonly known = new WeakMap<Move, readonly BudgetUse[]>();

  constructor(problem: SearchProblem) {
    this.usesOf = budgetUsesOf(problem);
  }

  /** The moves without those that would be left alone. */
  among(moves: readonly Move[]): readonly Move[] {
    if (!moves.some(mustBeJoint)) return moves;
    const alone = new Set(moves.filter(mustBeJoint));
    const others = moves.filter((move) => mayBeJoint(move) && !mustBeJoint(move));
    for (let wave = this.nextWave(alone, others); wave.length > 0; wave = this.nextWave(alone, others)) {
      for (const move of wave) alone.delete(move);
    }
    return moves.filter((move) => !alone.has(move));
  }

  /** Those that can go together at once; none if only one can. */
  private nextWave(left: Iterable<Move>, others: readonly Move[]): readonly Move[] {
    const wave = new WaveBudgets();
    const taken: Move[] = [];
    const take = (move: Move) => {
      const uses = this.knownUses(move);
      if (!mayBeJoint(move) || !wave.allow(uses)) return;
      wave.use(uses);
      taken.push(move);
    };
    for (const move of left) take(move);
    for (const move of others) if (taken.length === 1) take(move);
    return inParts(taken).flatMap((part) => (part.length > 1 ? part : []));
  }

  private knownUses(move: Move): readonly BudgetUse[] {
    let uses = this.known.get(move);
    if (uses === undefined) {
      uses = this.usesOf(move);
      this.known.set(move, uses);
    }
    return uses;
  }
}
