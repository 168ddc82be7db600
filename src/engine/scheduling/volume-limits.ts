import type { CsiNodeObject } from '../cluster/csi-node-object.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import { amountOf, type PodObject } from '../cluster/objects.ts';
import { isTerminal } from '../cluster/pods.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import type { PodVolumes } from './volumes.ts';

interface Attachments {
  readonly limits: Readonly<Record<string, number>>;
  /** Pods per claim, by driver: a claim that two pods share is attached once. */
  readonly users: Map<string, Map<string, number>>;
}

/** Limits of a node besides its CSINode's counts. */
export interface OtherLimits {
  /** Instance types limit volumes of drivers that the CSINode lacks, and a driver without a count has no limit. */
  readonly volumeLimits: boolean;
  /** By row: the limits of its instance type; undefined if unknown. */
  ofType(row: number): Readonly<Record<string, number>> | undefined;
}

/** How many volumes of a driver a node may still attach. Unchanged rows are shared with the last cluster. */
export class VolumeLimits {
  private readonly byRow = new Map<number, Attachments>();

  constructor(
    csiNodes: readonly CsiNodeObject[],
    rows: readonly StateNode[],
    pods: readonly PodObject[],
    podsOfRow: readonly (readonly number[])[],
    volumesOfPod: ReadonlyMap<number, PodVolumes>,
    others: OtherLimits,
    unchanged: Int32Array,
    last: VolumeLimits | undefined,
  ) {
    const csiNodeOf = new Map(csiNodes.map((c) => [c.name, c]));
    rows.forEach(({ node }, row) => {
      if (last !== undefined && unchanged[row] >= 0) {
        const attachments = last.byRow.get(unchanged[row]);
        if (attachments !== undefined) this.byRow.set(row, attachments);
        return;
      }
      const limits = limitsOf(node === undefined ? undefined : csiNodeOf.get(node.name), row, others);
      if (Object.keys(limits).length === 0) return;
      this.byRow.set(row, { limits, users: new Map() });
      for (const i of podsOfRow[row]) {
        const volumes = volumesOfPod.get(i);
        if (volumes !== undefined && !isTerminal(pods[i])) this.attach(row, volumes, 1);
      }
    });
  }

  /** More is attached than allowed: Karpenter then places no pod there, with or without volumes. */
  isExceeded(row: number): boolean {
    const own = this.byRow.get(row);
    return (
      own !== undefined &&
      [...own.users].some(([driver, claims]) => claims.size > (amountOf(own.limits, driver) ?? Infinity))
    );
  }

  exceeds(row: number, volumes: PodVolumes): boolean {
    const own = this.byRow.get(row);
    if (own === undefined) return false;
    const added = new Map<string, Set<string>>();
    for (const { driver, claim } of volumes.attached) {
      if (own.users.get(driver)?.has(claim)) continue;
      const set = added.get(driver) ?? new Set();
      added.set(driver, set.add(claim));
    }
    for (const [driver, claims] of added) {
      if ((own.users.get(driver)?.size ?? 0) + claims.size > (amountOf(own.limits, driver) ?? Infinity)) return true;
    }
    return false;
  }

  /** `users`: +1 when a pod arrives, -1 when it is undone. */
  attach(row: number, volumes: PodVolumes, users: 1 | -1): void {
    const own = this.byRow.get(row);
    if (own === undefined) return;
    for (const { driver, claim } of volumes.attached) {
      const claims = getOrInsert(own.users, driver, () => new Map());
      const now = (claims.get(claim) ?? 0) + users;
      if (now > 0) claims.set(claim, now);
      else claims.delete(claim);
    }
  }
}

function limitsOf(csiNode: CsiNodeObject | undefined, row: number, others: OtherLimits): Record<string, number> {
  const uncounted = csiNode?.uncounted ?? [];
  if (!others.volumeLimits) {
    // Karpenter 1.14 reads an allocatable without a count as 0.
    const none = uncounted.filter(({ allocatable }) => allocatable).map(({ driver }) => [driver, 0]);
    return { ...csiNode?.limits, ...Object.fromEntries(none) };
  }
  const listed = new Set(uncounted.map(({ driver }) => driver));
  const ofType = Object.entries(others.ofType(row) ?? {}).filter(([driver]) => !listed.has(driver));
  return { ...Object.fromEntries(ofType), ...csiNode?.limits };
}
