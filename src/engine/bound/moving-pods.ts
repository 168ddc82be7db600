import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { PodShape } from '../scheduling/pod-shapes.ts';
import type { HostLimits } from './host-limits.ts';
import type { PodClass } from './packing.ts';
import type { Reaches } from './reach.ts';
import type { ZoneLimits } from './zone-limits.ts';

/** A class of pods and where it may go. */
export interface MovingClass extends PodClass {
  /** Index into the list of reaches. */
  readonly reach: number;
  /** Index into the limits by zone, or -1. */
  readonly limit: number;
}

type Mutable = { -readonly [K in keyof MovingClass]: MovingClass[K] };

/** Pods that must be placed when rows are removed. */
export interface MovingPods {
  readonly classes: readonly MovingClass[];
  /** By removable row: the classes of its own pods. */
  readonly ofRow: ReadonlyMap<number, ReadonlySet<number>>;
}

/** Pods of the rows, grouped by requests, allowed places and limits by zone and host. */
export function movingPods(
  cluster: CompiledCluster,
  rows: readonly number[],
  reaches: Reaches,
  limits?: { readonly zones: ZoneLimits; readonly hosts: HostLimits },
): MovingPods {
  const { requests, requestOfPod, shapeOfPod, movableOfRow } = cluster;
  const classes: Mutable[] = [];
  const byKey = new Map<string, number>();
  const ofRow = new Map<number, Set<number>>();
  for (const row of rows) {
    const own = new Set<number>();
    for (const pod of movableOfRow[row]) {
      const reach = reaches.of(shapeOfPod[pod] as PodShape);
      const limit = limits?.zones.of(pod) ?? -1;
      const perHost = limits?.hosts.of(pod) ?? -1;
      const key = `${requestOfPod[pod]},${reach},${limit},${perHost}`;
      let c = byKey.get(key);
      if (c === undefined) {
        const own = requests.amounts(requestOfPod[pod]);
        const amounts = limits === undefined ? own : limits.hosts.asked(own, perHost);
        c = classes.push({ amounts, pods: 0, reach, limit }) - 1;
        byKey.set(key, c);
      }
      classes[c].pods++;
      own.add(c);
    }
    ofRow.set(row, own);
  }
  return { classes, ofRow };
}

/** Ratios of adjacent steps, finest first, to which amounts are rounded down when there are too many classes. */
const STEP_RATIOS = [1.01, 1.03, 1.1, 1.3, 2, 8];

/**
 * Reduces to at most about `limit` classes, if necessary by merging classes of the same places with similar requests. A
 * merged class requests the minimum of each resource over its pods: every packing stays a packing.
 */
export function withFewerClasses(moving: MovingPods, limit: number): MovingPods {
  let merged = moving;
  for (const ratio of STEP_RATIOS) {
    if (merged.classes.length <= limit) break;
    merged = mergeOnLadder(moving, ratio);
  }
  return merged;
}

function mergeOnLadder(moving: MovingPods, ratio: number): MovingPods {
  const rungs = (amounts: Float64Array) =>
    Array.from(amounts, (a) => (a > 0 ? Math.floor(Math.log(a) / Math.log(ratio)) : ''));
  return regroup(moving, (c) => `${c.reach};${rungs(c.amounts).join()}`);
}

/** Merges classes with equal keys; leaves out those without a key. */
export function regroup(moving: MovingPods, keyOf: (c: MovingClass, index: number) => string | undefined): MovingPods {
  const classes: Mutable[] = [];
  const byKey = new Map<string, number>();
  const renumbered = moving.classes.map((c, index) => {
    const key = keyOf(c, index);
    if (key === undefined) return undefined;
    const known = byKey.get(key);
    if (known === undefined) {
      byKey.set(key, classes.length);
      return classes.push({ ...c }) - 1;
    }
    const into = classes[known];
    into.amounts = into.amounts.map((amount, d) => Math.min(amount, c.amounts[d]));
    into.pods += c.pods;
    return known;
  });
  const ofRow = new Map<number, ReadonlySet<number>>();
  for (const [row, own] of moving.ofRow) {
    ofRow.set(row, new Set([...own].flatMap((c) => renumbered[c] ?? [])));
  }
  return { classes, ofRow };
}
