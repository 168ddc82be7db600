import type {
  LabelSelector,
  Labels,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodConstraints,
} from '../../src/engine/cluster/objects.ts';

/** Labels and selectors as the Kubernetes documentation describes them, one case after the other. */
export function selects(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (selector === undefined) return false;
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) if (labels[key] !== value) return false;
  for (const { key, operator, values = [] } of selector.matchExpressions ?? []) {
    if (!meets(labels, { key, operator, values })) return false;
  }
  return true;
}

export function meets(labels: Labels, { key, operator, values = [] }: NodeSelectorRequirement): boolean {
  const value: string | undefined = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return isInteger(value) && Number(value) > Number(values[0]);
    case 'Lt':
      return isInteger(value) && Number(value) < Number(values[0]);
    case 'Gte':
      return isInteger(value) && Number(value) >= Number(values[0]);
    case 'Lte':
      return isInteger(value) && Number(value) <= Number(values[0]);
  }
}

function isInteger(value: string | undefined): boolean {
  return value !== undefined && /^-?\d+$/.test(value);
}

export function meetsTerm(labels: Labels, term: NodeSelectorTerm): boolean {
  return (term.matchExpressions ?? []).every((r) => meets(labels, r));
}

/** The required part of a pod's node selection: the selector, and any one of the terms. */
export function mayRunOn(labels: Labels, c: PodConstraints): boolean {
  for (const [key, value] of Object.entries(c.nodeSelector)) if (labels[key] !== value) return false;
  return c.requiredNodeTerms === undefined || c.requiredNodeTerms.some((term) => meetsTerm(labels, term));
}

/**
 * Does what the pod says of this one label leave the value, in at least one of the alternatives that a node with
 * `labels` satisfies?
 */
export function mayHaveValue(c: PodConstraints, labels: Labels, key: string, value: string): boolean {
  if (c.nodeSelector[key] !== undefined && c.nodeSelector[key] !== value) return false;
  const terms = c.requiredNodeTerms?.filter((term) => meetsTerm(labels, term));
  if (terms === undefined) return true;
  return terms.some((term) =>
    (term.matchExpressions ?? []).filter((r) => r.key === key).every((r) => meets({ [key]: value }, r)),
  );
}
