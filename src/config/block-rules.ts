import type { PolicyName } from '../engine/disruption/pool-policy.ts';
import {
  CONSOLIDATION_POLICIES,
  type DisruptionBlock,
  DURATION_ALONE_TEXT,
  disruptionBlock,
  SCHEDULE_ALONE_TEXT,
  ZONE_ALONE_TEXT,
} from './disruption-block.ts';
import { type SchemaProblem, valueAt } from './schema-problems.ts';

/**
 * Rules over several fields of a block. They check the block as given, not as parsed: a block may violate schema and
 * rules, and all problems are reported. A rule that depends on an invalid field is skipped. block-cel.ts has the same
 * rules for the API server.
 */
export function ruleProblems(block: unknown): SchemaProblem[] {
  return [...methodsAgainstPolicy(block), ...ttlWithConsolidation(block), ...halfWindows(block)];
}

export const METHODS = ['singleNode', 'multiNode', 'emptiness'] as const;
export type MethodName = (typeof METHODS)[number];

/** Policies document, option 2: what each policy allows. */
const ALLOWED_METHODS: Readonly<Record<PolicyName, readonly MethodName[]>> = {
  WhenEmpty: ['emptiness'],
  WhenCheaper: ['emptiness', 'singleNode'],
  WhenUnderutilized: ['emptiness', 'multiNode'],
  WhenUnderutilizedOrCheaper: METHODS,
  Balanced: METHODS,
};

const DEFAULT_POLICY = 'WhenUnderutilizedOrCheaper';

export function policyName(given: DisruptionBlock['consolidationPolicy']): PolicyName {
  return given === undefined || given === 'WhenEmptyOrUnderutilized' ? DEFAULT_POLICY : given;
}

export function allows(policy: PolicyName, method: MethodName): boolean {
  return ALLOWED_METHODS[policy].includes(method);
}

export function policiesAllowing(method: MethodName): readonly string[] {
  return CONSOLIDATION_POLICIES.filter((each) => allows(policyName(each), method));
}

/** `what`: the policy that excludes the method. */
export function methodsText(what: string, method: MethodName): string {
  return `false, because ${what} leaves ${method} out; or one of the policies ${policiesAllowing(method).join(', ')}`;
}

export const TTL_TEXT = 'only with consolidateAfter "Never": consolidation removes empty nodes itself';

/** The methods block may disable what the policy allows, but not enable more. */
function methodsAgainstPolicy(block: unknown): SchemaProblem[] {
  const { success, data } = disruptionBlock.shape.consolidationPolicy.safeParse(
    valueAt(block, ['consolidationPolicy']),
  );
  if (!success) return [];
  return METHODS.flatMap((method) => {
    const path = ['consolidation', method, 'enabled'];
    const value = valueAt(block, path);
    if (value !== true || allows(policyName(data), method)) return [];
    return [{ path, value, allowed: methodsText(`consolidationPolicy ${data}`, method) }];
  });
}

/** Cluster consolidation document, "Emptiness TTL": two mechanisms must not race for empty nodes. */
function ttlWithConsolidation(block: unknown): SchemaProblem[] {
  const path = ['ttlSecondsAfterEmpty'];
  const value = valueAt(block, path);
  const { success, data } = disruptionBlock.shape.consolidateAfter.safeParse(valueAt(block, ['consolidateAfter']));
  if (value === undefined || !success || data === 'Never') return [];
  return [{ path, value, allowed: TTL_TEXT }];
}

function halfWindows(block: unknown): SchemaProblem[] {
  const budgets = valueAt(block, ['budgets']);
  if (!Array.isArray(budgets)) return [];
  return budgets.flatMap((_, i) => {
    const at = (field: string) => ({ path: ['budgets', i, field], value: valueAt(budgets, [i, field]) });
    const [schedule, duration, timeZone] = [at('schedule'), at('duration'), at('timeZone')];
    if (schedule.value === undefined) {
      return [
        ...(duration.value === undefined ? [] : [{ ...duration, allowed: DURATION_ALONE_TEXT }]),
        ...(timeZone.value === undefined ? [] : [{ ...timeZone, allowed: ZONE_ALONE_TEXT }]),
      ];
    }
    return duration.value === undefined ? [{ ...schedule, allowed: SCHEDULE_ALONE_TEXT }] : [];
  });
}
