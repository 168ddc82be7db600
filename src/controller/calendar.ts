import type { PolicyObject } from '../config/policy-object.ts';
import type { ClusterObjects, NodePoolObject } from '../engine/cluster/objects.ts';
import { NODE_POOL } from '../engine/cluster/well-known.ts';
import { allowedDisruptions } from '../engine/disruption/budgets.ts';
import { type BlockReason, Governance } from './governance.ts';

/** Schedules are in minutes; policy changes are shown with this precision. */
const STEP_MS = 15 * 60_000;

/** A period in which the same limits apply to a pool. */
export interface CalendarPeriod {
  readonly fromMs: number;
  readonly toMs: number;
  /** Nodes that may be disrupted at once; Infinity without a limit. */
  readonly empty: number;
  /** 0 also if the policy consolidates empty nodes only. */
  readonly underutilized: number;
  /** Index of the policy's open window. */
  readonly window?: number;
  /** Consolidation is off: consolidateAfter is Never. */
  readonly isOff: boolean;
}

export interface PoolCalendar {
  readonly pool: string;
  readonly nodes: number;
  readonly policyName?: string;
  readonly blockReason?: BlockReason;
  readonly periods: readonly CalendarPeriod[];
}

/** What budgets and windows allow in each pool over time, with its current nodes; an empty pool is shown as if it had one. */
export function calendar(
  objects: ClusterObjects,
  policies: readonly PolicyObject[],
  fromMs: number,
  toMs: number,
): readonly PoolCalendar[] {
  const governance = new Governance({ interlock: true, compat: false });
  const periods = new Map<string, CalendarPeriod[]>(objects.nodePools.map((pool) => [pool.name, []]));
  for (let t = fromMs; t < toMs; t += STEP_MS) {
    const governed = governance.poolGovernance({ objects: { ...objects, nowMs: t }, commands: [], policies });
    for (const pool of objects.nodePools) {
      const { policy, policyName, window } = governed.get(pool.name)!;
      const budgets = policyName === undefined ? pool.budgets : policy.budgets;
      const allowed = (reason: 'Empty' | 'Underutilized') =>
        limit(allowedDisruptions({ ...pool, budgets }, Math.max(1, nodesOf(objects, pool)), reason, t));
      append(periods.get(pool.name)!, {
        fromMs: t,
        toMs: Math.min(toMs, t + STEP_MS),
        empty: allowed('Empty'),
        underutilized: policy.singleNode.enabled || policy.multiNode.enabled ? allowed('Underutilized') : 0,
        ...(window === undefined ? {} : { window }),
        isOff: policy.consolidateAfterMs === undefined && policy.ttlSecondsAfterEmpty === undefined,
      });
    }
  }
  const now = governance.poolGovernance({ objects, commands: [], policies });
  return objects.nodePools.map((pool) => {
    const { policyName, blockReason } = now.get(pool.name)!;
    return {
      pool: pool.name,
      nodes: nodesOf(objects, pool),
      ...(policyName === undefined ? {} : { policyName }),
      ...(blockReason === undefined ? {} : { blockReason }),
      periods: periods.get(pool.name)!,
    };
  });
}

const UNLIMITED = 2 ** 31 - 1;

function limit(allowed: number): number {
  return allowed >= UNLIMITED ? Number.POSITIVE_INFINITY : Math.max(0, allowed);
}

function nodesOf({ nodeClaims }: ClusterObjects, { name }: NodePoolObject): number {
  return nodeClaims.reduce((count, { labels }) => count + (labels[NODE_POOL] === name ? 1 : 0), 0);
}

/** Merged with the previous period if equal. */
function append(periods: CalendarPeriod[], next: CalendarPeriod): void {
  const last = periods.at(-1);
  const same =
    last !== undefined &&
    last.empty === next.empty &&
    last.underutilized === next.underutilized &&
    last.window === next.window &&
    last.isOff === next.isOff;
  if (same) periods[periods.length - 1] = { ...last, toMs: next.toMs };
  else periods.push(next);
}
