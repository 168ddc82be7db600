import { amountOf, type CsiNodeObject, type PodObject } from '../cluster/objects.ts';
import { isTerminal } from '../cluster/pods.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import type { PodVolumes } from './volumes.ts';

interface Attachments {
  readonly limits: Readonly<Record<string, number>>;
  /** Pods per claim, by driver: a claim that two pods share is attached once. */
  readonly users: Map<string, Map<string, number>>;
}

/** How many volumes of a driver a node may still attach; only nodes with a CSINode have limits. */
export class VolumeLimits {
  private readonly byRow = new Map<number, Attachments>();

  constructor(
    csiNodes: readonly CsiNodeObject[],
    rows: readonly StateNode[],
    pods: readonly PodObject[],
    podsOfRow: readonly (readonly number[])[],
    volumesOfPod: ReadonlyMap<number, PodVolumes>,
  ) {
    if (csiNodes.length === 0) return;
    const limitsOf = new Map(csiNodes.map((c) => [c.name, c.limits]));
    rows.forEach(({ node }, row) => {
      const limits = node === undefined ? undefined : limitsOf.get(node.name);
      if (limits === undefined || Object.keys(limits).length === 0) return;
      this.byRow.set(row, { limits, users: new Map() });
      for (const i of podsOfRow[row]) {
        const volumes = volumesOfPod.get(i);
        if (volumes !== undefined && !isTerminal(pods[i])) this.attach(row, volumes, 1);
      }
    });
  }

  /** More is attached already than allowed: Karpenter then puts no pod there, volumes or not. */
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

  /** `users` is +1 when a pod comes and -1 when it is taken back. */
  attach(row: number, volumes: PodVolumes, users: 1 | -1): void {
    const own = this.byRow.get(row);
    if (own === undefined) return;
    for (const { driver, claim } of volumes.attached) {
      let claims = own.users.get(driver);
      if (claims === undefined) {
        claims = new Map();
        own.users.set(driver, claims);
      }
      const now = (claims.get(claim) ?? 0) + users;
      if (now > 0) claims.set(claim, now);
      else claims.delete(claim);
    }
  }
}
