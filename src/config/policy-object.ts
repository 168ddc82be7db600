import * as z from 'zod';
import type { LabelSelector } from '../engine/cluster/objects.ts';
import { withRules } from './cel-rule.ts';
import { choiceField, listOf, objectOf } from './leaf-schemas.ts';
import { fieldPath, withoutNulls } from './object-path.ts';
import { windowProblems } from './policy-windows.ts';
import type { Problem } from './problem.ts';
import { NODE_POOL_BLOCK, readPoolPolicy } from './read-pool-policy.ts';
import { check, type SchemaProblem, valueAt } from './schema-problems.ts';

/** An object with a disruption block, as given. */
export interface PolicyObject {
  readonly kind: PolicyKind;
  /** Without one, the kind decides. */
  readonly apiVersion: unknown;
  readonly name: string;
  readonly spec: unknown;
  /** metadata.generation, if set by an API server. */
  readonly generation?: number;
}

export const API_VERSIONS = { NodePool: 'karpenter.sh/v1', ConsolidationPolicy: 'decant.sh/v1alpha1' } as const;
export type PolicyKind = keyof typeof API_VERSIONS;

/** All problems of the object's disruption block and its surroundings. */
export function objectProblems({ kind, apiVersion, name, spec: givenSpec }: PolicyObject): readonly Problem[] {
  const object = `${kind}/${name}`;
  const wanted = API_VERSIONS[kind];
  if (apiVersion !== undefined && apiVersion !== wanted) {
    return [
      { object, field: 'apiVersion', value: apiVersion, allowed: `${wanted}, the only version that is supported` },
    ];
  }
  const spec = withoutNulls(givenSpec) ?? {};
  if (typeof spec !== 'object' || Array.isArray(spec)) {
    return [{ object, field: 'spec', value: givenSpec, allowed: 'an object' }];
  }
  if (kind === 'NodePool') return blockProblems(object, valueAt(spec, ['disruption']), NODE_POOL_BLOCK);
  const { nodePoolSelector, windows, ...block } = spec as Readonly<Record<string, unknown>>;
  const at = (field: string, problems: readonly SchemaProblem[]) =>
    problems.map(({ path, value, allowed }) => ({ object, field: fieldPath(`spec.${field}`, path), value, allowed }));
  return [
    ...at('nodePoolSelector', selectorProblems(nodePoolSelector)),
    ...blockProblems(object, block, 'spec'),
    ...at('windows', windowProblems(windows, block)),
  ];
}

function blockProblems(object: string, block: unknown, at: string): readonly Problem[] {
  const reading = readPoolPolicy(object, block, at);
  return 'problems' in reading ? reading.problems : [];
}

const string = z.string('a string');
const VALUES_WANTED = 'at least one value, as the operator is';
const VALUES_UNWANTED = 'no values, as the operator is';

/** metav1.LabelSelector. Required: a policy without one could mean all pools or none. */
export const nodePoolSelectorSchema = objectOf({
  matchLabels: z.record(string, string, 'labels: strings by strings').optional(),
  matchExpressions: listOf(
    withRules(
      objectOf({
        key: string.min(1, 'the name of a label'),
        operator: choiceField(['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: listOf(string, 'strings').optional(),
      }),
      {
        rule: '!(self.operator in ["In", "NotIn"]) || has(self.values) && size(self.values) > 0',
        ...aboutValues(VALUES_WANTED),
      },
      {
        rule: 'self.operator in ["In", "NotIn"] || !has(self.values) || size(self.values) == 0',
        ...aboutValues(VALUES_UNWANTED),
      },
    ),
    'expressions with key, operator, values',
  ).optional(),
});

function aboutValues(words: string) {
  return { message: `${words} this one`, messageExpression: `"${words} " + self.operator`, fieldPath: '.values' };
}

const SELECTOR_TEXT = 'a label selector; {} selects every NodePool';

function selectorProblems(selector: unknown): readonly SchemaProblem[] {
  if (selector === undefined) return [{ path: [], value: undefined, allowed: SELECTOR_TEXT }];
  const checked = check(nodePoolSelectorSchema, selector);
  if ('problems' in checked) return checked.problems;
  return (checked.value.matchExpressions ?? []).flatMap(({ operator, values = [] }, i) => {
    const listed = operator === 'In' || operator === 'NotIn';
    if (listed === values.length > 0) return [];
    const allowed = `${listed ? VALUES_WANTED : VALUES_UNWANTED} ${operator}`;
    return [{ path: ['matchExpressions', i, 'values'], value: values, allowed }];
  });
}

/** The NodePools of a ConsolidationPolicy. An invalid selector selects nothing; the policy's status says so. */
export function nodePoolSelector({ spec }: PolicyObject): LabelSelector | undefined {
  const selector = withoutNulls(valueAt(spec, ['nodePoolSelector']));
  if (selector === undefined || selectorProblems(selector).length > 0) return undefined;
  return selector as LabelSelector;
}
