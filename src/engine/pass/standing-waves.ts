import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../moves/move.ts';
import { isEmptyDeletion, jointDeletion } from '../search/joint-deletions.ts';
import type { SearchProblem } from '../search/problem.ts';
import { budgetUsesOf, WaveBudgets } from '../search/wave-budgets.ts';
import type { TimedMove } from '../search/waves.ts';

export interface StandingWaves {
  readonly timed: readonly TimedMove[];
  /** Of the first wave: moves as the caller checked them before, and moves that are to be checked now. */
  readonly checked: readonly Move[];
  readonly anew: readonly Move[];
}

interface PlanInWaves {
  readonly plan: readonly Move[];
  readonly moves: readonly TimedMove[];
  /** The first wave, as the caller makes it. */
  readonly first: readonly Move[];
}

/**
 * The waves of an earlier plan, all of whose moves stand, under the same budgets. More nodes may have become empty since: those
 * go in the first wave as far as budgets allow. undefined: other moves are missing, or were added.
 */
export function wavesThatStand(
  problem: SearchProblem,
  plan: readonly Move[],
  before: PlanInWaves,
): StandingWaves | undefined {
  const isKept = ({ candidates }: Move, i: number) => plan[i]?.candidates[0].row === candidates[0].row;
  const more = plan.slice(before.plan.length);
  if (!before.plan.every(isKept) || !more.every(isEmptyDeletion)) return undefined;
  const timed = before.moves.map(({ move, wave }) => ({ move: withCandidatesOf(problem, move), wave }));
  const checked = before.first.map((move) => withCandidatesOf(problem, move));
  const first = timed.filter(({ wave }) => wave === 1);
  const fitting = withinBudgets(problem, first, more);
  const later = more.filter((move) => !fitting.includes(move)).map((move) => ({ move, wave: 2 }));
  if (fitting.length === 0) return { timed: [...timed, ...later], checked, anew: [] };
  const isOther = (move: Move) => !isEmptyDeletion(move);
  const empty = first.map(({ move }) => move).filter(isEmptyDeletion);
  const deletion = jointDeletion([...empty, ...fitting]);
  const others = timed.filter(({ move, wave }) => wave > 1 || isOther(move));
  return {
    timed: [{ move: deletion, wave: 1 }, ...others, ...later],
    checked: checked.filter(isOther),
    anew: [deletion],
  };
}

function withinBudgets(problem: SearchProblem, first: readonly TimedMove[], more: readonly Move[]): readonly Move[] {
  if (more.length === 0) return more;
  const usesOf = budgetUsesOf(problem);
  const budgets = new WaveBudgets();
  for (const { move } of first) budgets.use(usesOf(move));
  return more.filter((move) => {
    const uses = usesOf(move);
    if (!budgets.allow(uses)) return false;
    budgets.use(uses);
    return true;
  });
}

/** The same move with the candidate objects of this pass. */
export function withCandidatesOf({ candidates }: Pick<SearchProblem, 'candidates'>, move: Move): Move {
  const byRow = candidatesByRow(candidates);
  return { ...move, candidates: move.candidates.map((c) => byRow.get(c.row) ?? c) };
}

const known = new WeakMap<readonly Candidate[], ReadonlyMap<number, Candidate>>();

export function candidatesByRow(candidates: readonly Candidate[]): ReadonlyMap<number, Candidate> {
  return getOrInsert(known, candidates, () => new Map(candidates.map((c) => [c.row, c])));
}
