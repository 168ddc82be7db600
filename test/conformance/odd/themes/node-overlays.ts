import { addGate, type Draft, HOUR, meta } from '../draft.ts';
import { ARCH, CAPACITY_TYPE, INSTANCE_TYPE, ZONE } from '../names.ts';
import type { Json, JsonObject } from '../shapes.ts';
import type { Theme } from '../theme.ts';

const POOL = 'karpenter.sh/nodepool';

/** NodeOverlays: prices and adjustments, by pool, type, zone and capacity type, some of them in conflict. */
export const nodeOverlays: Theme = {
  start(d) {
    if (d.random.chance(0.9)) addGate(d, 'NodeOverlay=true');
  },
  placed(d) {
    const r = d.random;
    const count = r.int(1, 5);
    for (let i = 0; i < count; i++) {
      const spec: JsonObject = { requirements: r.some(requirements(d), 1, 2) };
      if (r.chance(0.5)) spec.weight = r.pick([1, 10, 10, 20]);
      if (r.chance(0.4)) spec.price = r.pick(['0.01', '0.2', '1.5', '0']);
      else if (r.chance(0.9)) spec.priceAdjustment = r.pick(['+0.05', '-0.05', '-20%', '+30%', '-100%', '-5']);
      if (r.chance(0.2)) spec.capacity = { [r.pick(['example.com/fuse', 'example.com/dongle'])]: '5' };
      const metadata = { ...meta(d, `overlay-${r.pick(['a', 'm', 'z'])}${i}`, d.nowMs - HOUR) };
      d.others.push({ apiVersion: 'karpenter.sh/v1alpha1', kind: 'NodeOverlay', metadata, spec });
    }
  },
};

function requirements(d: Draft): Json[] {
  const r = d.random;
  const types = d.types.map((t) => t.name);
  const pools = d.pools.map((p) => p.object.metadata.name);
  return [
    { key: CAPACITY_TYPE, operator: 'In', values: [r.pick(['spot', 'on-demand'])] },
    { key: POOL, operator: r.pick(['In', 'NotIn']), values: r.some(pools, 1, 2) },
    { key: INSTANCE_TYPE, operator: r.pick(['In', 'NotIn']), values: r.some(types, 1, 6) },
    { key: ZONE, operator: 'In', values: r.some(d.zones, 1, 2) },
    { key: ARCH, operator: 'In', values: ['amd64'] },
    { key: 'karpenter.kwok.sh/instance-cpu', operator: 'Gt', values: ['3'] },
    { key: 'karpenter.kwok.sh/instance-family', operator: 'Exists' },
    { key: 'example.com/unknown', operator: r.pick(['Exists', 'DoesNotExist']) },
  ];
}
