import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from './readiness.ts';

type Kubectl = (...args: readonly string[]) => Promise<string>;

/** What has to be there before Karpenter starts, and what it needs to launch nodes. */
export async function installKarpenter(kubectl: Kubectl, crdFile: string, folder: string): Promise<void> {
  await kubectl('apply', '--server-side', '--validate=false', '-f', crdFile);
  await establishedCrds(kubectl);
  const file = join(folder, 'karpenter-objects.json');
  await writeFile(
    file,
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [KARPENTER_RIGHTS, NODE_CLASS, nodePool()] }),
  );
  await kubectl('apply', '--server-side', '--validate=false', '-f', file);
}

/** Waits for these CRDs, or for all. */
export async function establishedCrds(kubectl: Kubectl, ...names: readonly string[]): Promise<void> {
  const which = names.length === 0 ? ['--all'] : names;
  await waitFor('the CRDs are established', () =>
    kubectl('wait', '--for=condition=Established', '--timeout=240s', 'crd', ...which).catch((error: Error) => {
      // kubectl fails at once on a CRD that has no conditions yet.
      if (error.message.includes('conditions accessor error')) return undefined;
      throw error;
    }),
  );
}

/** Its chart has narrower ones. What it may not do is not what is tested here. */
const KARPENTER_RIGHTS = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: 'karpenter' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
  subjects: [{ kind: 'ServiceAccount', name: 'karpenter', namespace: 'kube-system' }],
};

const NODE_CLASS = {
  apiVersion: 'karpenter.kwok.sh/v1alpha1',
  kind: 'KWOKNodeClass',
  metadata: { name: 'default' },
};

export interface NodePoolOptions {
  /** Unless given, Karpenter does not consolidate the nodes, as in a pool that Decant manages. */
  readonly consolidateAfter?: string;
  /** What may be launched; unless given, anything that the provider sells. */
  readonly instanceTypes?: readonly string[];
  readonly capacityTypes?: readonly string[];
  /** How many nodes may be disrupted at once, as a budget says it. */
  readonly budget?: string;
}

export function nodePool(options: NodePoolOptions = {}): object {
  const { consolidateAfter = 'Never', instanceTypes, capacityTypes = ['on-demand'], budget = '100%' } = options;
  const requirements = [
    { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
    { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: capacityTypes },
  ];
  if (instanceTypes)
    requirements.push({ key: 'node.kubernetes.io/instance-type', operator: 'In', values: [...instanceTypes] });
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: {
      disruption: { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter, budgets: [{ nodes: budget }] },
      template: {
        spec: { nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' }, requirements },
      },
    },
  };
}
