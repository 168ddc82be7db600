import type { Blocker } from '../engine/blockers/blocker.ts';
import type { PricedBlocker } from '../engine/blockers/price.ts';
import { DO_NOT_DISRUPT } from '../engine/cluster/well-known.ts';
import type { Refusal } from '../engine/refusal.ts';
import { type TextBy, textFor } from '../engine/text-by.ts';
import { count, perHour, perMonth } from './money.ts';

const TITLES: TextBy<Blocker, 'kind'> = {
  PodDisruptionBudget: (blocker) => `PodDisruptionBudget ${blocker.namespace}/${blocker.name}`,
  PodAnnotation: (blocker) => `annotation ${blocker.annotation} on pods of ${blocker.workload}`,
  NodeAnnotation: (blocker) => `annotation ${DO_NOT_DISRUPT} on node ${blocker.node}`,
  OwnerlessPod: (blocker) => `pod ${blocker.pod} has no controller`,
  LocalVolume: (blocker) => `local volume of ${blocker.workload}`,
  LocalData: '--local-data-blocks: hostPath and emptyDir data',
  Constraint: (blocker) => `${CONSTRAINTS[blocker.constraint]} on ${blocker.key} of ${blocker.workload}`,
  Policy: (blocker) => `${SETTINGS[blocker.setting]} of NodePool ${blocker.nodePool}`,
  Budget: (blocker) => `disruption budget of NodePool ${blocker.nodePool}`,
  Utilization: 'utilization threshold (--scaledown-utilization-threshold)',
};

/** What the blocker is, for people. */
export function blockerTitle(blocker: Blocker): string {
  return textFor(TITLES, 'kind', blocker);
}

/** A savings rule with its number; undefined for other refusals. */
export function savingsRuleTitle(refusal: Refusal): string | undefined {
  switch (refusal.code) {
    case 'savings-below-threshold':
      return `savings threshold of ${short(refusal.threshold)} ${refusal.threshold === 1 ? 'cent' : 'cents'}`;
    case 'savings-below-percent':
      return refusal.auto === undefined
        ? `minimum savings of ${short(refusal.requiredPercent)} %`
        : 'automatic minimum savings';
    case 'balanced-score':
      return `Balanced policy (k = ${short(1 / refusal.required)})`;
    default:
      return undefined;
  }
}

/** What a priced blocker costs, in one sentence. */
export function blockerNote({ nodes, others, aloneCentsPerHour = 0, jointCentsPerHour = 0 }: PricedBlocker): string {
  const saved = (cents: number) => `would save ${perHour(cents)} (${perMonth(cents)} a month)`;
  const keeps = `Keeps ${count(nodes.length, 'node')} from being removed. Without it, a plan`;
  if (jointCentsPerHour === aloneCentsPerHour) return `${keeps} ${saved(aloneCentsPerHour)}`;
  const alone = aloneCentsPerHour === 0 ? 'would save nothing' : saved(aloneCentsPerHour);
  const together = others.map(blockerTitle).join('; ');
  return `${keeps} ${alone}; without the other blockers of these nodes too, it ${saved(jointCentsPerHour)}: ${together}`;
}

const SETTINGS = {
  consolidateAfter: 'consolidateAfter: Never',
  consolidateAfterDuration: 'consolidateAfter, restarted by every pod that comes or goes,',
  consolidationPolicy: 'consolidation policy',
  methods: 'single-node or multi-node consolidation, switched off,',
  emptiness: 'emptiness consolidation, switched off,',
  headroom: 'headroom',
  minNodes: 'minNodes',
  maxShareOnOneNode: 'maxShareOnOneNode',
} as const;

export const CONSTRAINTS = {
  spread: 'topology spread',
  affinity: 'pod affinity',
  'anti-affinity': 'pod anti-affinity',
  'node-affinity': 'node affinity',
} as const;

function short(value: number): number {
  return Number(value.toPrecision(3));
}
