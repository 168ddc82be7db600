import { type Draft, HOUR, SECOND, time } from '../draft.ts';
import type { Budget } from '../shapes.ts';
import type { Theme } from '../theme.ts';

const BUDGETS: readonly Budget[] = [
  { nodes: '10%' },
  { nodes: '1' },
  { nodes: '0' },
  { nodes: '100%' },
  { nodes: '35%' },
  { nodes: '3' },
  { nodes: '0', reasons: ['Drifted'] },
  { nodes: '0', reasons: ['Empty'] },
  { nodes: '2', reasons: ['Underutilized'] },
  { nodes: '50%', reasons: ['Empty', 'Underutilized'] },
  { nodes: '0', schedule: '0 11 * * *', duration: '1h' },
  { nodes: '0', schedule: '0 11 * * *', duration: '1h1m' },
  { nodes: '0', schedule: '0 12 * * *', duration: '10m' },
  { nodes: '1', schedule: '@daily', duration: '13h' },
  { nodes: '0', schedule: '@hourly', duration: '5m' },
  { nodes: '0', schedule: '30 9 * * 1-5', duration: '8h' },
  { nodes: '0', schedule: '0 0 * * sat,sun', duration: '24h' },
  { nodes: '0', schedule: '0 0 20 8 mon', duration: '13h' },
  { nodes: '1', schedule: '0 8-18/2 * aug thu', duration: '2h30m' },
  { nodes: '0', schedule: '59 11 * * *', duration: '1m' },
  { nodes: '0', schedule: '@weekly', duration: '100h' },
  // The API's pattern lets this through; Karpenter then allows nothing at all.
  { nodes: '100%', schedule: '61 * * * *', duration: '1h' },
  { nodes: '0', schedule: '*/15 * * * *', duration: '1m', reasons: ['Underutilized'] },
];

/** Policies, consolidateAfter, what happened lately, and budgets. */
export const disruption: Theme = {
  pools(d) {
    for (const pool of d.pools) {
      const r = d.random;
      const spec = pool.object.spec.disruption;
      spec.consolidationPolicy = r.pick([
        'WhenEmptyOrUnderutilized',
        'WhenEmptyOrUnderutilized',
        'WhenEmptyOrUnderutilized',
        'Balanced',
        'Balanced',
        'WhenEmpty',
      ]);
      spec.consolidateAfter = r.pick(['0s', '0s', '30s', '30s', '5m', '5m', '1h', '1h', '1h', 'Never']);
      if (r.chance(0.6)) spec.budgets = r.some(BUDGETS, 1, 3).map((b) => ({ ...b }));
      // No budget at all; left out, the API server would put 10% there.
      if (r.chance(0.05)) spec.budgets = [];
    }
  },
  nodes(d) {
    for (const n of d.nodes) if (d.random.chance(0.4)) recent(d, n.claim);
  },
};

/** The last pod came or went a moment ago, so that consolidateAfter may still be running. */
export function recent(
  d: Draft,
  claim: { status: { conditions: { type: string }[]; lastPodEventTime?: string } } | undefined,
): void {
  if (!claim) return;
  const r = d.random;
  claim.status.lastPodEventTime = time(
    d.nowMs - r.pick([5 * SECOND, 29 * SECOND, 30 * SECOND, 200 * SECOND, 0.5 * HOUR, HOUR]),
  );
  if (r.chance(0.15)) delete claim.status.lastPodEventTime;
  if (r.chance(0.5))
    claim.status.conditions = claim.status.conditions.filter(
      (c) => c.type !== 'Consolidatable',
    ) as typeof claim.status.conditions;
}

/** Savings weighed against disruption. */
export const balanced: Theme = {
  catalog(d) {
    // A pool that costs nothing cannot be weighed.
    if (d.random.chance(0.08)) for (const t of d.types) for (const o of t.offerings) o.price = 0;
  },
  pools(d) {
    for (const pool of d.pools) {
      pool.object.spec.disruption.consolidationPolicy = d.random.pick([
        'Balanced',
        'Balanced',
        'Balanced',
        'WhenEmptyOrUnderutilized',
      ]);
      pool.object.spec.disruption.consolidateAfter = '30s';
    }
  },
  apps(d) {
    for (const app of d.apps)
      if (d.random.chance(0.4)) app.spec.priority = d.random.pick([1000000, 40000000, 200000000, -20000000]);
  },
};
