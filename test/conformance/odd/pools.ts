import { typeLabels } from './catalog.ts';
import { type Draft, HOUR, meta, type PoolDraft, time } from './draft.ts';
import { meets } from './matching.ts';
import { ARCH, CAPACITY_TYPE, OS, ZONE } from './names.ts';
import type { Condition, NodePool, Requirement } from './shapes.ts';

export const NODE_CLASS = { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' };

export function condition(type: string, atMs: number, status = 'True'): Condition {
  return { type, status, reason: type, message: '', lastTransitionTime: time(atMs) };
}

export function addPool(d: Draft, name: string, requirements: Requirement[] = []): PoolDraft {
  const r = d.random;
  const created = d.nowMs - 1500 * HOUR;
  const object: NodePool = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: meta(d, name, created),
    spec: {
      template: {
        metadata: {},
        spec: { requirements, nodeClassRef: { ...NODE_CLASS }, expireAfter: r.pick(['720h', '720h', '168h', 'Never']) },
      },
      disruption: {
        consolidateAfter: r.pick(['0s', '30s', '30s', '5m']),
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        budgets: [{ nodes: r.pick(['100%', '100%', '50%', '30%']) }],
      },
    },
    status: { conditions: ['ValidationSucceeded', 'NodeClassReady', 'Ready'].map((c) => condition(c, created)) },
  };
  const pool: PoolDraft = { object, types: [], capacityTypes: [], zones: [] };
  d.pools.push(pool);
  return pool;
}

/** Works out which types, zones and capacity types a pool's nodes may have, from its requirements. */
export function settlePool(d: Draft, pool: PoolDraft): void {
  const requirements = pool.object.spec.template.spec.requirements;
  const known = new Set(d.types.flatMap((t) => Object.keys(typeLabels(t))));
  const ofType = requirements.filter((q) => known.has(q.key));
  pool.types = d.types.filter((t) => ofType.every((q) => meets(q, typeLabels(t))));
  const only = (key: string, values: string[]) => {
    const kept = values.filter((v) => requirements.filter((q) => q.key === key).every((q) => meets(q, { [key]: v })));
    return kept.length > 0 ? kept : values;
  };
  pool.zones = only(ZONE, d.zones);
  pool.capacityTypes = only(CAPACITY_TYPE, ['on-demand', 'spot']);
  if (pool.types.length === 0) pool.types = d.types.slice(0, 6);
}

export function makePools(d: Draft): void {
  const r = d.random;
  const archs = [...new Set(d.types.map((t) => t.arch))];
  const count = r.int(1, 3);
  for (let i = 0; i < count; i++) {
    const requirements: Requirement[] = [
      { key: OS, operator: 'In', values: ['linux'] },
      { key: ARCH, operator: 'In', values: [i === 0 ? 'amd64' : r.pick(['amd64', 'amd64', ...archs])] },
    ];
    const capacity = r.pick([['on-demand'], ['on-demand'], ['on-demand', 'spot'], ['on-demand', 'spot'], ['spot']]);
    requirements.push({ key: CAPACITY_TYPE, operator: 'In', values: capacity });
    const pool = addPool(d, `pool-${'abcdef'[i] ?? i}`, requirements);
    if (r.chance(0.5)) pool.object.spec.weight = r.pick([1, 10, 10, 50]);
  }
}
