import type { DisruptionBlock } from '../config/disruption-block.ts';
import { labelValue, POLICY_LABEL } from '../config/policy-label.ts';
import { API_VERSIONS, nodePoolSelector, objectProblems } from '../config/policy-object.ts';
import { readPoolPolicy } from '../config/read-pool-policy.ts';
import { valueAt } from '../config/schema-problems.ts';
import { karpenterLeavesAlone } from '../controller/interlock.ts';
import { compileSelector } from '../engine/selection/label-selector.ts';
import { CALM } from '../lab/built-in-policies.ts';
import { underPatch } from '../lab/pool-under-policy.ts';
import type { Adoption, AdoptionObject, ConsolidationPolicy, MergePatch, PoolState } from './adoption.ts';
import { allowsNothing, changes, limitsConsolidation } from './changes.ts';

/** Keeps the pool's consolidateAfter for the way back. */
export const BEFORE_ANNOTATION = 'decant.sh/consolidate-after';

/** Defaults that the API server writes into a NodePool. */
const CRD_DEFAULTS: DisruptionBlock = {
  consolidationPolicy: 'WhenEmptyOrUnderutilized',
  consolidateAfter: '0s',
  budgets: [{ nodes: '10%' }],
};

export function adoptPool(pool: AdoptionObject, policies: readonly AdoptionObject[]): Adoption {
  const problems = objectProblems(pool);
  if (problems.length > 0) return { pool: pool.name, state: { code: 'invalid', problems }, changes: [] };
  const given = (valueAt(pool.spec, ['disruption']) ?? {}) as DisruptionBlock;
  const block = { ...CRD_DEFAULTS, ...withoutAbsent(given) };
  const state = stateOf(pool, block, policies);
  return { pool: pool.name, state, changes: changes(state, block), ...proposal(pool, state, block, policies) };
}

function proposal(
  { name, consolidateAfterBefore }: AdoptionObject,
  state: PoolState,
  block: DisruptionBlock,
  policies: readonly AdoptionObject[],
): Pick<Adoption, 'preserving' | 'calm' | 'handOver' | 'giveBack'> {
  const label = labelValue(name);
  // The way back works even if the policy has been deleted first.
  const back =
    consolidateAfterBefore === undefined ? {} : { giveBack: patches(consolidateAfterBefore, label).giveBack };
  const policy = (spec: DisruptionBlock) => policyObject(policyName(name, label, policies), label, spec);
  switch (state.code) {
    case 'consolidated':
      return {
        preserving: policy(forConsolidation(block)),
        calm: policy(underCalm(block)),
        ...patches(block.consolidateAfter, label),
      };
    case 'off':
      return { calm: policy(underCalm(switchedOn(forConsolidation(block)))), ...patches(undefined, label), ...back };
    case 'governed':
      return state.karpenterStill ? patches(block.consolidateAfter, undefined) : back;
    case 'conflict':
      return back;
    default:
      return {};
  }
}

function stateOf(pool: AdoptionObject, block: DisruptionBlock, policies: readonly AdoptionObject[]): PoolState {
  if (pool.terminating) return { code: 'deleting' };
  const replicas = valueAt(pool.spec, ['replicas']);
  if (typeof replicas === 'number') return { code: 'static', replicas };
  const selecting = policies
    .filter((policy) => compileSelector(nodePoolSelector(policy)).matches(pool.labels))
    .map((policy) => policy.name);
  const leftAlone = karpenterLeavesAlone(policyOf(block));
  if (selecting.length > 1) return { code: 'conflict', policies: selecting.sort() };
  if (selecting.length === 1) return { code: 'governed', policy: selecting[0], karpenterStill: !leftAlone };
  if (leftAlone) return { code: 'off', by: block.consolidateAfter === 'Never' ? 'never' : 'budget' };
  return { code: 'consolidated' };
}

/** For a block that has been read without problems; defaults add none. */
function policyOf(block: DisruptionBlock) {
  const reading = readPoolPolicy('', block);
  if ('problems' in reading) throw new Error(`defaults are refused: ${JSON.stringify(reading.problems)}`);
  return reading.policy;
}

/** Budgets for drift alone are Karpenter's and stay in the pool. */
function forConsolidation(block: DisruptionBlock): DisruptionBlock {
  return { ...block, budgets: (block.budgets ?? []).filter(limitsConsolidation) };
}

/** The recommended profile over the pool's block. */
function underCalm(block: DisruptionBlock): DisruptionBlock {
  return underPatch(forConsolidation(block), CALM.disruption) as DisruptionBlock;
}

/** Without fields that disable consolidation. */
function switchedOn({ ttlSecondsAfterEmpty: _, ...block }: DisruptionBlock): DisruptionBlock {
  const budgets = (block.budgets ?? []).filter((budget) => !allowsNothing(budget));
  return { ...block, budgets: budgets.length === 0 ? CRD_DEFAULTS.budgets : budgets };
}

function policyObject(name: string, label: string, block: DisruptionBlock): ConsolidationPolicy {
  return {
    apiVersion: API_VERSIONS.ConsolidationPolicy,
    kind: 'ConsolidationPolicy',
    metadata: { name },
    spec: { nodePoolSelector: { matchLabels: { [POLICY_LABEL]: label } }, ...block },
  };
}

/** Overwrites the policy of an earlier run, but never one of the same name that selects other pools. */
function policyName(pool: string, label: string, policies: readonly AdoptionObject[]): string {
  const ours = (policy: AdoptionObject) => nodePoolSelector(policy)?.matchLabels?.[POLICY_LABEL] === label;
  const earlier = policies.find(ours);
  if (earlier !== undefined) return earlier.name;
  const taken = new Set(policies.map(({ name }) => name));
  let name = pool;
  for (let i = 2; taken.has(name); i++) name = `${pool}-${i}`;
  return name;
}

/** `before`: the consolidateAfter to replace, if it changes; `label`: for the policy's selector, if needed. */
function patches(before: string | undefined, label: string | undefined) {
  const patch = (mark: (value: string) => string | null, consolidateAfter: string | undefined): MergePatch => ({
    metadata: {
      ...(label === undefined ? {} : { labels: { [POLICY_LABEL]: mark(label) } }),
      ...(before === undefined ? {} : { annotations: { [BEFORE_ANNOTATION]: mark(before) } }),
    },
    ...(before === undefined ? {} : { spec: { disruption: { consolidateAfter } } }),
  });
  return { handOver: patch((value) => value, 'Never'), giveBack: patch(() => null, before) };
}

/** As in the API, null means absent. */
function withoutAbsent(block: DisruptionBlock): DisruptionBlock {
  return Object.fromEntries(Object.entries(block).filter(([, value]) => value !== null && value !== undefined));
}
