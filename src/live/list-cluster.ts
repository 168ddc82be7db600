import { setTimeout as sleep } from 'node:timers/promises';
import { InputError } from '../config/input-error.ts';
import type { PolicyObject } from '../config/policy-object.ts';
import { objectName } from '../engine/cluster/undecodable.ts';
import { type ApiClient, ApiError } from './api-client.ts';
import { Backoff, USUAL_PACE } from './backoff.ts';
import { type CachedObjects, ClusterCache } from './cluster-cache.ts';
import type { Reflector } from './reflector.ts';
import { AUTOSCALER_RESOURCE, apiVersionOf, POLICY_RESOURCE, RESOURCES } from './resource.ts';

export interface ListedCluster {
  readonly objects: CachedObjects;
  readonly policies: readonly PolicyObject[];
  readonly warnings: readonly string[];
}

const MOST_TRIES = 5;

/** The consequence of not seeing an optional kind. */
const WITHOUT: Readonly<Record<string, string>> = {
  [POLICY_RESOURCE.kind]: 'pools use their own disruption blocks',
  [RESOURCES.Service.kind]: 'default spread constraints use the controllers of pods only',
  [RESOURCES.PodTemplate.kind]: 'CapacityBuffers that refer to one are ignored',
  [RESOURCES.NodeOverlay.kind]: 'prices and resources are those of the catalog',
  [RESOURCES.CapacityBuffer.kind]: 'they are ignored',
  [AUTOSCALER_RESOURCE.kind]: 'no Deployment gets an extra replica for a rollout',
};

/** The current cluster: one list of each kind, decoded like the watched ones. Throws ApiError. */
export async function listCluster(client: ApiClient): Promise<ListedCluster> {
  const cache = new ClusterCache({ client, onNews: () => {}, autoscalers: true });
  const warnings: string[] = [];
  const ending = new AbortController();
  const [nodePools, ...others] = cache.reflectors.filter((r) => r !== (cache.journal as Reflector<unknown>));
  try {
    // Without Karpenter, that is the only message.
    await list(nodePools, ending.signal, warnings);
    await Promise.all(others.map((reflector) => list(reflector, ending.signal, warnings)));
  } catch (error) {
    ending.abort();
    throw error;
  }
  const objects = cache.objects();
  for (const object of objects.undecodable) warnings.push(`${objectName(object)} is set aside: ${object.problem}`);
  return { objects, policies: cache.policies, warnings };
}

async function list(reflector: Reflector<unknown>, signal: AbortSignal, warnings: string[]): Promise<void> {
  const { resource, optional } = reflector.watched;
  const backoff = new Backoff(USUAL_PACE);
  for (;;) {
    try {
      return await reflector.list(signal);
    } catch (error) {
      if (!(error instanceof ApiError)) throw signal.aborted ? error : unreadable(error);
      const { status, retryAfterMs } = error;
      if (optional && status === 404) return;
      if (optional && status === 403) {
        warnings.push(`Decant may not list ${resource.plural}: ${WITHOUT[resource.kind]}`);
        return;
      }
      if (resource === RESOURCES.NodePool && status === 404) throw withoutKarpenter();
      const isPassing = status === 410 || status === 429 || status >= 500;
      if (!isPassing || backoff.failures === MOST_TRIES - 1) throw error;
      await sleep(backoff.nextMs(retryAfterMs), undefined, { signal });
    }
  }
}

function withoutKarpenter(): ApiError {
  const { plural } = RESOURCES.NodePool;
  const what = `the cluster has no ${plural} of ${apiVersionOf(RESOURCES.NodePool)}`;
  return new ApiError(`${what}: Decant needs Karpenter 1.0 or later`, { status: 404, reason: 'NotFound' });
}

function unreadable(error: unknown): InputError {
  return new InputError(`the cluster: ${error instanceof Error ? error.message : String(error)}`);
}
