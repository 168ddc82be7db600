import { type Labels, labelOf } from './objects.ts';
import { CAPACITY_TYPE, NODE_POOL, ON_DEMAND, SPOT } from './well-known.ts';

/** Labels that name the group of a node that Karpenter does not manage: EKS, eksctl, AKS, GKE. */
const GROUP_LABELS = [
  'eks.amazonaws.com/nodegroup',
  'alpha.eksctl.io/nodegroup-name',
  'kubernetes.azure.com/agentpool',
  'agentpool',
  'cloud.google.com/gke-nodepool',
];

/** Labels by which clouds mark spot nodes. */
const SPOT_LABELS: readonly (readonly [key: string, value: string])[] = [
  ['eks.amazonaws.com/capacityType', 'SPOT'],
  ['kubernetes.azure.com/scalesetpriority', 'spot'],
  ['cloud.google.com/gke-spot', 'true'],
  ['cloud.google.com/gke-preemptible', 'true'],
  ['cloud.google.com/gke-provisioning', 'spot'],
  ['cloud.google.com/gke-provisioning', 'preemptible'],
];

/** Karpenter's label, else the cloud's own; on demand without either. */
export function capacityTypeOf(labels: Labels): string {
  const own = labels[CAPACITY_TYPE];
  if (own !== undefined || labels[NODE_POOL] !== undefined) return own ?? '';
  return SPOT_LABELS.some(([key, value]) => labelOf(labels, key) === value) ? SPOT : ON_DEMAND;
}

/** The NodePool of a node, or its cloud's node group; '' if it has neither. */
export function nodeGroupOf(labels: Labels): string {
  return labels[NODE_POOL] ?? GROUP_LABELS.map((key) => labelOf(labels, key)).find((name) => name !== undefined) ?? '';
}
