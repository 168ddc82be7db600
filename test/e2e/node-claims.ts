import type { NodePool } from './kube-objects.ts';

/** As Karpenter itself writes them, apart from the name. */
export function nodeClaim(
  name: string,
  pool: NodePool,
  { instanceTypes }: { readonly instanceTypes: readonly string[] },
): object {
  const hash = Object.entries(pool.metadata.annotations ?? {}).filter(([key]) =>
    key.startsWith('karpenter.sh/nodepool-hash'),
  );
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name,
      labels: { 'karpenter.sh/nodepool': pool.metadata.name, 'karpenter.kwok.sh/kwoknodeclass': 'default' },
      annotations: Object.fromEntries(hash),
      ownerReferences: [
        {
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodePool',
          name: pool.metadata.name,
          uid: pool.metadata.uid,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
      requirements: [
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: instanceTypes },
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
        { key: 'karpenter.sh/nodepool', operator: 'In', values: [pool.metadata.name] },
      ],
      resources: { requests: { cpu: '1', memory: '512Mi', pods: '2' } },
      expireAfter: '720h',
    },
  };
}
