import { type Labels, labelOf, type PodConstraints, type Taint, type Toleration } from '../cluster/objects.ts';
import { admits, allowsAbsence, canonicalText } from '../selection/requirement.ts';
import {
  compatible,
  fromLabels,
  fromSelectors,
  intersectAll,
  NONE_OPEN,
  type Requirements,
} from '../selection/requirements.ts';
import { toleratesAll } from '../selection/taints.ts';

/**
 * Which nodes count for a spread: those that the pod's node selector and any of its required node-affinity terms allow
 * (nodeAffinityPolicy Honor), and whose taints it tolerates (nodeTaintsPolicy Honor).
 */
export interface NodeFilter {
  /** OR; empty passes every node. */
  readonly terms: readonly Requirements[];
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
  readonly tolerations: readonly Toleration[];
}

export const EVERY_NODE: NodeFilter = { terms: [], honorsAffinity: false, honorsTaints: false, tolerations: [] };

export function spreadFilter(
  c: PodConstraints,
  affinityPolicy: 'Honor' | 'Ignore',
  taintsPolicy: 'Honor' | 'Ignore',
): NodeFilter {
  const selector = fromLabels(c.nodeSelector);
  return {
    terms:
      c.requiredNodeTerms === undefined
        ? [selector]
        : c.requiredNodeTerms.map((term) =>
            intersectAll(selector.values(), fromSelectors(term.matchExpressions ?? []).values()),
          ),
    honorsAffinity: affinityPolicy === 'Honor',
    honorsTaints: taintsPolicy === 'Honor',
    tolerations: c.tolerations,
  };
}

/** Excludes no node. */
export function passesAll(filter: NodeFilter): boolean {
  return (
    !filter.honorsTaints &&
    (!filter.honorsAffinity || filter.terms.length === 0 || filter.terms.some((term) => term.size === 0))
  );
}

export function passesNode(filter: NodeFilter, labels: Labels, taints: readonly Taint[]): boolean {
  const affinity =
    !filter.honorsAffinity || filter.terms.length === 0 || filter.terms.some((term) => labelsSatisfy(labels, term));
  return affinity && (!filter.honorsTaints || toleratesAll(taints, filter.tolerations));
}

export function passesClaim(filter: NodeFilter, requirements: Requirements, taints: readonly Taint[]): boolean {
  const affinity =
    !filter.honorsAffinity ||
    filter.terms.length === 0 ||
    filter.terms.some((term) => compatible(requirements, term, NONE_OPEN));
  return affinity && (!filter.honorsTaints || toleratesAll(taints, filter.tolerations));
}

/** A node with exactly these labels, under their newer names, satisfies the requirements. */
export function labelsSatisfy(labels: Labels, requirements: Requirements): boolean {
  for (const r of requirements.values()) {
    const value = labelOf(labels, r.key);
    if (value === undefined ? !allowsAbsence(r) : !admits(r, value)) return false;
  }
  return true;
}

/** Equal for filters that pass the same nodes. */
export function filterText(f: NodeFilter): string {
  const terms = f.honorsAffinity ? f.terms.map((t) => [...t.values()].map(canonicalText).sort().join('\u0002')) : [];
  return JSON.stringify([terms, f.honorsAffinity, f.honorsTaints, f.honorsTaints ? f.tolerations : []]);
}
