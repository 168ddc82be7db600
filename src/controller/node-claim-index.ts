import type { ClusterObjects, NodeClaimObject, NodeObject } from '../engine/cluster/objects.ts';
import { isWorkloadPod } from '../engine/cluster/pods.ts';
import { conditionIsTrue } from '../engine/cluster/state-nodes.ts';
import { INITIALIZED } from '../engine/cluster/well-known.ts';
import type { Command, CommandNode, CommandReplacement } from './command.ts';
import { isTainted, isTaken } from './leaving.ts';

/** Finds NodeClaims of commands in the cluster. */
export class NodeClaimIndex {
  readonly objects: ClusterObjects;
  private readonly claims = new Map<string, NodeClaimObject>();
  private readonly nodes = new Map<string, NodeObject>();

  constructor(objects: ClusterObjects) {
    this.objects = objects;
    for (const claim of objects.nodeClaims) this.claims.set(claim.name, claim);
    for (const node of objects.nodes) this.nodes.set(node.providerId, node);
  }

  claim(name: string): NodeClaimObject | undefined {
    return this.claims.get(name);
  }

  /** The node of a claim, by provider ID: names may be reused. */
  nodeOf(claim: NodeClaimObject | undefined): NodeObject | undefined {
    return claim === undefined || claim.providerId === '' ? undefined : this.nodes.get(claim.providerId);
  }

  /** Exists and is not being deleted. */
  isStaying({ nodeClaim }: CommandNode | CommandReplacement): boolean {
    return this.claims.get(nodeClaim)?.terminating === false;
  }

  /** Whether its node carries the taint; undefined if there is no node. */
  isTainted({ nodeClaim }: CommandNode): boolean | undefined {
    const node = this.nodeOf(this.claims.get(nodeClaim));
    return node && isTainted(node);
  }

  /** Karpenter is disrupting it: the taint belongs to Karpenter. */
  isTaken({ nodeClaim }: CommandNode): boolean {
    const claim = this.claims.get(nodeClaim);
    return claim !== undefined && isTaken(claim);
  }

  /** Running and initialized; simulations use it then. */
  isUp({ nodeClaim }: CommandReplacement): boolean {
    const claim = this.claims.get(nodeClaim);
    if (claim === undefined || claim.terminating) return false;
    return conditionIsTrue(claim, 'Initialized') && this.nodeOf(claim)?.labels[INITIALIZED] === 'true';
  }

  /** It has workload pods, so that it cannot be deleted without disruption. */
  hostsPods({ nodeClaim }: CommandReplacement): boolean {
    const node = this.nodeOf(this.claims.get(nodeClaim));
    return node !== undefined && this.objects.pods.some((p) => p.nodeName === node.name && isWorkloadPod(p));
  }

  /** Nodes whose taint is ours to remove. */
  ours(nodes: readonly CommandNode[]): readonly CommandNode[] {
    return nodes.filter((n) => !this.isTaken(n));
  }

  /** Nodes of the command that are not being deleted yet. */
  staying({ nodes }: Command): readonly CommandNode[] {
    return nodes.filter((n) => this.isStaying(n));
  }
}
