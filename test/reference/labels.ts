import type {
  LabelSelector,
  Labels,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodConstraints,
  PodObject,
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
 * The pod as Karpenter reads it, one required node-affinity term after the other: the first one is in force, and terms
 * are dropped from the front as long as the pod finds no place. A placement is fine if one of the readings allows it.
 */
export function readingsOf(pod: PodObject): PodObject[] {
  const terms = pod.constraints.requiredNodeTerms;
  if (terms === undefined) return [pod];
  return terms.map((_, k) => ({ ...pod, constraints: { ...pod.constraints, requiredNodeTerms: terms.slice(k) } }));
}

/** Does what the pod says of this one label, its term in force included, leave the value? */
export function mayHaveValue(c: PodConstraints, key: string, value: string): boolean {
  if (c.nodeSelector[key] !== undefined && c.nodeSelector[key] !== value) return false;
  const inForce = c.requiredNodeTerms?.[0].matchExpressions ?? [];
  return inForce.filter((r) => r.key === key).every((r) => meets({ [key]: value }, r));
}
