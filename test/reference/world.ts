import type {
  ClusterObjects,
  Labels,
  NodeClaimObject,
  NodeObject,
  PodObject,
  Resources,
  Taint,
} from '../../src/engine/cluster/objects.ts';
import { HOSTNAME, INITIALIZED, NODE_POOL, REGISTERED } from '../../src/engine/cluster/well-known.ts';

/** A machine that is there, or is coming up: what Kubernetes (or Karpenter, until then) says of it. */
export interface Host {
  readonly name: string;
  readonly labels: Labels;
  readonly taints: readonly Taint[];
  /** With those that it will shed when it is up. */
  readonly taintsNow: readonly Taint[];
  readonly capacity: Resources;
  readonly allocatable: Resources;
  /** Kubernetes has a Node object for it. */
  readonly isNode: boolean;
  readonly deleting: boolean;
  readonly pool: string | undefined;
  /** Pods bound to it that have not ended. */
  readonly pods: readonly PodObject[];
}

export function hostsOf(objects: ClusterObjects): Host[] {
  const claims = new Map(objects.nodeClaims.map((c) => [c.providerId, c]));
  const hosts: Host[] = [];
  for (const node of objects.nodes) {
    const claim = claims.get(node.providerId);
    claims.delete(node.providerId);
    hosts.push(host(objects, node, claim));
  }
  for (const claim of claims.values()) hosts.push(host(objects, undefined, claim));
  return hosts;
}

function host(objects: ClusterObjects, node: NodeObject | undefined, claim: NodeClaimObject | undefined): Host {
  const speaker = node !== undefined && (claim === undefined || node.labels[REGISTERED] === 'true') ? node : claim;
  if (speaker === undefined) throw new Error('neither Node nor NodeClaim');
  const startingUp = claim !== undefined && node?.labels[INITIALIZED] !== 'true';
  const amounts = (field: 'capacity' | 'allocatable') =>
    startingUp ? { ...claim[field], ...nonZero(node?.[field]) } : (node?.[field] ?? {});
  return {
    name: speaker.name,
    labels: { ...speaker.labels, [HOSTNAME]: speaker.labels[HOSTNAME] ?? speaker.name },
    taints: startingUp
      ? speaker.taints.filter((t) => !claim.startupTaints.some((s) => s.key === t.key && s.effect === t.effect))
      : speaker.taints,
    taintsNow: speaker.taints,
    capacity: amounts('capacity'),
    allocatable: amounts('allocatable'),
    isNode: node !== undefined,
    deleting: claim === undefined ? node?.terminating === true : claim.terminating,
    // Karpenter counts a node once it has a provider ID.
    pool: speaker.providerId === '' ? undefined : speaker.labels[NODE_POOL],
    pods: node === undefined ? [] : objects.pods.filter((p) => p.nodeName === node.name && !hasEnded(p)),
  };
}

function nonZero(resources: Resources = {}): Resources {
  return Object.fromEntries(Object.entries(resources).filter(([, amount]) => amount !== 0));
}

export function hasEnded(pod: PodObject): boolean {
  return pod.phase === 'Succeeded' || pod.phase === 'Failed';
}

export function isOf(pod: PodObject, kind: string): boolean {
  return pod.owners.some((o) => o.kind === kind);
}
