import type { NodeSelectorRequirement, NodeSelectorTerm, PodObject } from '../cluster/objects.ts';

const NAME_FIELD = 'metadata.name';

/**
 * What a node-affinity term requires. A node's name is no label, so a term with `matchFields` is met by no other node than
 * the pod's own and by no new one. kube-scheduler would let the pod of such a volume wait, or place it where it cannot start.
 */
export function withNameFields({
  matchExpressions = [],
  matchFields = [],
}: NodeSelectorTerm): readonly NodeSelectorRequirement[] {
  return [
    ...matchExpressions,
    ...matchFields.map(
      ({ operator, values }): NodeSelectorRequirement =>
        operator === 'In' ? { key: NAME_FIELD, operator, values } : { key: NAME_FIELD, operator: 'Exists' },
    ),
  ];
}

/** Controllers of other groups than `apps` have DaemonSets too, whose pods name their node and need no other one. */
export function isPinnedByName(pod: PodObject): boolean {
  const { requiredNodeTerms = [] } = pod.constraints;
  return requiredNodeTerms.some((t) => t.matchFields !== undefined) && !pod.owners.some((o) => o.kind === 'DaemonSet');
}
