import { type Candidate, isEmpty } from '../../disruption/candidates.ts';
import { alone } from '../../moves/alone.ts';
import type { Move } from '../../moves/move.ts';
import type { SearchProblem } from '../problem.ts';
import { bySavingsRatio, stockMethod } from './stock-method.ts';

export const singleNode = stockMethod('single', (problem) => {
  const candidates = problem.candidates.filter((c) => c.methods.single && !isEmpty(c));
  return firstAlone(problem, candidates, problem.budgets.Underutilized);
});

/** The first candidate, pools taking turns, for which there is such a move by itself. */
export function firstAlone(
  problem: SearchProblem,
  candidates: readonly Candidate[],
  budgets: ReadonlyMap<string, number>,
  isWanted: (move: Move) => boolean = () => true,
): Move | undefined {
  for (const candidate of roundRobin(bySavingsRatio(candidates), (c) => c.pool.name)) {
    if ((budgets.get(candidate.pool.name) ?? 0) === 0) continue;
    const move = moveAlone(problem, candidate);
    if (move !== undefined && isWanted(move)) return move;
  }
  return undefined;
}

function moveAlone({ simulation, totals, knownAlone }: SearchProblem, candidate: Candidate): Move | undefined {
  if (knownAlone !== undefined) return knownAlone(candidate);
  const verdict = alone(simulation, candidate, totals);
  return 'move' in verdict ? verdict.move : undefined;
}

/** First of each pool, second of each, and so on: the order in which Karpenter examines single nodes. */
export function roundRobin<T>(candidates: readonly T[], poolOf: (candidate: T) => string): T[] {
  const pools = Map.groupBy(candidates, poolOf);
  const lists = [...pools].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, list]) => list);
  const out: T[] = [];
  for (let i = 0; out.length < candidates.length; i++) for (const list of lists) if (i < list.length) out.push(list[i]);
  return out;
}
