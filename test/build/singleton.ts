import type { PodObject, WorkloadObject } from '../../src/engine/cluster/objects.ts';
import type { DeploymentRollout } from '../../src/engine/cluster/scaling-objects.ts';
import { type PodSketch, pod } from './pod.ts';

export interface SingletonSketch extends PodSketch {
  readonly replicas?: number;
  readonly rollout?: Partial<DeploymentRollout>;
}

/** A pod `web-1` of a Deployment `web` with one replica, which rolls out with maxSurge 1, and its workloads. */
export function singleton(
  name: string,
  { replicas = 1, rollout, ...sketch }: SingletonSketch = {},
): { readonly pod: PodObject; readonly workloads: readonly WorkloadObject[] } {
  const own = pod(`${name}-1`, { labels: { app: name }, owner: `${name}-rs`, ...sketch });
  const { namespace } = own;
  const sizes = { replicas, readyReplicas: replicas };
  const uid = `uid-Deployment-${name}`;
  const deployment: WorkloadObject = {
    kind: 'Deployment',
    namespace,
    name,
    uid,
    owners: [],
    ...sizes,
    rollout: { rolling: { maxSurge: 1, maxUnavailable: 0 }, paused: false, isSettled: true, ...rollout },
  };
  const replicaSet: WorkloadObject = {
    kind: 'ReplicaSet',
    namespace,
    name: `${name}-rs`,
    uid: own.owners[0].uid,
    owners: [{ apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true }],
    ...sizes,
  };
  return { pod: own, workloads: [deployment, replicaSet] };
}
