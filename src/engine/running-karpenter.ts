import type { KarpenterSchema } from './cluster/karpenter-options.ts';
import type { WorkloadObject } from './cluster/objects.ts';
import { type KarpenterVersion, NEWEST_KARPENTER } from './karpenter-release.ts';

/** The cluster's Karpenter, from its Deployment or, if that cannot be read, from its CRDs. */
export interface RunningKarpenter {
  /** undefined if its Deployment does not tell; what its CRDs tell is no exact version. */
  readonly version?: string;
  /** `namespace/name`; undefined if only its CRDs are known. */
  readonly deployment?: string;
  /** The closest known release. */
  readonly closest: KarpenterVersion;
  /** That release is another one, with unknown differences. */
  readonly isUnknown: boolean;
}

const BY_SCHEMA: Readonly<Record<KarpenterSchema, RunningKarpenter>> = {
  '1.15': { version: '1.15 or later', closest: NEWEST_KARPENTER, isUnknown: true },
  '1.14': { version: '1.14', closest: '1.14.1', isUnknown: true },
  older: { version: 'before 1.14', closest: '1.14.1', isUnknown: true },
};

/** Namespaces of Karpenter's installation guides, which ordinary users cannot write to; the others may hold imitations. */
export const KARPENTER_NAMESPACES = ['kube-system', 'karpenter'];

/** Karpenter's Deployment; of several, the one in a namespace of the guides, or else the first. */
export function karpenterDeployment(workloads: readonly WorkloadObject[]): WorkloadObject | undefined {
  const found = workloads.filter((w) => w.karpenter !== undefined);
  const usual = KARPENTER_NAMESPACES.map((name) => found.find(({ namespace }) => namespace === name));
  return usual.find((each) => each !== undefined) ?? found[0];
}

export function runningKarpenter(
  workloads: readonly WorkloadObject[],
  schema?: KarpenterSchema,
): RunningKarpenter | undefined {
  const found = karpenterDeployment(workloads);
  if (found === undefined) return schema && BY_SCHEMA[schema];
  const deployment = `${found.namespace}/${found.name}`;
  const version = found.karpenter?.version;
  const parts = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version ?? '');
  if (parts === null)
    return { ...(version === undefined ? {} : { version }), deployment, closest: NEWEST_KARPENTER, isUnknown: true };
  const [major, minor, patch] = parts.slice(1).map(Number);
  const isOlder = major < 1 || (major === 1 && minor < 14);
  const is114 = major === 1 && minor === 14;
  return {
    version,
    deployment,
    closest: isOlder ? '1.14.1' : is114 ? (patch >= 3 ? '1.14.3' : '1.14.1') : NEWEST_KARPENTER,
    isUnknown: isOlder || major > 1 || minor > 15,
  };
}
