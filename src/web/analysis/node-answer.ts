import type { ClusterObjects, PodObject } from '../../engine/cluster/objects.ts';
import {
  evictionCost,
  isDaemonPod,
  isMirrorPod,
  isReschedulable,
  isTerminal,
  namespacedName,
} from '../../engine/cluster/pods.ts';
import { GATE_TITLES, isMoveGate } from '../../engine/explanation/gate-names.ts';
import { explainNode, type NodeExplanation } from '../../engine/explanation/node-explanation.ts';
import type { Plan } from '../../engine/plan-document.ts';
import { type RemovalDetail, removalInWords, unlocksInWords, verdictInWords } from '../../report/node-words.ts';
import type { DisruptedPod, DisruptionSum, NodeAnswer } from '../api.ts';
import { Refused } from './refused.ts';
import { rulesOf, type Subject } from './subject.ts';

const DETAIL: RemovalDetail = { destinations: 12, groups: 8, reasons: 8, more: '' };
const MIB = 2 ** 20;

/** Throws Refused if the plan has no such node. */
export function nodeAnswer(subject: Subject, plan: Plan, name: string): Omit<NodeAnswer, 'version'> {
  const { objects, settings, maxReplacements } = subject;
  const explanation = explainNode({ objects, rules: rulesOf(subject) }, plan, name, maxReplacements);
  if (explanation === undefined) throw unknownNode(plan, name);
  return {
    explanation,
    verdict: verdictInWords(explanation),
    gates: explanation.gates.map(({ gate, verdict, message }) => ({
      title: GATE_TITLES[gate],
      phase: isMoveGate(gate) ? 'move' : 'node',
      verdict,
      message,
    })),
    unlocks: unlocksInWords(explanation),
    removal: removalInWords(explanation, DETAIL).map(({ text }) => text),
    disruption: disruptionOf(explanation, objects, settings.nodeBaseCost),
  };
}

function unknownNode({ nodes }: Plan, name: string): Refused {
  const close = nodes.filter((n) => n.name.includes(name)).map((n) => n.name);
  const hint = close.length === 0 ? '' : ` (there is ${close.slice(0, 3).join(', ')})`;
  return new Refused(404, `no node ${name.slice(0, 253)} among the ${nodes.length} of the cluster${hint}`);
}

function disruptionOf({ node, move, removal }: NodeExplanation, { pods }: ClusterObjects, base: number): DisruptionSum {
  const placements = move?.move.placements ?? removal?.placements ?? [];
  const to = new Map(placements.map((p) => [p.pod, p.to]));
  return {
    base,
    pods: pods.filter((pod) => pod.nodeName === node.name).map((pod) => disruptedPod(pod, to.get(namespacedName(pod)))),
    lifetimeRemaining: node.lifetimeRemaining,
    cost: node.disruptionCost,
  };
}

function disruptedPod(pod: PodObject, to: string | undefined): DisruptedPod {
  const counts = !isTerminal(pod) && !isMirrorPod(pod);
  return {
    pod: namespacedName(pod),
    cpu: pod.requests.cpu ?? 0,
    memory: Math.round((pod.requests.memory ?? 0) / MIB),
    ...(counts ? { cost: evictionCost(pod) } : {}),
    role: isReschedulable(pod) ? 'moves' : isDaemonPod(pod) ? 'daemon' : 'stays',
    ...(to === undefined ? {} : { to }),
  };
}
