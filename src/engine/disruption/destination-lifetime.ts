import { CAPACITY_TYPE, SPOT } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Settings } from '../settings.ts';
import type { Candidate } from './candidates.ts';

/**
 * Savings that end soon are worth less (savings-threshold document, future work: "factor in replacement
 * node's remaining lifetime"). A node's worth is the time that it is expected to be there of the next
 * day: it goes when it expires, and a spot node may go before, at the given interruptions per hour.
 *
 *   expected hours = ∫ e^(−rate × t) dt from 0 to min(24 h, time until it expires)
 *   factor = min(1, expected hours where pods go / expected hours of what is removed)
 *
 * Relative to what is removed, so that spot for spot, and leaving a node that expires sooner, cost nothing.
 */
const DAY_HOURS = 24;
const HOUR_MS = 3_600_000;
/** Savings never count for nothing: the threshold of a pool may be 0, and must then go on to let every saving pass. */
const LEAST_FACTOR = 0.01;

/** A node that pods would go to: a new one of a template and one of these types, or one that is there, by its row. */
export type Destination =
  | { readonly template: number; readonly types?: readonly number[]; readonly capacityType: string }
  | { readonly row: number };

type LifetimeSettings = Pick<Settings, 'destinationLifetime' | 'spotInterruptionsPerHour'>;

/** What savings are multiplied by before they are held against what is required; in (0, 1]. */
export function destinationFactor(
  cluster: CompiledCluster,
  settings: LifetimeSettings,
  candidates: readonly Candidate[],
  destinations: readonly Destination[],
): number {
  if (!settings.destinationLifetime || destinations.length === 0) return 1;
  const rate = settings.spotInterruptionsPerHour;
  const there = mean(destinations.map((d) => expectedHours(lifeOf(cluster, d, rate))));
  const here = mean(candidates.map((c) => expectedHours(lifeOf(cluster, c, rate))));
  return here <= there ? 1 : Math.max(there / here, LEAST_FACTOR);
}

interface Life {
  /** Infinity: it does not expire. */
  readonly hours: number;
  readonly interruptionsPerHour: number;
}

/** `usualRate`: interruptions per hour of spot nodes of types that the catalog does not know it of. */
function lifeOf(cluster: CompiledCluster, d: Destination, usualRate: number): Life {
  const rateOf = (type: number | undefined) =>
    (type === undefined ? undefined : cluster.types.list[type].spotInterruptionsPerHour) ?? usualRate;
  if ('template' in d) {
    const { expireAfterMs = Infinity } = cluster.templates[d.template].pool;
    const { types = [] } = d;
    const rate = d.capacityType !== SPOT ? 0 : types.length === 0 ? usualRate : mean(types.map(rateOf));
    return { hours: expireAfterMs / HOUR_MS, interruptionsPerHour: rate };
  }
  const { claim, labels } = cluster.rows[d.row];
  const leftMs =
    claim?.expireAfterMs === undefined ? Infinity : claim.createdMs + claim.expireAfterMs - cluster.objects.nowMs;
  const rate = labels[CAPACITY_TYPE] === SPOT ? rateOf(cluster.types.ofNode(labels)) : 0;
  return { hours: Math.max(0, leftMs / HOUR_MS), interruptionsPerHour: rate };
}

function expectedHours({ hours, interruptionsPerHour: rate }: Life): number {
  const within = Math.min(hours, DAY_HOURS);
  return rate === 0 ? within : -Math.expm1(-rate * within) / rate;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, v) => sum + v, 0) / values.length;
}
