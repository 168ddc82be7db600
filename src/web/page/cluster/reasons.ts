import type { Refusal } from '../../../engine/refusal.ts';
import type { NodeFacts } from './node-facts.ts';

const TITLES: Readonly<Record<Refusal['code'], string>> = {
  'not-managed': 'not managed by Karpenter',
  'no-node': 'no node yet',
  'undecodable-object': 'undecodable object',
  'not-initialized': 'not initialized yet',
  deleting: 'already leaving',
  rebooting: 'rebooting',
  'node-annotation': 'do-not-disrupt on the node',
  'no-node-pool-label': 'no NodePool',
  'unknown-node-pool': 'NodePool unknown',
  'pod-annotation': 'annotation on a pod',
  'pod-disruption-budget': 'PodDisruptionBudget',
  'several-disruption-budgets': 'several PodDisruptionBudgets',
  'no-rollout': 'rollout impossible',
  'ownerless-pod': 'pod without a controller',
  'local-volume': 'local volume',
  'local-data': 'data on the node',
  'capacity-buffer': 'capacity of a CapacityBuffer',
  headroom: 'headroom of the pool',
  'min-nodes': 'minNodes of the pool',
  'workload-share': 'too many replicas on one node',
  'capacity-buffer-room': 'capacity of a CapacityBuffer',
  'static-node-pool': 'static NodePool',
  'unknown-instance-type': 'instance type unknown',
  unpriced: 'no price known',
  'missing-label': 'label missing',
  'consolidation-disabled': 'consolidation disabled',
  'policy-when-empty': 'policy WhenEmpty',
  'methods-disabled': 'methods switched off',
  'single-node-disabled': 'removed only with others',
  'emptiness-disabled': 'emptiness switched off',
  'minimum-lifetime': 'too young',
  'empty-ttl': 'waits for ttlSecondsAfterEmpty',
  'grace-period': 'grace period',
  utilization: 'well used',
  'not-consolidatable': 'waits for consolidateAfter',
  'no-ready-node-pool': 'no NodePool ready',
  'pods-unplaceable': 'pods fit nowhere else',
  'relies-on-uninitialized-node': 'waits for a new node',
  'too-many-replacements': 'needs several new nodes',
  'min-values': 'minValues',
  'not-cheaper': 'nothing cheaper',
  'covered-by-commitment': 'paid by a commitment',
  'spot-to-spot-disabled': 'spot to spot is off',
  'spot-to-spot-flexibility': 'too few spot types',
  'savings-below-percent': 'below the minimum percent',
  'savings-below-threshold': 'below the savings threshold',
  'balanced-score': 'Balanced score',
  budget: 'disruption budget',
  stabilization: 'cluster settles',
  'workload-evictions': 'workload evicted recently',
  'pool-cooldown': 'NodePool in cooldown',
  'not-paid-back': 'waits until its evictions pay',
};

export interface ReasonToStay {
  readonly key: string;
  readonly title: string;
  readonly nodes: number;
  readonly centsPerHour: number;
}

/** Reasons to stay with their nodes, most expensive first. */
export function countedReasons(nodes: readonly NodeFacts[]): readonly ReasonToStay[] {
  const staying = nodes.filter(({ decision, move }) => decision !== 'new' && move === 0);
  const byKey = [...Map.groupBy(staying, reasonKey)];
  return byKey
    .map(([key, members]) => ({
      key,
      title: titleOf(key),
      nodes: members.length,
      centsPerHour: members.reduce((sum, { centsPerHour }) => sum + (centsPerHour ?? 0), 0),
    }))
    .sort((a, b) => b.centsPerHour - a.centsPerHour || b.nodes - a.nodes || (a.title < b.title ? -1 : 1));
}

/** Nothing refuses: either nothing would be saved, or other moves go first. */
const NOTHING_TO_GAIN = 'nothing-to-gain';
const WAITS = 'waits';

export function reasonKey({ refusal, decision }: Pick<NodeFacts, 'refusal' | 'decision'>): string {
  return refusal ?? (decision === 'keep' ? WAITS : NOTHING_TO_GAIN);
}

function titleOf(key: string): string {
  if (key === WAITS) return 'not planned';
  if (key === NOTHING_TO_GAIN) return 'nothing to gain';
  return TITLES[key as Refusal['code']] ?? key;
}
