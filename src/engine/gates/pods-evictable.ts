import type { PodObject } from '../cluster/objects.ts';
import { isActive, isDaemonPod, isDisruptable, isMirrorPod } from '../cluster/pods.ts';
import type { NodeRefusal } from '../refusal.ts';
import type { NodeGate, NodeInQuestion } from './node-in-question.ts';

/** Every pod of the node must be allowed to go: by annotation, by having somebody to bring it back, by its budget. */
export const podsEvictable: NodeGate = (q) => {
  const out: NodeRefusal[] = [];
  for (const i of q.cluster.podsOfRow[q.row]) out.push(...refusalsOf(q, q.cluster.pods[i]));
  return out;
};

function refusalsOf({ cluster, settings }: NodeInQuestion, pod: PodObject): NodeRefusal[] {
  const out: NodeRefusal[] = [];
  const name = `${pod.namespace}/${pod.name}`;
  const active = isActive(pod);
  if (!isDisruptable(pod, cluster.objects.nowMs))
    out.push({ code: 'pod-annotation', pod: name, value: pod.doNotDisrupt ?? '' });
  else if (settings.honorDoNotEvict && active && pod.doNotEvict === 'true')
    out.push({ code: 'pod-annotation', pod: name, value: 'do-not-evict' });
  if (
    settings.ownerlessPodsBlock &&
    active &&
    !pod.owners.some((o) => o.controller) &&
    !isDaemonPod(pod) &&
    !isMirrorPod(pod)
  ) {
    out.push({ code: 'ownerless-pod', pod: name });
  }
  const blocking = cluster.budgets.blocking(pod).map((b) => `${b.namespace}/${b.name}`);
  if (blocking.length === 1) out.push({ code: 'pod-disruption-budget', pod: name, budget: blocking[0] });
  else if (blocking.length > 1) out.push({ code: 'several-disruption-budgets', pod: name, budgets: blocking });
  return out;
}
