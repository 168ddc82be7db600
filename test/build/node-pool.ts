import type { NodePoolObject } from '../../src/engine/cluster/objects.ts';

export function nodePool(name: string, sketch: Partial<NodePoolObject> = {}): NodePoolObject {
  return {
    uid: `uid-pool-${name}`,
    labels: {},
    terminating: false,
    ready: true,
    weight: 0,
    limits: {},
    templateLabels: {},
    requirements: [],
    taints: [],
    startupTaints: [],
    nodeClass: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
    consolidationPolicy: 'WhenEmptyOrUnderutilized',
    consolidateAfterMs: 0,
    budgets: [{ nodes: '100%' }],
    disruption: undefined,
    ...sketch,
    name,
  };
}
