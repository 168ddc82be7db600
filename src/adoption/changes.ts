import type { BudgetBlock, DisruptionBlock } from '../config/disruption-block.ts';
import type { PoolState } from './adoption.ts';

const CONSOLIDATION: readonly string[] = ['Empty', 'Underutilized'];

export function limitsConsolidation({ reasons }: BudgetBlock): boolean {
  return reasons?.some((reason) => CONSOLIDATION.includes(reason)) ?? true;
}

export function allowsNothing({ nodes, schedule }: BudgetBlock): boolean {
  return schedule === undefined && nodes !== undefined && /^0+%?$/.test(nodes);
}

/**
 * What changes once the pool is handed over, and what does not. `block`: the pool's own, with the API server's
 * defaults.
 */
export function changes(state: PoolState, block: DisruptionBlock): readonly string[] {
  if (state.code === 'governed' && state.karpenterStill) {
    return [
      `the pool gets consolidateAfter Never instead of ${block.consolidateAfter}; ${state.policy} is its policy already`,
    ];
  }
  if (state.code === 'off') return [...beginning(block), ...budgetChanges(block, true), DRIFT];
  if (state.code !== 'consolidated') return [];
  return [
    `consolidateAfter ${block.consolidateAfter} moves to the policy; the pool gets Never, which stops Karpenter from consolidating it`,
    ...policyChanges(block),
    ...budgetChanges(block, false),
    DRIFT,
  ];
}

const DRIFT = 'drift, expiration and interruptions stay with Karpenter';

function beginning({ ttlSecondsAfterEmpty }: DisruptionBlock): string[] {
  const ttl = 'ttlSecondsAfterEmpty is left out: consolidation removes empty nodes itself';
  return [
    'it is not consolidated today, so there is nothing to preserve; with calm, Decant consolidates it',
    ...(ttlSecondsAfterEmpty === undefined ? [] : [ttl]),
  ];
}

function policyChanges({ consolidationPolicy }: DisruptionBlock): string[] {
  if (consolidationPolicy === 'WhenEmpty')
    return ['only empty nodes are removed, as today (WhenEmpty), also with calm'];
  return [];
}

/** `off`: a budget that allows nothing is what disables Karpenter, and is not copied. */
function budgetChanges({ budgets = [] }: DisruptionBlock, off: boolean): string[] {
  const left = off ? budgets.filter((budget) => limitsConsolidation(budget) && allowsNothing(budget)).length : 0;
  const theirs = budgets.filter((budget) => !limitsConsolidation(budget)).length;
  const copied = budgets.length - left - theirs;
  const [are, have] = [(n: number) => (n === 1 ? 'is' : 'are'), (n: number) => (n === 1 ? 'allows' : 'allow')];
  return [
    ...(copied === 0
      ? []
      : [`${counted(copied)} ${are(copied)} copied into the policy; the pool keeps its own, for drift`]),
    ...(left === 0 ? [] : [`${counted(left)} that ${have(left)} nothing at any time ${are(left)} left to Karpenter`]),
    ...(theirs === 0 ? [] : [`${counted(theirs)} for other reasons ${are(theirs)} left to Karpenter`]),
  ];
}

function counted(n: number): string {
  return n === 1 ? '1 budget' : `${n} budgets`;
}
