import type { PodDisruptionBudgetObject, PodObject } from '../cluster/objects.ts';
import { isDisruptable } from '../cluster/pods.ts';
import type { NodeRefusal } from '../refusal.ts';
import type { PodFacts } from '../scheduling/pod-facts.ts';
import type { NodeGate, NodeInQuestion } from './node-in-question.ts';

/** Every pod of the node must be allowed to go: by annotation, by having somebody to bring it back, by its budget. */
export const podsEvictable: NodeGate = (q) => {
  const { pods, facts, podsOfRow, budgets } = q.cluster;
  const out: NodeRefusal[] = [];
  for (const i of podsOfRow[q.row]) {
    if (facts[i].peculiar) addRefusals(q, pods[i], facts[i], out);
    const blocking = budgets.blocking(pods[i], facts[i]);
    if (blocking.length > 0) out.push(overBudget(pods[i], blocking));
  }
  return out;
};

function addRefusals(
  { cluster, settings }: NodeInQuestion,
  pod: PodObject,
  { active, daemon, mirror }: PodFacts,
  out: NodeRefusal[],
): void {
  if (!isDisruptable(pod, cluster.objects.nowMs))
    out.push({ code: 'pod-annotation', pod: nameOf(pod), value: pod.doNotDisrupt ?? '' });
  else if (settings.honorDoNotEvict && active && pod.doNotEvict === 'true')
    out.push({ code: 'pod-annotation', pod: nameOf(pod), value: 'do-not-evict' });
  if (settings.ownerlessPodsBlock && active && !hasController(pod) && !daemon && !mirror)
    out.push({ code: 'ownerless-pod', pod: nameOf(pod) });
}

function overBudget(pod: PodObject, blocking: readonly PodDisruptionBudgetObject[]): NodeRefusal {
  const budgets = blocking.map(nameOf);
  if (budgets.length === 1) return { code: 'pod-disruption-budget', pod: nameOf(pod), budget: budgets[0] };
  return { code: 'several-disruption-budgets', pod: nameOf(pod), budgets };
}

function hasController({ owners }: PodObject): boolean {
  for (const owner of owners) if (owner.controller) return true;
  return false;
}

function nameOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}
