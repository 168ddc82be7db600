import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { PodShape } from '../scheduling/pod-shapes.ts';
import type { HostLimits } from './host-limits.ts';
import type { Reaches } from './reach.ts';
import type { ZoneLimits } from './zone-limits.ts';

/** Pods with equal requests. */
export interface PodClass {
  /** By column of the request table, and then by limit of hosts. */
  readonly amounts: Float64Array;
  readonly pods: number;
}

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
  limits: { readonly zones: ZoneLimits; readonly hosts: HostLimits },
): MovingPods {
  const { requests, requestOfPod, shapeOfPod, movableOfRow } = cluster;
  const classes: Mutable[] = [];
  const byKey = new Map<string, number>();
  const ofRow = new Map<number, Set<number>>();
  for (const row of rows) {
    const own = new Set<number>();
    for (const pod of movableOfRow[row]) {
      const reach = reaches.of(shapeOfPod[pod] as PodShape);
      const limit = limits.zones.of(pod);
      const perHost = limits.hosts.of(pod);
      const key = `${requestOfPod[pod]},${reach},${limit},${perHost}`;
      let c = byKey.get(key);
      if (c === undefined) {
        const amounts = limits.hosts.asked(requests.amounts(requestOfPod[pod]), perHost);
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

export function withoutClasses({ classes, ofRow }: MovingPods, goes: (c: MovingClass) => boolean): MovingPods {
  const kept = classes.flatMap((c, index) => (goes(c) ? [] : [index]));
  const renumbered = new Map(kept.map((c, index) => [c, index]));
  return {
    classes: kept.map((c) => classes[c]),
    ofRow: new Map([...ofRow].map(([row, own]) => [row, new Set([...own].flatMap((c) => renumbered.get(c) ?? []))])),
  };
}
