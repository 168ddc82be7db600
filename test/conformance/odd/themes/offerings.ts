import { bothOfferings, round6 } from '../catalog.ts';
import { addGate, type Draft, type TypeDraft } from '../draft.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE } from '../names.ts';
import type { Theme } from '../theme.ts';

/** Prices and availability: gaps, ties, one-zone types, reservations, free and absurd prices. */
export const offerings: Theme = {
  catalog(d) {
    const r = d.random;
    const mode = r.pick(['gaps', 'ties', 'zones', 'mixture', 'mixture']);
    for (const t of d.types) {
      if (mode === 'gaps' || mode === 'mixture') for (const o of t.offerings) if (r.chance(0.25)) o.available = false;
      if (mode === 'ties')
        for (const o of t.offerings) o.price = round6(t.cpu * (o.capacityType === 'spot' ? 0.02 : 0.05));
      if ((mode === 'zones' || mode === 'mixture') && r.chance(0.4))
        t.offerings = t.offerings.filter((o) => o.zone === t.offerings[0]?.zone);
      if (mode === 'mixture' && r.chance(0.1))
        t.offerings = t.offerings.filter((o) => o.capacityType === r.pick(['spot', 'on-demand']));
      if (mode === 'mixture' && r.chance(0.1))
        for (const o of t.offerings) if (o.capacityType === 'spot') o.price = round6(o.price * 4);
      if (mode === 'mixture' && r.chance(0.05)) for (const o of t.offerings) o.price = 0;
      if (mode === 'zones') for (const o of t.offerings) o.price = round6(o.price * (0.8 + 0.4 * r.next()));
      if (t.offerings.length === 0) t.offerings = bothOfferings(d, r.pick(d.zones), 0.05 * t.cpu);
    }
  },
};

/** Capacity reservations, with and without free slots. */
export const reserved: Theme = {
  start(d) {
    if (d.random.chance(0.4)) addGate(d, 'ReservedCapacity=false');
  },
  catalog(d) {
    for (const t of d.types) if (d.random.chance(0.3)) reserve(d, t);
  },
  pools(d) {
    for (const pool of d.pools) {
      if (!d.random.chance(0.7)) continue;
      for (const q of pool.object.spec.template.spec.requirements)
        if (q.key === CAPACITY_TYPE) q.values = [...(q.values ?? []), 'reserved'];
    }
  },
  nodes(d) {
    for (const n of d.nodes) {
      const o = n.type.offerings.find((x) => x.capacityType === 'reserved');
      if (!o || !n.node || !n.claim || !d.random.chance(0.4)) continue;
      for (const object of [n.node, n.claim])
        Object.assign(object.metadata.labels, { [CAPACITY_TYPE]: 'reserved', 'topology.kubernetes.io/zone': o.zone });
    }
  },
};

function reserve(d: Draft, t: TypeDraft): void {
  const r = d.random;
  const zones = r.some(d.zones, 1, 2);
  for (const zone of zones) {
    t.offerings.push({
      zone,
      capacityType: 'reserved',
      price: round6((t.offerings[0]?.price ?? 1) / r.pick([1000, 1e6, 2])),
      available: r.chance(0.8),
      reservation: `cr-${t.name}-${zone}`,
      slots: r.pick([0, 0, 1, 3]),
    });
  }
}

/** Spot everywhere, with and without the gate that lets spot replace spot. */
export const spot: Theme = {
  start(d) {
    // Spot replaces spot only where fifteen types are cheaper.
    d.families = d.random.int(6, 10);
    d.draws = 6;
    if (d.random.chance(0.75)) d.options.featureGates = 'SpotToSpotConsolidation=true';
  },
  pools(d) {
    const r = d.random;
    for (const pool of d.pools) {
      const list = pool.object.spec.template.spec.requirements;
      pool.object.spec.template.spec.requirements = list.filter((q) => q.key !== CAPACITY_TYPE);
      if (r.chance(0.9))
        pool.object.spec.template.spec.requirements.push({
          key: CAPACITY_TYPE,
          operator: 'In',
          values: r.pick([['spot'], ['spot'], ['spot', 'on-demand']]),
        });
      if (r.chance(0.2))
        pool.object.spec.template.spec.requirements.push({
          key: INSTANCE_TYPE,
          operator: 'Exists',
          minValues: r.pick([5, 16, 20]),
        });
    }
  },
};
