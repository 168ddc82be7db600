import { condition, type KubeObject, metadata } from './kube-object.ts';
import { claimSpec } from './node-pools.ts';
import type { GeneratedNode } from './nodes.ts';
import { NOW_MS } from './parameters.ts';
import { timeText } from './quantity-text.ts';
import type { Random } from './random.ts';

/** The NodeClaim and the Node. */
export function nodeObjects(node: GeneratedNode, shareProtected: number, random: Random): KubeObject[] {
  const { type, pool, createdMs } = node;
  const { name: typeName, architecture, resources } = type.entry;
  const labels: Record<string, string> = {
    'karpenter.sh/nodepool': pool.name,
    'karpenter.sh/capacity-type': node.capacityType,
    'node.kubernetes.io/instance-type': typeName,
    'kubernetes.io/arch': architecture,
    'kubernetes.io/os': 'linux',
    'topology.kubernetes.io/zone': node.zone,
    'topology.kubernetes.io/region': 'us-east-1',
    ...type.labels,
    ...pool.labels,
  };
  const providerID = `kwok://${node.name}`;
  // Long enough ago for every node to be past its pool's consolidateAfter.
  const lastEventMs = NOW_MS - 120_000 - random.below(3600) * 1000;
  const since = createdMs + 60_000;
  const claim: KubeObject = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { ...metadata(random, '', `${pool.name}-${node.number}`, createdMs), labels },
    spec: claimSpec(pool, typeName),
    status: {
      nodeName: node.name,
      providerID,
      capacity: resources,
      allocatable: type.allocatable,
      lastPodEventTime: timeText(lastEventMs),
      conditions: [
        ...['Launched', 'Registered', 'Initialized', 'Ready'].map((t) => condition(t, since)),
        condition('Consolidatable', lastEventMs + 30_000),
      ],
    },
  };
  return [claim, nodeObject(node, labels, random.chance(shareProtected), random)];
}

function nodeObject(
  node: GeneratedNode,
  ofClaim: Readonly<Record<string, string>>,
  isProtected: boolean,
  random: Random,
): KubeObject {
  const { type, pool, createdMs } = node;
  const labels: Record<string, string> = {
    ...ofClaim,
    'kubernetes.io/hostname': node.name,
    'karpenter.sh/registered': 'true',
    'karpenter.sh/initialized': 'true',
  };
  if (node.legacy) labels.legacy = 'true';
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      ...metadata(random, '', node.name, createdMs + 30_000),
      labels,
      annotations: isProtected ? { 'karpenter.sh/do-not-disrupt': 'true' } : undefined,
    },
    spec: { providerID: `kwok://${node.name}`, taints: pool.taints },
    status: {
      capacity: type.entry.resources,
      allocatable: type.allocatable,
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
    },
  };
}
