import { KARPENTER_NAMESPACES } from '../engine/running-karpenter.ts';

const labelSelector = 'app.kubernetes.io/name=karpenter';

/** What belongs to Karpenter by the label of its chart: first where ordinary users cannot put anything, then anywhere. */
export const KARPENTER_QUERIES: readonly Readonly<Record<string, string>>[] = [
  ...KARPENTER_NAMESPACES.map((name) => ({ labelSelector, fieldSelector: `metadata.namespace=${name}` })),
  { labelSelector },
];
