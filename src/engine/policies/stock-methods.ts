import { disapproving, isBeyondBalance, type PoolTotals } from '../disruption/balanced.ts';
import { type Candidate, isEmpty, savingsRatio } from '../disruption/candidates.ts';
import type { MoveRefusal } from '../refusal.ts';
import type { Simulation } from '../scheduling/simulation.ts';
import type { SurveyMemory } from '../survey-memory.ts';
import { type Consolidation, consolidate, type Move, withoutKeptTypes } from './consolidate.ts';

/** Karpenter's three consolidation methods, one pass each (karpenter-semantics §4). Budgets are used up as they go. */
type Budgets = Map<string, number>;

/** Dearest per unit of disruption first; Karpenter leaves ties to chance, we go by name. */
function byWorth(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort((a, b) => savingsRatio(b) - savingsRatio(a) || (a.name < b.name ? -1 : 1));
}

function withinBudgets(candidates: readonly Candidate[], budgets: Budgets): Candidate[] {
  return candidates.filter(({ pool }) => {
    const left = budgets.get(pool.name) ?? 0;
    if (left === 0) return false;
    budgets.set(pool.name, left - 1);
    return true;
  });
}

export function emptiness(candidates: readonly Candidate[], budgets: Budgets): Move | undefined {
  const chosen = withinBudgets(byWorth(candidates.filter(isEmpty)), budgets);
  if (chosen.length === 0) return undefined;
  return {
    kind: 'delete',
    candidates: chosen,
    replacements: [],
    placements: [],
    savings: chosen.reduce((sum, c) => sum + c.price, 0),
  };
}

/** More than this many nodes are never tried at once; one more slips through, as in Karpenter. */
const MAX_NODES = 100;

/** Binary search over prefixes of one order for the largest set that goes together. */
export function multiNode(
  simulation: Simulation,
  candidates: readonly Candidate[],
  budgets: Budgets,
  totals: ReadonlyMap<string, PoolTotals>,
): Move | undefined {
  const eligible = withinBudgets(byWorth(candidates), budgets);
  const { settings, pools } = simulation.cluster;
  if (eligible.length < 2 || (settings.compat && pools.length === 0)) return undefined;
  let low = 1;
  const most = Math.min(MAX_NODES, ...eligible.map((c) => c.policy.multiNode.maxParallel - 1));
  let high = eligible.length <= most ? eligible.length - 1 : most;
  let best: Move | undefined;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const move = exchanged(simulation, eligible.slice(0, middle + 1));
    if (move !== undefined && disapproving(move.candidates, move.savings, totals) === undefined) {
      best = move;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return best;
}

function exchanged(simulation: Simulation, candidates: readonly Candidate[]): Move | undefined {
  const rows = candidates.map((c) => c.row);
  if (simulation.homeless.outgrow(rows, 1)) return undefined;
  const result = consolidate(simulation, candidates);
  return 'move' in result ? withoutKeptTypes(simulation.cluster, result.move) : undefined;
}

/** One candidate by itself, the Balanced score included. `memory`: of what candidates came to before. */
export function alone(
  simulation: Simulation,
  candidate: Candidate,
  totals: ReadonlyMap<string, PoolTotals>,
  maxReplacements = 1,
  memory?: Pick<SurveyMemory, 'consolidation'>,
): Consolidation {
  const { single, multi } = candidate.methods;
  // Nearly empty, and nothing else is allowed: it may be deleted, never replaced.
  const allowed = single || multi ? maxReplacements : 0;
  const ask = () => consolidate(simulation, [candidate], { maxReplacements: allowed });
  return balanced(candidate, totals, () => memory?.consolidation(candidate, allowed, ask) ?? ask());
}

/** The verdict, unless the candidate's pool is Balanced and disagrees; then it may not even be asked for. */
export function balanced(
  candidate: Candidate,
  totals: ReadonlyMap<string, PoolTotals>,
  verdictOf: () => Consolidation,
): Consolidation {
  const beyond = isBeyondBalance(candidate, totals);
  if (beyond !== undefined) return { refusal: scoreRefusal(candidate.pool.name, beyond) };
  const result = verdictOf();
  if ('refusal' in result) return result;
  const against = disapproving([candidate], result.move.savings, totals);
  return against === undefined ? result : { refusal: scoreRefusal(against.nodePool, against) };
}

function scoreRefusal(nodePool: string, { score, required }: { score: number; required: number }): MoveRefusal {
  return { code: 'balanced-score', nodePool, score, required };
}

/** First of each pool, second of each, and so on: the order in which single nodes are examined. */
function roundRobin(candidates: readonly Candidate[]): Candidate[] {
  const pools = Map.groupBy(byWorth(candidates), (c) => c.pool.name);
  const lists = [...pools].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, list]) => list);
  const out: Candidate[] = [];
  for (let i = 0; out.length < candidates.length; i++) for (const list of lists) if (i < list.length) out.push(list[i]);
  return out;
}

/** The first candidate in that order whose own verdict is to act. */
export function singleNode(
  candidates: readonly Candidate[],
  budgets: Budgets,
  moveOf: (c: Candidate) => Move | undefined,
): Move | undefined {
  for (const candidate of roundRobin(candidates)) {
    if ((budgets.get(candidate.pool.name) ?? 0) === 0) continue;
    const move = moveOf(candidate);
    if (move !== undefined) return move;
  }
  return undefined;
}
