import type {
  LabelSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  SelectorOperator,
} from '../../engine/cluster/objects.ts';
import {
  decodeChoice,
  integer,
  isAbsent,
  type JsonObject,
  labels,
  object,
  objects,
  requiredText,
  texts,
} from './field-value.ts';

const NODE_OPERATORS: readonly SelectorOperator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'];
const LABEL_OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist'] as const;

function decodeRequirement(raw: JsonObject, path: string): NodeSelectorRequirement {
  const minValues = integer(raw.minValues, `${path}.minValues`);
  return {
    key: requiredText(raw.key, `${path}.key`),
    operator: decodeChoice(raw.operator, NODE_OPERATORS, `${path}.operator`),
    ...(isAbsent(raw.values) ? {} : { values: texts(raw.values, `${path}.values`) }),
    ...(minValues === undefined ? {} : { minValues }),
  };
}

export function decodeRequirements(value: unknown, path: string): readonly NodeSelectorRequirement[] {
  return objects(value, path, decodeRequirement);
}

export function decodeNodeTerm(raw: JsonObject, path: string): NodeSelectorTerm {
  const { matchExpressions, matchFields } = raw;
  return {
    ...(isAbsent(matchExpressions)
      ? {}
      : { matchExpressions: decodeRequirements(matchExpressions, `${path}.matchExpressions`) }),
    ...(isAbsent(matchFields) ? {} : { matchFields: decodeRequirements(matchFields, `${path}.matchFields`) }),
  };
}

/** A NodeSelector's terms; undefined without a selector, which differs from a selector without terms. */
export function decodeNodeTerms(value: unknown, path: string): readonly NodeSelectorTerm[] | undefined {
  const selector = object(value, path);
  return selector && objects(selector.nodeSelectorTerms, `${path}.nodeSelectorTerms`, decodeNodeTerm);
}

/** undefined selects nothing, an empty selector everything. */
export function decodeLabelSelector(value: unknown, path: string): LabelSelector | undefined {
  const selector = object(value, path);
  if (selector === undefined) return undefined;
  const { matchLabels, matchExpressions } = selector;
  return {
    ...(isAbsent(matchLabels) ? {} : { matchLabels: labels(matchLabels, `${path}.matchLabels`) }),
    ...(isAbsent(matchExpressions)
      ? {}
      : { matchExpressions: objects(matchExpressions, `${path}.matchExpressions`, decodeLabelRequirement) }),
  };
}

function decodeLabelRequirement(raw: JsonObject, path: string) {
  return {
    key: requiredText(raw.key, `${path}.key`),
    operator: decodeChoice(raw.operator, LABEL_OPERATORS, `${path}.operator`),
    ...(isAbsent(raw.values) ? {} : { values: texts(raw.values, `${path}.values`) }),
  };
}
