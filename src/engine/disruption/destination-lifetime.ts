import { CAPACITY_TYPE, SPOT } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Settings } from '../settings.ts';
import type { Candidate } from './candidates.ts';

/**
 * Savings that end soon are worth less (savings-threshold document, future work: "factor in replacement node's
 * remaining lifetime"). A node's worth is its expected time within the next day: it ends when the node expires, and for
 * a spot node possibly earlier, at the given interruptions per hour.
 *
 * expected hours = ∫ e^(−rate × t) dt from 0 to min(24 h, time until it expires)
 * factor = min(1, expected hours of the destinations / expected hours of the removed nodes)
 *
 * Relative to the removed nodes, so that replacing spot by spot, or a node that expires sooner, costs nothing.
 */
const DAY_HOURS = 24;
const HOUR_MS = 3_600_000;
/** Savings never count for nothing: a threshold of 0 must still pass every saving. */
const LEAST_FACTOR = 0.01;

/** A destination of pods: a new node of a template and one of these types, or an existing node by its row. */
export type Destination =
  | { readonly template: number; readonly types?: readonly number[]; readonly capacityType: string }
  | { readonly row: number };

type LifetimeSettings = Pick<Settings, 'destinationLifetime' | 'spotInterruptionsPerHour'>;

/** Factor of savings before they are compared with the required ones; in (0, 1]. */
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
  /** Infinity if it does not expire. */
  readonly hours: number;
  readonly interruptionsPerHour: number;
}

/** `usualRate`: interruptions per hour for spot types without a known rate. */
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
