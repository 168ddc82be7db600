import { isDaemonPod, isReschedulable } from '../cluster/pods.ts';
import { usesLittle } from '../disruption/methods.ts';
import { type NodeGate, PASS } from './node-in-question.ts';

/**
 * The pool's policy has a method for nodes with pods, and the methods block does not disable it. Nearly empty nodes
 * need only emptiness.
 */
export const methodsAllow: NodeGate = ({ cluster, row, pool, policy }) => {
  if (pool === undefined || policy === undefined || policy.singleNode.enabled || policy.multiNode.enabled) return PASS;
  if (policy.emptiness.enabled && usesLittle(cluster, row, policy)) return PASS;
  const pods = cluster.podsOfRow[row].filter(
    (i) => isReschedulable(cluster.pods[i]) && !isDaemonPod(cluster.pods[i]),
  ).length;
  return policy.policy === 'WhenEmpty'
    ? [{ code: 'policy-when-empty', nodePool: pool.name, pods }]
    : [{ code: 'methods-disabled', nodePool: pool.name, pods }];
};
