import type { ClusterObjects, PodObject } from '../cluster/objects.ts';
import { namespacedName } from '../cluster/pods.ts';
import type { PolicyRef } from '../cluster/policy-ref.ts';
import { MOVE } from '../cluster/well-known.ts';
import { workloadNames } from '../disruption/workloads.ts';
import { isRestless } from '../gates/consolidate-after.ts';
import type { Plan, PlannedNode } from '../plan-document.ts';
import type { Refusal } from '../refusal.ts';

/** A setting that keeps nodes from being removed. */
export type Blocker =
  | { readonly kind: 'PodDisruptionBudget'; readonly namespace: string; readonly name: string }
  | { readonly kind: 'PodAnnotation'; readonly workload: string; readonly annotation: string }
  | { readonly kind: 'NodeAnnotation'; readonly node: string }
  | { readonly kind: 'OwnerlessPod'; readonly pod: string }
  | { readonly kind: 'LocalVolume'; readonly workload: string }
  | { readonly kind: 'LocalData' }
  | { readonly kind: 'Constraint'; readonly workload: string; readonly constraint: PodConstraint; readonly key: string }
  | { readonly kind: 'Policy'; readonly nodePool: string; readonly setting: PoolSetting; readonly of?: PolicyRef }
  | { readonly kind: 'Budget'; readonly nodePool: string; readonly of?: PolicyRef }
  | { readonly kind: 'Utilization' };

/**
 * What of a pool's consolidation keeps nodes: consolidateAfter: Never, or a duration that passes for few nodes, its policy,
 * methods switched off, or a reserve.
 */
export type PoolSetting =
  | 'consolidateAfter'
  | 'consolidateAfterDuration'
  | 'consolidationPolicy'
  | 'methods'
  | 'emptiness'
  | 'headroom'
  | 'minNodes'
  | 'maxShareOnOneNode';

export type PodConstraint = 'spread' | 'affinity' | 'anti-affinity' | 'node-affinity';

/** A blocker and the nodes whose refusals name it. */
export interface BlockedNodes {
  readonly blocker: Blocker;
  /** Sorted. */
  readonly nodes: readonly string[];
  /** Price of these nodes. */
  readonly centsPerHour: number;
  /** Pods that it concerns; empty for blockers of pools, nodes and settings. */
  readonly pods: readonly PodObject[];
}

/** Equal for equal blockers. */
export function blockerKey(blocker: Blocker): string {
  return JSON.stringify(blocker);
}

/** A constraint of pods that fit on no existing or new node. */
export interface ConstraintInTheWay {
  readonly pods: readonly string[];
  readonly constraint: PodConstraint;
  readonly key: string;
}

/** The only namespace of its pods; undefined if there are several, and for blockers of pools, nodes and settings. */
export function blockedNamespaceOf({ pods }: BlockedNodes): string | undefined {
  const [first] = pods;
  return pods.every((pod) => pod.namespace === first.namespace) ? first?.namespace : undefined;
}

/**
 * Every blocker that the refusals of a plan name, node by node. `constraintsOf` returns the constraints that keep a
 * node's pods from moving.
 */
export function* blockersIn(
  plan: Plan,
  objects: ClusterObjects,
  constraintsOf: (node: string) => readonly ConstraintInTheWay[],
): Generator<readonly BlockedNodes[]> {
  const workloadOf = workloadNames(objects.workloads);
  const podByName = new Map(objects.pods.map((pod) => [namespacedName(pod), pod]));
  const workload = (pod: string) => workloadOf(podByName.get(pod) as PodObject);
  const leaving = new Set(plan.moves.flatMap((move) => move.nodes));
  const restless = restlessPools(plan);
  const selectedBy = new Map(objects.nodePools.map((pool) => [pool.name, pool.selectedBy]));
  for (const node of plan.nodes) {
    if (leaving.has(node.name)) continue;
    const found: BlockedNodes[] = [];
    for (const refusal of node.refusals as readonly (Refusal & { message: string })[]) {
      if (refusal.code === 'not-consolidatable' && !restless.has(node.nodePool)) continue;
      for (const { blocker: bare, pods } of named(refusal, node, workload, constraintsOf)) {
        const { name, centsPerHour } = node;
        const own = pods.map((pod) => podByName.get(pod) as PodObject);
        const of = 'nodePool' in bare ? selectedBy.get(bare.nodePool) : undefined;
        const blocker = of === undefined ? bare : { ...bare, of };
        found.push({ blocker, nodes: [name], centsPerHour: centsPerHour ?? 0, pods: own });
      }
    }
    yield found;
  }
}

/** Pools most of whose nodes wait for consolidateAfter: waiting may not help, because every pod that comes or goes restarts it. */
function restlessPools({ nodes }: Plan): ReadonlySet<string> {
  const pools = [...Map.groupBy(nodes, ({ nodePool }) => nodePool)].filter(([, own]) => {
    const waiting = own.filter(({ refusals }) => refusals.some(({ code }) => code === 'not-consolidatable')).length;
    return isRestless(waiting, own.length);
  });
  return new Set(pools.map(([name]) => name));
}

/** One entry per blocker, those of the most expensive nodes first. */
export function mergedBlockers(found: readonly BlockedNodes[]): readonly BlockedNodes[] {
  const groups = [...Map.groupBy(found, (f) => blockerKey(f.blocker)).entries()].map(([key, own]) => {
    const prices = new Map(own.flatMap((f) => (f.nodes.length === 1 ? [[f.nodes[0], f.centsPerHour] as const] : [])));
    const nodes = [...prices.keys()].sort();
    const centsPerHour = [...prices.values()].reduce((sum, price) => sum + price, 0);
    const pods = [...new Map(own.flatMap((f) => f.pods).map((pod) => [pod.uid, pod])).values()];
    return { key, blocked: { blocker: own[0].blocker, nodes, centsPerHour, pods } };
  });
  return groups
    .sort((a, b) => b.blocked.centsPerHour - a.blocked.centsPerHour || (a.key < b.key ? -1 : 1))
    .map(({ blocked }) => blocked);
}

interface NamedBlocker {
  readonly blocker: Blocker;
  readonly pods: readonly string[];
}

function named(
  r: Refusal,
  node: PlannedNode,
  workload: (pod: string) => string,
  constraintsOf: (node: string) => readonly ConstraintInTheWay[],
): readonly NamedBlocker[] {
  switch (r.code) {
    case 'pod-disruption-budget':
      return [{ blocker: disruptionBudget(r.budget), pods: [r.pod] }];
    case 'several-disruption-budgets':
      return r.budgets.map((budget) => ({ blocker: disruptionBudget(budget), pods: [r.pod] }));
    case 'pod-annotation':
      return [
        { blocker: { kind: 'PodAnnotation', workload: workload(r.pod), annotation: r.annotation }, pods: [r.pod] },
      ];
    case 'no-rollout':
      return [{ blocker: { kind: 'PodAnnotation', workload: workload(r.pod), annotation: MOVE }, pods: [r.pod] }];
    case 'node-annotation':
      return [{ blocker: { kind: 'NodeAnnotation', node: node.name }, pods: [] }];
    case 'ownerless-pod':
      return [{ blocker: { kind: 'OwnerlessPod', pod: r.pod }, pods: [r.pod] }];
    case 'local-volume':
      return [{ blocker: { kind: 'LocalVolume', workload: workload(r.pod) }, pods: [r.pod] }];
    case 'local-data':
      return [{ blocker: { kind: 'LocalData' }, pods: [r.pod] }];
    case 'not-consolidatable':
      return poolSetting(node.nodePool, 'consolidateAfterDuration');
    case 'consolidation-disabled':
      return poolSetting(r.nodePool, 'consolidateAfter');
    case 'policy-when-empty':
      return poolSetting(r.nodePool, 'consolidationPolicy');
    case 'single-node-disabled':
      return poolSetting(r.nodePool, r.policy === 'WhenUnderutilized' ? 'consolidationPolicy' : 'methods');
    case 'methods-disabled':
      return poolSetting(r.nodePool, 'methods');
    case 'emptiness-disabled':
      return poolSetting(r.nodePool, 'emptiness');
    case 'headroom':
      return poolSetting(r.nodePool, 'headroom');
    case 'min-nodes':
      return poolSetting(r.nodePool, 'minNodes');
    case 'workload-share':
      return poolSetting(r.nodePool, 'maxShareOnOneNode');
    case 'budget':
      return [{ blocker: { kind: 'Budget', nodePool: r.nodePool }, pods: [] }];
    case 'utilization':
      return [{ blocker: { kind: 'Utilization' }, pods: [] }];
    case 'pods-unplaceable':
      return constraintsOf(node.name).flatMap(({ pods, constraint, key }) =>
        [...Map.groupBy(pods, workload)].map(([name, own]) => ({
          blocker: { kind: 'Constraint', workload: name, constraint, key } as const,
          pods: own,
        })),
      );
    default:
      return [];
  }
}

function poolSetting(nodePool: string, setting: PoolSetting): readonly NamedBlocker[] {
  return [{ blocker: { kind: 'Policy', nodePool, setting }, pods: [] }];
}

function disruptionBudget(budget: string): Blocker {
  const slash = budget.indexOf('/');
  return { kind: 'PodDisruptionBudget', namespace: budget.slice(0, slash), name: budget.slice(slash + 1) };
}
