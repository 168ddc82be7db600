import { allowedDisruptions, remainingBudgets } from '../disruption/budgets.ts';
import { reasonFor } from '../search/approval.ts';
import type { Change } from './change.ts';
import { changed } from './situation.ts';
import type { NodeTrial } from './trial.ts';

const MINUTE_MS = 60_000;
/** Windows that open later are not suggested. */
const HORIZON_MINUTES = 7 * 24 * 60;
const MANY = 1_000_000;

/** A budget that allows one more than are being disrupted, or the first minute at which it does. */
export function budgetFixes(trial: NodeTrial, nodePool: string): readonly Change[] {
  const { cluster, situation, candidate, move } = trial;
  if (candidate === undefined || move === undefined) return [];
  const reason = reasonFor(move.kind, candidate);
  const { objects } = changed(situation, [{ code: 'budget', nodePool, atLeast: MANY, disrupting: 0 }]);
  const disrupting = MANY - (remainingBudgets(objects, cluster.rows, reason).get(nodePool) ?? 0);
  const more: Change = { code: 'budget', nodePool, atLeast: disrupting + 1, disrupting };
  const pool = situation.objects.nodePools.find((p) => p.name === nodePool);
  if (pool === undefined || !pool.budgets.some((b) => b.schedule !== undefined)) return [more];
  const nodes = cluster.rows.filter((r) => r.claim !== undefined && r.initialized).length;
  const { nowMs } = situation.objects;
  const nextMinute = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
  for (let i = 0; i < HORIZON_MINUTES; i++) {
    const at = nextMinute + i * MINUTE_MS;
    if (allowedDisruptions(pool, nodes, reason, at) > disrupting)
      return [{ code: 'wait', ms: at - nowMs, until: 'budget' }, more];
  }
  return [more];
}
