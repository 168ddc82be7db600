import type { WorkloadObject } from './cluster/objects.ts';
import { type KarpenterVersion, NEWEST_KARPENTER } from './karpenter-release.ts';

/** The cluster's Karpenter, from its Deployment. */
export interface RunningKarpenter {
  /** undefined if its Deployment does not tell. */
  readonly version?: string;
  /** `namespace/name`. */
  readonly deployment: string;
  /** The closest known release. */
  readonly closest: KarpenterVersion;
  /** That release is another one, with unknown differences. */
  readonly isUnknown: boolean;
}

export function runningKarpenter(workloads: readonly WorkloadObject[]): RunningKarpenter | undefined {
  const found = workloads.find((w) => w.karpenter !== undefined);
  if (found === undefined) return undefined;
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
