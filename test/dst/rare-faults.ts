import type { PolicyObject } from '../../src/config/policy-object.ts';
import { isTaken } from '../../src/controller/leaving.ts';
import type { NodePoolObject } from '../../src/engine/cluster/objects.ts';
import type { UndecodableObject } from '../../src/engine/cluster/undecodable.ts';
import type { FakeCluster } from '../build/fake-cluster.ts';
import type { ControllerSketch } from '../build/run-controller.ts';
import { MINUTE_MS } from '../build/units.ts';

/** Karpenter's disruption controller removes the taint from nodes that it is not disrupting, on every run. */
const STRIP_EVERY_MS = 10_000;

/** Decant's policy in stories with the interlock: the pools' own blocks are for Karpenter. */
const POLICY: PolicyObject = {
  kind: 'ConsolidationPolicy',
  apiVersion: 'decant.sh/v1alpha1',
  name: 'all',
  spec: { nodePoolSelector: {}, consolidateAfter: '0s', budgets: [{ nodes: '100%' }] },
};

/** Faults that a story has or has not, drawn once. */
export class RareFaults {
  /** Karpenter strips our taint. */
  readonly strips: boolean;
  /** Two replicas lead at once. */
  readonly twoLeaders: boolean;
  /** In the end one of them finds out; otherwise both lead for good. */
  readonly oneFindsOut: boolean;
  /** Karpenter may consolidate pools, and does not at first. */
  readonly interlock: boolean;
  readonly steers: boolean;
  private readonly dice: () => number;
  private strippedMs = 0;
  private readonly wipes: boolean;

  constructor(dice: () => number) {
    this.dice = dice;
    this.wipes = dice() < 0.3;
    const strips = dice() < 0.4;
    this.twoLeaders = dice() < 0.3;
    // Only Karpenter knows of taints that no command speaks of any more: the journal is gone, or another leader has
    // removed the node from its command since this one read it.
    this.strips = this.wipes || this.twoLeaders || strips;
    this.interlock = dice() < 0.3;
    this.steers = dice() < 0.3;
    this.oneFindsOut = dice() < 0.5;
  }

  get policies(): readonly PolicyObject[] | undefined {
    return this.interlock ? [POLICY] : undefined;
  }

  get pool(): Partial<NodePoolObject> {
    return this.interlock ? { consolidateAfterMs: undefined, budgets: [{ nodes: '100%' }] } : {};
  }

  get sketch(): ControllerSketch {
    return { interlock: this.interlock, settings: { steer: this.steers } };
  }

  /** What happens whether anybody looks or not. */
  timePasses(port: FakeCluster): void {
    if (!this.strips || Math.abs(port.nowMs - this.strippedMs) < STRIP_EVERY_MS) return;
    this.strippedMs = port.nowMs;
    for (const { name, nodeName, terminating, ...claim } of port.objects.nodeClaims) {
      if (!terminating && !isTaken({ name, nodeName, terminating, ...claim })) port.giveBack(name);
    }
  }

  /** Returns NodeClaims that pods can no longer count on. */
  happen(port: FakeCluster): readonly string[] {
    const { nodePools, nodeClaims } = port.objects;
    const claim = nodeClaims.filter((c) => c.nodeName !== '').at(this.below(nodeClaims.length));
    const pool = nodePools.at(this.below(nodePools.length));
    switch (this.below(9)) {
      case 0:
        if (!this.wipes) return [];
        port.wipeJournal();
        // Nobody knows any more what pods on their way count on.
        return nodeClaims.filter((c) => c.terminating).map((c) => c.name);
      case 1:
        if (pool !== undefined) port.changePool(pool.name, { terminating: true });
        return [];
      case 2:
        if (this.dice() < 0.3) port.objects = { ...port.objects, nodePools: nodePools.filter((p) => p !== pool) };
        return [];
      case 3:
        port.jump((this.dice() < 0.5 ? -1 : 1) * this.below(60) * MINUTE_MS);
        return [];
      case 4:
        if (claim !== undefined)
          port.changeNode(claim.nodeName, ({ ready }) => ({ ready: ready === 'True' ? 'Unknown' : 'True' }));
        return claim === undefined ? [] : [claim.name];
      case 5:
        if (claim !== undefined)
          port.changeNode(claim.nodeName, ({ doNotDisrupt }) => ({
            doNotDisrupt: doNotDisrupt === undefined ? 'true' : undefined,
          }));
        return [];
      case 6:
        if (pool !== undefined && this.interlock)
          port.changePool(pool.name, {
            consolidateAfterMs: pool.consolidateAfterMs === undefined ? 30_000 : undefined,
          });
        return [];
      default:
        port.objects = { ...port.objects, undecodable: this.undecodable(port) };
        return claim === undefined ? [] : [claim.name];
    }
  }

  private undecodable({ objects: { nodes, undecodable } }: FakeCluster): readonly UndecodableObject[] {
    if (undecodable.length > 0 && this.dice() < 0.5) return [];
    const nodeName = nodes.at(this.below(nodes.length))?.name ?? '';
    const bad = { namespace: '', name: 'bad', nodeName: '', problem: 'spec.x: 7: allowed: a string' };
    switch (this.below(4)) {
      case 0:
        return [{ ...bad, kind: 'Pod', namespace: 'default', nodeName }];
      case 1:
        return [{ ...bad, kind: 'ConsolidationCommand', nodeNames: [nodeName] }];
      case 2:
        return [{ ...bad, kind: 'CapacityBuffer', namespace: 'default' }];
      default:
        return [{ ...bad, kind: 'DaemonSet', namespace: 'default' }];
    }
  }

  private below(n: number): number {
    return Math.floor(this.dice() * n);
  }
}
