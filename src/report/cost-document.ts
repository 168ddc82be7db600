import { type ClusterObjects, labelOf, type NodeObject, type PodObject } from '../engine/cluster/objects.ts';
import { NODE_POOL } from '../engine/cluster/well-known.ts';
import { allocateCost, type CostAllocation, type CostGroup, groupCosts } from '../engine/cost/allocation.ts';
import { workloadNames } from '../engine/disruption/workloads.ts';

/** The output of `decant cost -o json`. */
export interface CostDocument {
  readonly apiVersion: 'decant.sh/v1alpha1';
  readonly kind: 'Cost';
  readonly now: string;
  readonly by: string;
  readonly totals: {
    readonly nodes: number;
    readonly pods: number;
    readonly centsPerHour: number;
    readonly allocatedCentsPerHour: number;
    readonly idleCentsPerHour: number;
    readonly commitments?: CostAllocation['commitments'];
    readonly unpricedNodes: readonly string[];
  };
  readonly groups: readonly CostGroup[];
}

/** `by`: namespace, workload, pool, node or label:KEY; undefined for anything else. */
export function costDocument(cluster: ClusterObjects, by: string): CostDocument | undefined {
  const nameOf = grouping(by, cluster.nodes, workloadNames(cluster.workloads));
  if (nameOf === undefined) return undefined;
  const { centsPerHour, commitments, pods, nodes, unpriced } = allocateCost(cluster);
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Cost',
    now: new Date(cluster.nowMs).toISOString(),
    by,
    totals: {
      nodes: nodes.length + unpriced.length,
      pods: pods.length,
      centsPerHour,
      allocatedCentsPerHour: pods.reduce((sum, p) => sum + p.centsPerHour, 0),
      idleCentsPerHour: nodes.reduce((sum, n) => sum + n.idleCentsPerHour, 0),
      ...(commitments === undefined ? {} : { commitments }),
      unpricedNodes: unpriced,
    },
    groups: groupCosts(pods, nameOf),
  };
}

/** The part of the cost that belongs to no group. With the groups it adds up to the total. */
export function costOfNobody({
  totals,
}: CostDocument): readonly { readonly name: string; readonly centsPerHour: number }[] {
  const { idleCentsPerHour, commitments } = totals;
  const idle = { name: '(idle)', centsPerHour: idleCentsPerHour };
  if (commitments === undefined) return [idle];
  return [idle, { name: '(unused commitments)', centsPerHour: commitments.unusedCentsPerHour }];
}

const LABEL = /^label:(.+)$/;
/** For a missing label or pool. */
const NONE = '(none)';

function grouping(
  by: string,
  nodes: readonly NodeObject[],
  workloadOf: (pod: PodObject) => string,
): ((pod: PodObject) => string) | undefined {
  const label = LABEL.exec(by)?.[1];
  if (label !== undefined) return (pod) => labelOf(pod.labels, label) ?? NONE;
  const poolOf = new Map(nodes.map(({ name, labels }) => [name, labelOf(labels, NODE_POOL) ?? NONE]));
  switch (by) {
    case 'namespace':
      return (pod) => pod.namespace;
    case 'workload':
      return workloadOf;
    case 'node':
      return (pod) => pod.nodeName;
    case 'pool':
      return (pod) => poolOf.get(pod.nodeName) ?? NONE;
    default:
      return undefined;
  }
}
