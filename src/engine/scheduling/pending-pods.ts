import type { NodeSelectorRequirement, PodObject } from '../cluster/objects.ts';
import {
  CAPACITY_TYPE,
  canonicalLabel,
  isRestrictedLabel,
  NODE_POOL,
  ON_DEMAND,
  RESERVED,
  SPOT,
} from '../cluster/well-known.ts';
import { operatorOf } from '../selection/requirement.ts';
import { requirementsOf } from './pod-shapes.ts';
import type { Volumes } from './volumes.ts';

/** Karpenter launches nothing for pending pods that it cannot support; simulations leave them out. */
export function isWorthPlacing(pod: PodObject, volumes: Volumes, wellKnown: ReadonlySet<string>): boolean {
  const c = pod.constraints;
  const pool = requirementsOf(c, true).get(NODE_POOL);
  if (pool !== undefined && operatorOf(pool) === 'DoesNotExist') return false;
  const selector = Object.entries(c.nodeSelector).map(
    ([key, value]): NodeSelectorRequirement => ({ key, operator: 'In', values: [value] }),
  );
  const terms = c.requiredNodeTerms ?? [];
  if (terms.some((term) => term.matchFields !== undefined)) return false;
  const all = [...selector, ...terms.flatMap((term) => term.matchExpressions ?? [])];
  return all.every((r) => isAskable(r, wellKnown)) && volumes.areBindable(pod);
}

const CAPACITY_TYPES = [ON_DEMAND, SPOT, RESERVED];

function isAskable(r: NodeSelectorRequirement, wellKnown: ReadonlySet<string>): boolean {
  const key = canonicalLabel(r.key);
  const values = r.values ?? [];
  if (isRestrictedLabel(key, wellKnown)) return false;
  if (r.operator === 'In') {
    if (values.length === 0) return false;
    if (key === CAPACITY_TYPE && !values.some((v) => CAPACITY_TYPES.includes(v))) return false;
  }
  if (r.operator === 'Gt' || r.operator === 'Lt' || r.operator === 'Gte' || r.operator === 'Lte') {
    return values.length === 1 && /^\+?[0-9]+$/.test(values[0]);
  }
  return true;
}
