import type { Labels } from './objects.ts';

/** Names that Karpenter and Kubernetes give meaning to. */
export const HOSTNAME = 'kubernetes.io/hostname';
export const ZONE = 'topology.kubernetes.io/zone';
export const REGION = 'topology.kubernetes.io/region';
export const INSTANCE_TYPE = 'node.kubernetes.io/instance-type';
export const ARCH = 'kubernetes.io/arch';
export const OS = 'kubernetes.io/os';
const WINDOWS_BUILD = 'node.kubernetes.io/windows-build';
export const NODE_POOL = 'karpenter.sh/nodepool';
export const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
export const INITIALIZED = 'karpenter.sh/initialized';
export const REGISTERED = 'karpenter.sh/registered';
export const RESERVATION_ID = 'karpenter.k8s.aws/capacity-reservation-id';
export const REBOOTING_TAINT = { key: 'karpenter.sh/rebooting', value: '', effect: 'NoSchedule' } as const;
/** Key of the taint of nodes with spec.unschedulable. */
export const CORDONED = 'node.kubernetes.io/unschedulable';
/** On nodes that the plan removes: kube-scheduler prefers others. */
export const LEAVING_TAINT = { key: 'decant.sh/leaving', value: '', effect: 'PreferNoSchedule' } as const;
export const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost';
/** Marks a deletion cost as written by steering; has the same value. */
export const STEERED_COST = 'decant.sh/steered-cost';
export const DISRUPTED_TAINT = { key: 'karpenter.sh/disrupted', value: '', effect: 'NoSchedule' } as const;

/** Annotation of pods and Deployments: `rollout` moves a pod by a rollout of its Deployment, `evict` by eviction. */
export const MOVE = 'decant.sh/move';
/** Annotation of a Deployment's pod template: the command that restarted it. */
export const RESTARTED_BY = 'decant.sh/restarted-by';
/** Annotation of a Deployment with a temporary extra replica: the command that added it. */
export const EXTRA_REPLICA = 'decant.sh/extra-replica';

/** Annotations of pods that forbid their eviction. */
export const DO_NOT_DISRUPT = 'karpenter.sh/do-not-disrupt';
export const DO_NOT_EVICT = 'karpenter.sh/do-not-evict';
export const DISRUPTION_COST = 'karpenter.sh/disruption-cost';
export const SAFE_TO_EVICT = 'cluster-autoscaler.kubernetes.io/safe-to-evict';

export const WINDOWS = 'windows';
export const SPOT = 'spot';
export const ON_DEMAND = 'on-demand';
export const RESERVED = 'reserved';

/**
 * Keys for which a new node may take any value: a pod may require them although no NodePool mentions them. The catalog
 * adds the keys of its own labels.
 */
export const WELL_KNOWN_LABELS: readonly string[] = [
  NODE_POOL,
  ZONE,
  REGION,
  INSTANCE_TYPE,
  ARCH,
  OS,
  CAPACITY_TYPE,
  WINDOWS_BUILD,
];

/** Older spellings, read as the newer ones wherever requirements are made. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', ZONE],
  ['failure-domain.beta.kubernetes.io/region', REGION],
  ['beta.kubernetes.io/arch', ARCH],
  ['beta.kubernetes.io/os', OS],
  ['beta.kubernetes.io/instance-type', INSTANCE_TYPE],
]);

export function canonicalLabel(key: string): string {
  return ALIASES.get(key) ?? key;
}

/**
 * The labels under their newer names. A label that has both names with different values counts as absent: no
 * requirement on it can be met.
 */
export function canonicalLabels(labels: Labels): Labels {
  let out: Record<string, string> | undefined;
  for (const key in labels) {
    const name = ALIASES.get(key);
    if (name === undefined) continue;
    out ??= { ...labels };
    const given = labels[name];
    if (given !== undefined && given !== labels[key]) delete out[name];
    else out[name] = labels[key];
  }
  return out ?? labels;
}

/** With the newer names of labels that have only the older one, as nodes before Kubernetes 1.17. */
export function withNewerLabels(labels: Labels): Labels {
  let out: Record<string, string> | undefined;
  for (const [old, name] of ALIASES) {
    if (labels[old] === undefined || labels[name] !== undefined) continue;
    out ??= { ...labels };
    out[name] = labels[old];
  }
  return out ?? labels;
}

/** Label domains that pods may not select on, except for well-known labels. */
const RESTRICTED_DOMAINS = ['karpenter.sh', 'karpenter.kwok.sh', 'karpenter.k8s.aws'];

export function isRestrictedLabel(key: string, wellKnown: ReadonlySet<string>): boolean {
  if (wellKnown.has(key)) return false;
  const slash = key.indexOf('/');
  const domain = slash < 0 ? '' : key.slice(0, slash);
  return key === HOSTNAME || RESTRICTED_DOMAINS.some((d) => domain === d || domain.endsWith(`.${d}`));
}
