import { members } from '../cluster/bitset.ts';
import { labelOf } from '../cluster/objects.ts';
import { RESERVATION_ID } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Template } from '../scheduling/templates.ts';
import { overlapOnSharedKeys } from '../selection/requirements.ts';
import type { Charges } from './pool-charges.ts';

/** A node that a pool could launch: one type in one offering. */
export interface PossibleLaunch {
  readonly template: number;
  readonly type: number;
  /** Zone and capacity type, mostly. */
  readonly kind: number;
  readonly zone: string;
  /** Dollars per hour. */
  readonly price: number;
  /** Capacity left after its DaemonSets. */
  readonly capacity: Float64Array;
  /** Available number. */
  readonly count: number;
  /** Of limits of its pool, where those are looked at. */
  readonly charges: Charges;
}

/**
 * Everything that some pool can launch now. Every new node of a plan is one of these: it has a type with an available
 * offering that its pool allows. Limits of pools and minValues are ignored, so the list may be too long, never too
 * short.
 */
export function possibleLaunches(cluster: CompiledCluster, removable: readonly number[]): PossibleLaunch[] {
  const { types, templates, requests } = cluster;
  const freed = slotsFreed(cluster, removable);
  const allocatable = types.list.map((type) => requests.row(type.allocatable));
  const launches: PossibleLaunch[] = [];
  templates.forEach((template, t) => {
    const allowed = allowedKinds(cluster, template);
    for (const daemons of template.daemons) {
      for (const type of members(daemons.types)) {
        const capacity = allocatable[type].map((amount, d) => amount - daemons.overhead[d]);
        // DaemonSets alone exceed it: no pod fits, not even one that requests none of that resource.
        if (capacity.some((amount) => amount < 0)) continue;
        for (const { kind, price, available, reservationCapacity } of types.offeringsOf(type)) {
          if (!available || !allowed[kind]) continue;
          // An unknown price could be anything, so it counts as 0.
          const atLeast = price > 0 ? price : 0;
          const { reservationId, zone } = types.kinds[kind];
          const slots = reservationId === '' ? Infinity : reservationCapacity + (freed.get(reservationId) ?? 0);
          launches.push({ template: t, type, kind, zone, price: atLeast, capacity, count: slots, charges: [] });
        }
      }
    }
  });
  return launches;
}

/** By reservation: slots that become free when all these nodes and those being deleted are gone. */
function slotsFreed({ rows }: CompiledCluster, removable: readonly number[]): Map<string, number> {
  const going = new Set(removable);
  const freed = new Map<string, number>();
  rows.forEach(({ labels, deleting }, row) => {
    const id = labelOf(labels, RESERVATION_ID);
    if (id !== undefined && (deleting || going.has(row))) freed.set(id, (freed.get(id) ?? 0) + 1);
  });
  return freed;
}

function allowedKinds({ types, space }: CompiledCluster, template: Template): readonly boolean[] {
  const requirements = space.get(template.requirements);
  return types.kinds.map((kind) => overlapOnSharedKeys(requirements, kind.requirements));
}
