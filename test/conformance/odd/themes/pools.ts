import type { Draft } from '../draft.ts';
import { CAPACITY_TYPE, CPU, FAMILY, INSTANCE_TYPE, TEAM } from '../names.ts';
import { addPool } from '../pools.ts';
import type { NodePool, Quantities } from '../shapes.ts';
import type { Theme } from '../theme.ts';
import { selector } from './requirements.ts';

/** Weights, limits, static pools, pools that are not ready or going away, template labels. */
export const pools: Theme = {
  pools(d) {
    const r = d.random;
    const extra = r.int(1, 3);
    for (let i = 0; i < extra; i++)
      addPool(
        d,
        `extra-${'zyx'[i] ?? i}`,
        r.chance(0.3) ? [] : [{ key: CAPACITY_TYPE, operator: 'In', values: r.some(['spot', 'on-demand'], 1, 2) }],
      );
    if (r.chance(0.2)) addPool(d, 'impossible', [{ key: CPU, operator: 'Gt', values: ['1000'] }]);
    for (const pool of d.pools) vary(d, pool.object);
    // At least one pool can make nodes, or nothing can be said of any node.
    const first = d.pools[0]?.object;
    if (r.chance(0.05)) {
      for (const p of d.pools)
        p.object.spec.template.spec.requirements.push({ key: CPU, operator: 'Gt', values: ['1000'] });
    } else if (first && r.chance(0.93)) {
      delete first.spec.replicas;
      delete first.metadata.deletionTimestamp;
      for (const c of first.status.conditions) c.status = 'True';
    }
  },
  apps(d) {
    for (const app of d.apps) if (d.random.chance(0.2)) app.spec.nodeSelector = selector(d);
  },
};

function vary(d: Draft, pool: NodePool): void {
  const r = d.random;
  pool.spec.weight = r.pick([1, 5, 5, 10, 100]);
  if (r.chance(0.3)) delete pool.spec.weight;
  if (r.chance(0.45))
    pool.spec.limits = r.pick<Quantities>([
      { cpu: '8' },
      { cpu: String(d.nodeCount * 3) },
      { cpu: '1000' },
      { memory: '64Gi' },
      { memory: `${d.nodeCount * 8}Gi` },
      { nodes: String(r.int(1, d.nodeCount)) },
      { nodes: String(r.int(1, Math.ceil(d.nodeCount / d.pools.length))), cpu: '500' },
      { pods: '100' },
      { cpu: '0' },
      { 'example.com/gpu': '1' },
    ]);
  if (r.chance(0.12)) pool.spec.replicas = r.int(0, 3);
  if (r.chance(0.12))
    for (const c of pool.status.conditions) if (c.type === 'Ready') c.status = r.pick(['False', 'Unknown']);
  if (r.chance(0.08))
    Object.assign(pool.metadata, {
      deletionTimestamp: '2026-08-20T11:50:00Z',
      finalizers: ['karpenter.sh/termination'],
    });
  if (r.chance(0.3)) pool.spec.template.metadata.labels = { [TEAM]: r.pick(['red', 'blue']) };
  if (r.chance(0.3))
    pool.spec.template.spec.requirements.push(
      r.pick([
        { key: CPU, operator: 'Lt', values: ['9'] },
        {
          key: FAMILY,
          operator: 'In',
          values: r.some(
            d.types.map((t) => t.name.split('.')[0] as string),
            2,
            4,
          ),
        },
      ]),
    );
  if (r.chance(0.2)) pool.spec.disruption.consolidationPolicy = r.pick(['WhenEmpty', 'Balanced']);
}

/** Requirements that insist on variety. */
export const minValues: Theme = {
  start(d) {
    if (d.random.chance(0.4)) d.options.minValuesPolicy = 'BestEffort';
  },
  pools(d) {
    for (const pool of d.pools) {
      const r = d.random;
      if (!r.chance(0.75)) continue;
      const list = pool.object.spec.template.spec.requirements;
      if (r.chance(0.7)) list.push({ key: FAMILY, operator: 'Exists', minValues: r.int(1, 4) });
      if (r.chance(0.5)) list.push({ key: INSTANCE_TYPE, operator: 'Exists', minValues: r.pick([2, 5, 10, 20]) });
      if (r.chance(0.2)) list.push({ key: CPU, operator: 'In', values: ['2', '4', '8', '16'], minValues: r.int(2, 3) });
    }
  },
};
