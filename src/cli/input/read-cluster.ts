import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { DEFAULT_OPTIONS } from '../../kube/decode/karpenter-options.ts';
import { type ApiClient, ApiError, connect, serverTimeMs } from '../../live/api-client.ts';
import { listCluster } from '../../live/list-cluster.ts';
import { poolsUnderPolicies } from '../../live/pools-under-policies.ts';
import type { ConnectionOptions } from '../flags/connection.ts';
import { UsageError } from '../flags/usage-error.ts';

/** The cluster of the kubeconfig, as it is now; now is when its API server says it is, unless told otherwise. */
export async function readCluster(
  connection: ConnectionOptions,
  nowMs?: number,
): Promise<{ readonly objects: Omit<ClusterObjects, 'instanceTypes'>; readonly warnings: readonly string[] }> {
  const client = await connected(connection);
  const { objects: listed, policies, warnings } = await listCluster(client);
  const objects = { ...listed, nowMs: nowMs ?? serverTimeMs(client), options: DEFAULT_OPTIONS };
  const governed = poolsUnderPolicies({ ...objects, instanceTypes: [] }, policies);
  return { objects: { ...objects, nodePools: governed.pools }, warnings: [...warnings, ...governed.warnings] };
}

async function connected(connection: ConnectionOptions): Promise<ApiClient> {
  try {
    return await connect(connection);
  } catch (error) {
    if (!(error instanceof ApiError) || connection.kubeconfig !== undefined) throw error;
    throw new UsageError(`no input: give files, folders or - with -f, or a kubeconfig: ${error.message}`);
  }
}
