import type { Theme } from '../theme.ts';
import { recent } from './disruption.ts';

/** Many nodes without work, under budgets that let only some go. */
export const emptiness: Theme = {
  pools(d) {
    for (const pool of d.pools) {
      const r = d.random;
      pool.object.spec.disruption.consolidationPolicy = r.pick(['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced']);
      pool.object.spec.disruption.budgets = r.pick([
        [{ nodes: '1' }],
        [{ nodes: '20%' }],
        [{ nodes: '0', reasons: ['Underutilized'] }, { nodes: '50%' }],
        [{ nodes: '2', reasons: ['Empty'] }],
        [{ nodes: '100%' }],
        [{ nodes: '0', schedule: '61 * * * *', duration: '1h', reasons: ['Drifted'] }, { nodes: '100%' }],
      ]);
    }
  },
  nodes(d) {
    for (const n of d.nodes) {
      if (d.random.chance(0.35)) n.target = 0;
      if (d.random.chance(0.1)) recent(d, n.claim);
    }
  },
};

/** Nodes that got pods a moment ago: nothing may be moved onto them. */
export const shield: Theme = {
  pools(d) {
    for (const pool of d.pools)
      pool.object.spec.disruption.consolidateAfter = d.random.pick(['1h', '1h', '30s', '0s', 'Never']);
  },
  nodes(d) {
    for (const n of d.nodes) if (d.random.chance(0.5)) recent(d, n.claim);
  },
  apps(d) {
    for (const app of d.apps) {
      if (d.random.chance(0.15)) app.onPod.push((pod) => Object.assign(pod.status, { phase: 'Pending' }));
    }
  },
};
