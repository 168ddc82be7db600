import type { Candidate } from '../disruption/candidates.ts';
import type { MoveRefusal, Refusal } from '../refusal.ts';
import { isAllowed } from './approval.ts';
import type { SearchProblem } from './problem.ts';

export type ThresholdRefusal = Extract<MoveRefusal, { readonly code: 'savings-below-threshold' }>;

/** Only the savings threshold refuses it: a node without a price or a threshold is not blocked by one. */
export function isBlockedByThreshold(refusal: Refusal): refusal is ThresholdRefusal {
  return (
    refusal.code === 'savings-below-threshold' && refusal.savingsCentsPerHour > 0 && refusal.requiredCentsPerHour > 0
  );
}

/** Multi-node moves that the savings threshold alone blocked: for each node the one closest to its requirement. */
export class BlockedMoves {
  private readonly closest = new Map<Candidate, ThresholdRefusal>();
  private readonly problem: Pick<SearchProblem, 'budgets' | 'totals'>;

  constructor(problem: Pick<SearchProblem, 'budgets' | 'totals'>) {
    this.problem = problem;
  }

  note(candidates: readonly Candidate[], refusal: MoveRefusal, newNodes: number): void {
    if (candidates.length < 2 || !isBlockedByThreshold(refusal)) return;
    const own = { ...refusal, nodes: candidates.map((c) => c.name).sort() };
    const isCloser = (c: Candidate) => shortfall(own) < this.shortfallOf(c);
    if (!candidates.some(isCloser)) return;
    const [kind, savings] = [newNodes === 0 ? 'delete' : 'replace', refusal.savingsCentsPerHour / 100] as const;
    if (!isAllowed(this.problem, { kind, candidates, savings }, newNodes)) return;
    for (const c of candidates) if (isCloser(c)) this.closest.set(c, own);
  }

  /** What the closest move with this node lacks, in cents per hour; Infinity without one. */
  shortfallOf(c: Candidate): number {
    const known = this.closest.get(c);
    return known === undefined ? Infinity : shortfall(known);
  }

  /** For nodes that stay. `leaving`: the names of the others. */
  without(leaving: ReadonlySet<string>): ReadonlyMap<Candidate, ThresholdRefusal> {
    return new Map([...this.closest].filter(([{ name }]) => !leaving.has(name)));
  }
}

/** A node's refusals with the blocked multi-node move, if that came closer than the node alone. */
export function withBlockedMove(
  refusals: readonly Refusal[],
  blocked: ThresholdRefusal | undefined,
): readonly Refusal[] {
  if (blocked === undefined || refusals.length === 0) return refusals;
  const alone = refusals.find(isBlockedByThreshold);
  if (alone === undefined) return [...refusals, blocked];
  return shortfall(blocked) < shortfall(alone) ? refusals.map((r) => (r === alone ? blocked : r)) : refusals;
}

function shortfall({ requiredCentsPerHour, savingsCentsPerHour }: ThresholdRefusal): number {
  return requiredCentsPerHour - savingsCentsPerHour;
}
