import type { PodObject } from '../cluster/objects.ts';
import { isActive, isDaemonPod, isDisruptable, isMirrorPod } from '../cluster/pods.ts';
import type { NodeRefusal } from '../refusal.ts';
import type { NodeGate, NodeInQuestion } from './node-in-question.ts';

/** Every pod of the node must be allowed to go: by annotation, by having somebody to bring it back, by its budget. */
export const podsEvictable: NodeGate = (q) => {
  const out: NodeRefusal[] = [];
  for (const i of q.cluster.podsOfRow[q.row]) addRefusals(q, q.cluster.pods[i], out);
  return out;
};

function addRefusals({ cluster, settings }: NodeInQuestion, pod: PodObject, out: NodeRefusal[]): void {
  const active = isActive(pod);
  if (!isDisruptable(pod, cluster.objects.nowMs))
    out.push({ code: 'pod-annotation', pod: nameOf(pod), value: pod.doNotDisrupt ?? '' });
  else if (settings.honorDoNotEvict && active && pod.doNotEvict === 'true')
    out.push({ code: 'pod-annotation', pod: nameOf(pod), value: 'do-not-evict' });
  if (settings.ownerlessPodsBlock && active && !hasController(pod) && !isDaemonPod(pod) && !isMirrorPod(pod))
    out.push({ code: 'ownerless-pod', pod: nameOf(pod) });
  const blocking = cluster.budgets.blocking(pod);
  if (blocking.length === 0) return;
  const budgets = blocking.map(nameOf);
  if (budgets.length === 1) out.push({ code: 'pod-disruption-budget', pod: nameOf(pod), budget: budgets[0] });
  else out.push({ code: 'several-disruption-budgets', pod: nameOf(pod), budgets });
}

function hasController({ owners }: PodObject): boolean {
  for (const owner of owners) if (owner.controller) return true;
  return false;
}

function nameOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}
