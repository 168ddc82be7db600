import type { ClusterObjects, PodObject, WorkloadObject } from '../cluster/objects.ts';
import { isDisruptable, isEvictable } from '../cluster/pods.ts';
import { canonicalLabel, HOSTNAME } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { compileSelector } from '../selection/label-selector.ts';
import type { PoolPolicy } from './pool-policy.ts';

/**
 * A pod that is rolled, not evicted: its Deployment starts another pod elsewhere and stops this one when that is ready.
 * `restart` changes the pod template, `extra-replica` runs one more pod for a while.
 */
export interface Rollout {
  readonly deployment: WorkloadObject;
  readonly by: 'restart' | 'extra-replica';
}

/** Why a pod cannot be rolled. */
export type RolloutObstacle =
  /** --rollouts is off. */
  | { readonly why: 'off' }
  | { readonly why: 'no-deployment'; readonly owner: string }
  /** Its Deployment, or the ReplicaSet between them, is not known or cannot be decoded. */
  | { readonly why: 'unknown-deployment' }
  | { readonly why: 'replicas'; readonly replicas: number }
  | { readonly why: 'recreate' }
  | { readonly why: 'paused' }
  /** A rollout is under way, or its pod is not available. */
  | { readonly why: 'unsettled' }
  /** Its pods would stop before others are ready, and the number of replicas is not ours to change. */
  | { readonly why: 'no-surge'; readonly managedBy: string }
  /** It would need an extra replica, and a deletion cost says which pod goes. */
  | { readonly why: 'deletion-cost' }
  /** Two pods on different nodes cannot use the claim at once. */
  | { readonly why: 'volume'; readonly claim: string }
  /** Both pods at once would violate its own constraint by this label. */
  | { readonly why: 'topology'; readonly key: string }
  /** It tolerates the taint that keeps new pods off the node. */
  | { readonly why: 'tolerates' };

type Facts = Pick<
  ClusterObjects,
  'nowMs' | 'workloads' | 'autoscalers' | 'persistentVolumeClaims' | 'persistentVolumes' | 'undecodable'
>;

/** How the pod could be rolled, whether or not an annotation asks for it. */
export function rolloutOf(objects: Facts, pod: PodObject): Rollout | RolloutObstacle {
  const controller = pod.owners.find((o) => o.controller);
  if (controller?.kind !== 'ReplicaSet')
    return { why: 'no-deployment', owner: controller === undefined ? 'no controller' : `a ${controller.kind}` };
  const deployment = deploymentOf(objects, pod);
  const { rollout, replicas } = deployment ?? {};
  if (deployment === undefined || rollout === undefined) return { why: 'unknown-deployment' };
  if (replicas !== 1) return { why: 'replicas', replicas: replicas ?? 0 };
  if (rollout.rolling === undefined) return { why: 'recreate' };
  if (rollout.paused) return { why: 'paused' };
  if (!rollout.isSettled) return { why: 'unsettled' };
  const { maxSurge, maxUnavailable } = rollout.rolling;
  const by = maxSurge > 0 && maxUnavailable === 0 ? 'restart' : 'extra-replica';
  return extraObstacle(objects, pod, deployment, by) ?? obstacleOf(objects, pod, by) ?? { deployment, by };
}

export function isRollout(found: Rollout | RolloutObstacle | undefined): found is Rollout {
  return found !== undefined && 'by' in found;
}

/** The pod may be moved although a budget never allows its eviction. */
export function mayRoll(objects: Facts, pod: PodObject): boolean {
  return isDisruptable(pod, objects.nowMs) && isRollout(rolloutOf(objects, pod));
}

/**
 * How the pod is rolled, or why not; undefined if no annotation asks for it. The annotation of the pod or its Deployment takes
 * precedence over its pool. `asked`: by annotation, so that the pod may not be evicted instead.
 */
export function offeredRollout(
  { objects, settings }: Pick<CompiledCluster, 'objects' | 'settings'>,
  pod: PodObject,
  policy: PoolPolicy | undefined,
): { readonly asked: boolean; readonly found: Rollout | RolloutObstacle } | undefined {
  if (settings.compat) return undefined;
  if (!settings.rollouts && pod.move === undefined && policy?.rollsSingletons !== true) return undefined;
  const move = pod.move ?? deploymentOf(objects, pod)?.rollout?.move;
  const asked = move === 'rollout';
  if (!asked && (move !== undefined || policy?.rollsSingletons !== true)) return undefined;
  return { asked, found: settings.rollouts ? rolloutOf(objects, pod) : { why: 'off' } };
}

/** Pods of the row that are rolled if its node is removed. */
export function rolloutsOn(
  cluster: CompiledCluster,
  row: number,
  policy: PoolPolicy | undefined,
): readonly (Rollout & { readonly pod: number })[] {
  if (!cluster.settings.rollouts) return [];
  return cluster.movableOfRow[row].flatMap((pod) => {
    const found = offeredRollout(cluster, cluster.pods[pod], policy)?.found;
    return isRollout(found) ? [{ ...found, pod }] : [];
  });
}

export function deploymentOf(
  { workloads }: Pick<Facts, 'workloads'>,
  { owners }: PodObject,
): WorkloadObject | undefined {
  const controller = owners.find((o) => o.controller);
  return controller === undefined ? undefined : deploymentsIn(workloads).get(controller.uid);
}

const deployments = new WeakMap<readonly WorkloadObject[], ReadonlyMap<string, WorkloadObject>>();

/** By the uid of their ReplicaSets. */
function deploymentsIn(workloads: readonly WorkloadObject[]): ReadonlyMap<string, WorkloadObject> {
  let found = deployments.get(workloads);
  if (found === undefined) {
    const byUid = new Map(workloads.flatMap((w) => (w.kind === 'Deployment' ? [[w.uid, w] as const] : [])));
    found = new Map(
      workloads.flatMap(({ kind, uid, owners }) => {
        const above = kind === 'ReplicaSet' ? byUid.get(owners.find((o) => o.controller)?.uid ?? '') : undefined;
        return above === undefined ? [] : [[uid, above] as const];
      }),
    );
    deployments.set(workloads, found);
  }
  return found;
}

/** Autoscalers and tools that apply manifests would take an extra replica back, or keep it. */
function extraObstacle(
  { autoscalers, undecodable }: Facts,
  pod: PodObject,
  { namespace, name, rollout }: WorkloadObject,
  by: Rollout['by'],
): RolloutObstacle | undefined {
  if (by === 'restart') return undefined;
  const managedBy = (text: string): RolloutObstacle => ({ why: 'no-surge', managedBy: text });
  if (autoscalers === undefined) return managedBy('an unknown HorizontalPodAutoscaler');
  const scaler = autoscalers.find(
    (a) => a.namespace === namespace && a.targetKind === 'Deployment' && a.targetName === name,
  );
  if (scaler !== undefined) return managedBy(`HorizontalPodAutoscaler ${namespace}/${scaler.name}`);
  const bad = undecodable.find((o) => o.kind === 'HorizontalPodAutoscaler' && o.namespace === namespace);
  if (bad !== undefined) return managedBy(`HorizontalPodAutoscaler ${namespace}/${bad.name}`);
  if (rollout?.managedBy !== undefined) return managedBy(rollout.managedBy);
  return pod.deletionCost === undefined ? undefined : { why: 'deletion-cost' };
}

/** What both pods at once would run into. */
function obstacleOf(objects: Facts, pod: PodObject, by: Rollout['by']): RolloutObstacle | undefined {
  if (!isEvictable({ ...pod, doNotDisrupt: undefined }, objects.nowMs)) return { why: 'tolerates' };
  for (const name of pod.volumeClaims) {
    const claim = objects.persistentVolumeClaims.find((c) => c.namespace === pod.namespace && c.name === name);
    const volume = objects.persistentVolumes.find((v) => v.name === claim?.volumeName);
    if (!isShared(claim?.accessModes) || volume?.nodeLocal === true) return { why: 'volume', claim: name };
  }
  // By hostname both are fine: the new pod is on another node.
  const counts = ({ topologyKey, labelSelector }: SelfConstraint) =>
    canonicalLabel(topologyKey) !== HOSTNAME && compileSelector(labelSelector).matches(pod.labels);
  const { requiredAntiAffinity, topologySpread } = pod.constraints;
  const spread = topologySpread.filter(
    ({ whenUnsatisfiable, matchLabelKeys = [] }) =>
      whenUnsatisfiable === 'DoNotSchedule' && !(by === 'restart' && matchLabelKeys.includes(TEMPLATE_HASH)),
  );
  const own = [...requiredAntiAffinity, ...spread].find(counts);
  return own === undefined ? undefined : { why: 'topology', key: own.topologyKey };
}

type SelfConstraint = Pick<PodObject['constraints']['topologySpread'][number], 'topologyKey' | 'labelSelector'>;

const TEMPLATE_HASH = 'pod-template-hash';

function isShared(accessModes: readonly string[] = []): boolean {
  return accessModes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany');
}
