import { labelOf, type NodeSelectorTerm, type PodAffinityTerm, type Weighted } from '../engine/cluster/objects.ts';
import { labelsSatisfy } from '../engine/scheduling/node-filter.ts';
import { compileSelector } from '../engine/selection/label-selector.ts';
import { fromLabels, fromSelectors, intersectAll, type Requirements } from '../engine/selection/requirements.ts';
import { toleratesAll } from '../engine/selection/taints.ts';
import type { SimNode } from './sim-node.ts';
import type { AppState } from './sim-pod.ts';
import type { Tally, TopologyIndex } from './topology-index.ts';

interface SpreadRule {
  readonly tally: Tally;
  readonly maxSkew: number;
  readonly minDomains: number;
  /** 1 if the selector matches the pod itself. */
  readonly self: 0 | 1;
}

/** A workload's constraints as kube-scheduler evaluates them. */
export interface PlacementRules {
  /** By labels and taints, which do not change while a node is ready. */
  admits(node: SimNode): boolean;
  /** No node selector and no required node affinity. */
  readonly acceptsAnyLabels: boolean;
  readonly spread: readonly SpreadRule[];
  readonly softSpread: readonly SpreadRule[];
  readonly affinity: readonly { readonly tally: Tally; readonly selfSelecting: boolean }[];
  /** The domain must not contain any of these. */
  readonly apart: readonly Tally[];
  readonly preferredNodes: readonly { readonly weight: number; readonly requirements: Requirements }[];
  /** Negative weights are anti-affinity. */
  readonly preferredPods: readonly { readonly weight: number; readonly tally: Tally }[];
  /** Feasibility depends on where other pods run. */
  readonly dependsOnPods: boolean;
}

export function placementRules(state: AppState, apps: readonly AppState[], index: TopologyIndex): PlacementRules {
  const { constraints: c, namespace, labels } = state.app;
  const selector = fromLabels(c.nodeSelector);
  const terms = c.requiredNodeTerms?.map((term) => intersectAll(selector.values(), termOf(term).values())) ?? [
    selector,
  ];
  // PreferNoSchedule only lowers a node's score.
  const admits = (node: SimNode) =>
    terms.some((term) => labelsSatisfy(node.labels, term)) &&
    toleratesAll(
      node.taints.filter((t) => t.effect !== 'PreferNoSchedule'),
      c.tolerations,
    );
  const spreadRules = (when: 'DoNotSchedule' | 'ScheduleAnyway') =>
    c.topologySpread
      .filter((s) => s.whenUnsatisfiable === when)
      .map(
        (s): SpreadRule => ({
          tally: index.matching(s.topologyKey, [namespace], s.labelSelector),
          maxSkew: s.maxSkew,
          minDomains: s.minDomains ?? 0,
          self: compileSelector(s.labelSelector).matches(labels) ? 1 : 0,
        }),
      );
  const matching = (term: PodAffinityTerm) => index.matchingTerm(term, namespace);
  const selectedBy = (term: PodAffinityTerm, own: string) =>
    index.namespacesOf(term, own).includes(namespace) && compileSelector(term.labelSelector).matches(labels);
  const repelling = apps.flatMap(({ app }) =>
    app.constraints.requiredAntiAffinity
      .filter((term) => selectedBy(term, app.namespace))
      .map((term) => index.having(term, app.namespace)),
  );
  const preferred = (list: readonly Weighted<PodAffinityTerm>[], sign: 1 | -1) =>
    list.map(({ weight, term }) => ({ weight: sign * weight, tally: matching(term) }));
  const rules = {
    admits,
    acceptsAnyLabels: c.requiredNodeTerms === undefined && Object.keys(c.nodeSelector).length === 0,
    spread: spreadRules('DoNotSchedule'),
    softSpread: spreadRules('ScheduleAnyway'),
    affinity: c.requiredAffinity.map((term) => ({
      tally: matching(term),
      selfSelecting: selectedBy(term, namespace),
    })),
    apart: [...c.requiredAntiAffinity.map(matching), ...repelling],
    preferredNodes: c.preferredNodeTerms.map(({ weight, term }) => ({ weight, requirements: termOf(term) })),
    preferredPods: [...preferred(c.preferredAffinity, 1), ...preferred(c.preferredAntiAffinity, -1)],
  };
  return { ...rules, dependsOnPods: rules.spread.length + rules.affinity.length + rules.apart.length > 0 };
}

function termOf({ matchExpressions = [] }: NodeSelectorTerm): Requirements {
  return fromSelectors(matchExpressions);
}

/** The global minimum: fewest pods in any domain of these nodes. */
function fewest({ tally, minDomains }: SpreadRule, nodes: readonly SimNode[]): number {
  const domains = new Set<string>();
  let least = Number.POSITIVE_INFINITY;
  for (const { labels } of nodes) {
    const domain = labelOf(labels, tally.topologyKey);
    if (domain === undefined || domains.has(domain)) continue;
    domains.add(domain);
    least = Math.min(least, tally.counts(domain));
  }
  return domains.size < minDomains || domains.size === 0 ? 0 : least;
}

/** Checks spread, affinity and anti-affinity. `candidates`: all nodes that admit the pod by labels. */
export function podsAllow(rules: PlacementRules, candidates: readonly SimNode[]): (node: SimNode) => boolean {
  const least = rules.spread.map((rule) => fewest(rule, candidates));
  return ({ labels }) => {
    for (let i = 0; i < rules.spread.length; i++) {
      const { tally, maxSkew, self } = rules.spread[i];
      const domain = labelOf(labels, tally.topologyKey);
      if (domain === undefined || tally.counts(domain) + self - least[i] > maxSkew) return false;
    }
    for (const { tally, selfSelecting } of rules.affinity) {
      const domain = labelOf(labels, tally.topologyKey);
      if (domain === undefined) return false;
      if (tally.counts(domain) === 0 && !(selfSelecting && tally.occupied === 0)) return false;
    }
    for (const tally of rules.apart) {
      const domain = labelOf(labels, tally.topologyKey);
      if (domain !== undefined && tally.counts(domain) > 0) return false;
    }
    return true;
  };
}
