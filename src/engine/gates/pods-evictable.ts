import type { PodDisruptionBudgetObject, PodObject } from '../cluster/objects.ts';
import { isDisruptable, namespacedName } from '../cluster/pods.ts';
import { DO_NOT_DISRUPT, DO_NOT_EVICT, SAFE_TO_EVICT } from '../cluster/well-known.ts';
import { isRollout, offeredRollout, type RolloutObstacle } from '../disruption/rollouts.ts';
import { rowFacts } from '../disruption/row-facts.ts';
import type { NodeRefusal } from '../refusal.ts';
import type { PodFacts } from '../scheduling/pod-facts.ts';
import type { Settings } from '../settings.ts';
import { localVolumeRefusal } from './local-volume.ts';
import type { NodeGate, NodeInQuestion } from './node-in-question.ts';

/** Every pod of the node must be evictable: by annotation, controller, volumes and PodDisruptionBudgets. */
export const podsEvictable: NodeGate = (q) => {
  const { pods, facts, podsOfRow, budgets, settings } = q.cluster;
  const anyMayRoll = settings.rollouts === true || q.policy?.rollsSingletons === true;
  const out: NodeRefusal[] = [];
  const { special, budgets: selecting } = rowFacts(q.cluster, q.row);
  const all = podsOfRow[q.row];
  for (const i of anyMayRoll || !budgets.allow(selecting) ? all : special.map((at) => all[at])) {
    const own = facts[i];
    if (own.peculiar) addRefusals(q, pods[i], own, out);
    if (own.hasVolumes && own.reschedulable) addVolumeRefusals(q, i, out);
    const blocking = budgets.blocking(pods[i], own);
    const mayRoll = own.reschedulable && (anyMayRoll || own.peculiar);
    const offered = mayRoll ? offeredRollout(q.cluster, pods[i], q.policy) : undefined;
    if (isRollout(offered?.found)) continue;
    if (blocking.length > 0) out.push(overBudget(pods[i], blocking, offered?.found));
    else if (offered?.asked) out.push({ code: 'no-rollout', pod: namespacedName(pods[i]), rollout: offered.found });
  }
  return out;
};

function addRefusals({ cluster, settings }: NodeInQuestion, pod: PodObject, facts: PodFacts, out: NodeRefusal[]): void {
  const { active, daemon, mirror } = facts;
  const name = namespacedName(pod);
  const own = active && !daemon && !mirror;
  const annotated = (annotation: string, value: string) =>
    out.push({ code: 'pod-annotation', pod: name, annotation, value });
  if (!isDisruptable(pod, cluster.objects.nowMs)) annotated(DO_NOT_DISRUPT, pod.doNotDisrupt ?? '');
  else if (settings.honorDoNotEvict && active && pod.doNotEvict === 'true') annotated(DO_NOT_EVICT, 'true');
  else if (settings.honorSafeToEvict && own && pod.safeToEvict === 'false') annotated(SAFE_TO_EVICT, 'false');
  if (settings.ownerlessPodsBlock && own && !hasController(pod)) out.push({ code: 'ownerless-pod', pod: name });
  if (own && pod.localData !== undefined && keepsData(settings, pod)) {
    const [{ kind, name: volume }] = pod.localData;
    out.push({ code: 'local-data', pod: name, kind, volume });
  }
}

/** Volumes bound to PersistentVolumeClaims. */
function addVolumeRefusals({ cluster, row, settings }: NodeInQuestion, index: number, out: NodeRefusal[]): void {
  const pod = cluster.pods[index];
  const pinned = settings.compat ? undefined : localVolumeRefusal(cluster, row, index, namespacedName(pod));
  if (pinned !== undefined) out.push(pinned);
  else if (keepsData(settings, pod)) {
    const local = cluster.volumesOfPod.get(index)?.bound.find(({ volume }) => volume.nodeLocal);
    if (local !== undefined)
      out.push({ code: 'local-data', pod: namespacedName(pod), kind: 'hostPath', volume: local.volume.name });
  }
}

/** As in cluster-autoscaler, `safe-to-evict: "true"` allows losing the data. */
function keepsData({ localDataBlocks, honorSafeToEvict }: Settings, { safeToEvict }: PodObject): boolean {
  return localDataBlocks && !(honorSafeToEvict && safeToEvict === 'true');
}

function overBudget(
  pod: PodObject,
  blocking: readonly PodDisruptionBudgetObject[],
  obstacle: RolloutObstacle | undefined,
): NodeRefusal {
  const budgets = blocking.map(namespacedName);
  const rollout = obstacle === undefined ? {} : { rollout: obstacle };
  if (budgets.length === 1)
    return { code: 'pod-disruption-budget', pod: namespacedName(pod), budget: budgets[0], ...rollout };
  return { code: 'several-disruption-budgets', pod: namespacedName(pod), budgets, ...rollout };
}

function hasController({ owners }: PodObject): boolean {
  for (const owner of owners) if (owner.controller) return true;
  return false;
}
