import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { NEWEST_KARPENTER } from '../../engine/karpenter-release.ts';
import { karpenterDeployment, runningKarpenter } from '../../engine/running-karpenter.ts';

/**
 * Notices about what is unknown of the cluster's Karpenter. `needed`: its version decides, and its Deployment should be
 * in the input.
 */
export function karpenterNotices(
  { workloads, karpenterSchema }: Pick<ClusterObjects, 'workloads' | 'karpenterSchema'>,
  needed: boolean,
): readonly string[] {
  const found = runningKarpenter(workloads, karpenterSchema);
  if (found === undefined)
    return needed ? [`Karpenter's Deployment is not visible: assuming the decisions of ${NEWEST_KARPENTER}`] : [];
  const { version = 'of unknown version', deployment, closest, isUnknown } = found;
  const notices = isUnknown ? [`Karpenter ${version} runs${by(deployment)}; assuming the decisions of ${closest}`] : [];
  const { unread = [] } = karpenterDeployment(workloads)?.karpenter ?? {};
  for (const setting of unread) notices.push(`Deployment ${deployment}: ${setting} cannot be read and is ignored`);
  return notices;
}

function by(deployment: string | undefined): string {
  return deployment === undefined ? ', by its CRDs (its Deployment is not visible)' : ` in Deployment ${deployment}`;
}
