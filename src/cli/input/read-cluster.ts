import type { NodeClassObject } from '../../catalog/cluster-location.ts';
import type { PolicyObject } from '../../config/policy-object.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { optionsOf } from '../../kube/decode/karpenter-options.ts';
import { type ApiClient, ApiError, connect, serverTimeMs } from '../../live/api-client.ts';
import { schemaBeside } from '../../live/karpenter-schema.ts';
import { listCluster } from '../../live/list-cluster.ts';
import { listNodeClasses } from '../../live/node-classes.ts';
import type { ConnectionOptions } from '../flags/connection.ts';
import { UsageError } from '../flags/usage-error.ts';

export interface LiveObjects {
  readonly objects: Omit<ClusterObjects, 'instanceTypes'>;
  readonly policies: readonly PolicyObject[];
  readonly nodeClasses: readonly NodeClassObject[];
  readonly client: ApiClient;
  readonly warnings: readonly string[];
}

/** The current cluster of the kubeconfig, at its API server's time by default. */
export async function readCluster(connection: ConnectionOptions, nowMs?: number): Promise<LiveObjects> {
  const client = await connected(connection);
  const [{ objects: listed, policies, warnings }, nodeClasses] = await Promise.all([
    listCluster(client),
    listNodeClasses(client),
  ]);
  const objects = {
    ...listed,
    nowMs: nowMs ?? serverTimeMs(client),
    options: optionsOf(listed.workloads),
    karpenterSchema: await schemaBeside(client, listed.workloads),
  };
  return { objects, policies, nodeClasses, client, warnings };
}

/** Throws UsageError if nothing says which cluster. */
export async function connected(connection: ConnectionOptions): Promise<ApiClient> {
  try {
    return await connect(connection);
  } catch (error) {
    if (!(error instanceof ApiError) || connection.kubeconfig !== undefined) throw error;
    throw new UsageError(`no input: give files, folders or - with -f, or a kubeconfig: ${error.message}`);
  }
}
