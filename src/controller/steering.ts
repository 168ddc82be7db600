import type { ClusterObjects, NodeObject, PodObject } from '../engine/cluster/objects.ts';
import { isDaemonPod, isTerminal } from '../engine/cluster/pods.ts';
import type { Action } from './cluster-port.ts';

/**
 * Deletion costs stay within ±10,000: stock Karpenter reads the annotation, and −2^27 would make a pod free to evict. Nodes
 * of the plan come first, from the lowest cost on; the others follow, the youngest first.
 */
const LOWEST_COST = -10_000;
const MAX_PLANNED = 1000;
const LOWEST_OTHER = LOWEST_COST + MAX_PLANNED;
const HIGHEST_COST = 10_000;
/** Pod writes of one pass; the rest follows in the next. */
const MAX_POD_WRITES = 100;

/**
 * Steering lets nodes empty themselves while the moves that would remove them wait. They get the soft taint of nodes that
 * commands remove, and pod-deletion-cost makes ReplicaSets that scale in take their pods from one node after the other,
 * nodes of the plan first.
 *
 * Returns the nodes of the plan that are steered, and the actions that set their pods' costs, from any state that an earlier pass or
 * process left. `planned`: nodes that the plan removes and no command holds yet, in order. `isOurs`: the pool may be steered;
 * pods of others are cleaned up. `scalesIn`: the order of the pod's workload may matter.
 */
export function steering(
  objects: ClusterObjects,
  planned: readonly string[],
  isOurs: (node: NodeObject) => boolean,
  scalesIn: (pod: PodObject) => boolean,
): { readonly nodes: ReadonlySet<string>; readonly actions: readonly Action[] } {
  // Karpenter writes deletion costs itself then.
  const steered = objects.options.managesDeletionCost === true ? [] : objects.nodes.filter(isOurs);
  const names = new Set(steered.map(({ name }) => name));
  const leaving = new Map(planned.filter((name) => names.has(name)).map((name, i) => [name, i]));
  const costs = nodeCosts(steered, objects.pods, leaving);
  return { nodes: new Set(leaving.keys()), actions: podActions(objects.pods, costs, scalesIn) };
}

/** Without steering: removes the deletion costs that an earlier process left. */
export function unsteeringActions(pods: readonly PodObject[]): readonly Action[] {
  return podActions(pods, new Map(), () => false);
}

/**
 * Sets decant.sh/leaving:PreferNoSchedule on exactly the leaving nodes: kube-scheduler prefers other nodes for new
 * pods.
 */
export function softTaintActions(
  { nodes, pods }: Pick<ClusterObjects, 'nodes' | 'pods'>,
  isLeaving: (node: NodeObject) => boolean,
): readonly Action[] {
  const changed = nodes.filter((node) => isLeaving(node) !== (node.steered ?? false));
  const podsOn = new Map(changed.map(({ name }) => [name, 0]));
  for (const pod of changed.length === 0 ? [] : pods) {
    const counted = podsOn.get(pod.nodeName);
    if (counted !== undefined && !isTerminal(pod) && !isDaemonPod(pod)) podsOn.set(pod.nodeName, counted + 1);
  }
  return changed.map(({ name, steered = false }): Action => {
    return { kind: 'steer-node', node: name, steered: !steered, pods: podsOn.get(name) ?? 0 };
  });
}

/**
 * The cost of each node's pods. A node keeps the cost that its pods have, so that only new pods and changes of the plan are
 * written; a new node gets a lower one than all others.
 */
function nodeCosts(
  nodes: readonly NodeObject[],
  pods: readonly PodObject[],
  leaving: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const written = new Map<string, number>();
  for (const { nodeName, steeredCost } of pods)
    if (steeredCost !== undefined && steeredCost >= LOWEST_OTHER) written.set(nodeName, steeredCost);
  const costs = new Map<string, number>();
  let next = Math.min(HIGHEST_COST, ...written.values()) - 1;
  const oldestFirst = [...nodes].sort((a, b) => a.createdMs - b.createdMs || (a.name < b.name ? -1 : 1));
  // No numbers left: start over.
  if (next - nodes.length < LOWEST_OTHER) {
    written.clear();
    next = HIGHEST_COST - 1;
  }
  for (const { name } of oldestFirst) {
    const rank = leaving.get(name);
    const known = written.get(name);
    if (rank !== undefined) costs.set(name, LOWEST_COST + Math.min(rank, MAX_PLANNED - 1));
    else costs.set(name, known ?? next--);
  }
  return costs;
}

function podActions(
  pods: readonly PodObject[],
  costs: ReadonlyMap<string, number>,
  scalesIn: (pod: PodObject) => boolean,
): readonly Action[] {
  const spread = spreadOwners(pods);
  const actions: Action[] = [];
  for (const pod of pods) {
    const owner = replicaSetOf(pod);
    const matters = owner !== undefined && spread.has(owner) && scalesIn(pod);
    const cost = matters ? wantedCost(pod, costs) : undefined;
    if (cost === pod.steeredCost) continue;
    const { namespace, name, uid } = pod;
    actions.push({ kind: 'steer-pod', namespace, name, uid, cost });
    if (actions.length === MAX_POD_WRITES) break;
  }
  return actions;
}

/** undefined if it is not ours. A cost that someone else set is never changed. */
function wantedCost(pod: PodObject, costs: ReadonlyMap<string, number>): number | undefined {
  if (pod.terminating) return pod.steeredCost;
  return pod.deletionCost === undefined ? costs.get(pod.nodeName) : undefined;
}

/** ReplicaSets with pods on several nodes: for others the order of deletion does not matter. */
function spreadOwners(pods: readonly PodObject[]): ReadonlySet<string> {
  const nodeOf = new Map<string, string>();
  const spread = new Set<string>();
  for (const pod of pods) {
    const owner = replicaSetOf(pod);
    if (owner === undefined || pod.nodeName === '') continue;
    const node = nodeOf.get(owner);
    if (node === undefined) nodeOf.set(owner, pod.nodeName);
    else if (node !== pod.nodeName) spread.add(owner);
  }
  return spread;
}

function replicaSetOf({ owners }: PodObject): string | undefined {
  return owners.find(({ controller, kind }) => controller && kind === 'ReplicaSet')?.uid;
}
