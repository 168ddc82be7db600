import type { PodObject, TopologySpread } from '../../src/engine/cluster/objects.ts';
import { HOSTNAME } from '../../src/engine/cluster/well-known.ts';
import { mayHaveValue, mayRunOn, readingsOf, selects } from './labels.ts';
import { isStaying, type Located, type Place } from './places.ts';
import { isTolerated } from './taints.ts';
import type { Host } from './world.ts';

/**
 * DoNotSchedule constraints that the pod breaks by going to the place: pods in its domain, itself included, less those in
 * the emptiest domain, are more than maxSkew.
 *
 * Pods on new nodes count for sure only if the domain was settled when they came; whatever is not sure is held in favour
 * of the placement. Exact for existing nodes.
 */
export function brokenSpreads(
  pod: PodObject,
  place: Place,
  others: readonly Located[],
  survivors: readonly Host[],
): string[] {
  const spreads = pod.constraints.topologySpread.filter((s) => s.whenUnsatisfiable === 'DoNotSchedule');
  const readings = readingsOf(pod).map((reading) =>
    spreads.flatMap((s) => {
      const problem = imbalance(s, reading, place, others, survivors);
      return problem === undefined ? [] : [`spread over ${s.topologyKey}: ${problem}`];
    }),
  );
  return readings.some((problems) => problems.length === 0) ? [] : readings[0];
}

function imbalance(
  s: TopologySpread,
  pod: PodObject,
  place: Place,
  others: readonly Located[],
  survivors: readonly Host[],
): string | undefined {
  const key = s.topologyKey;
  const domain = place.certain(key);
  if (domain === undefined) return 'the domain is not settled';
  const matching = others.filter((o) => o.pod.namespace === pod.namespace && isStaying(o) && isCounted(s, pod, o.pod));
  const sure = matching.filter(
    (o) => o.place.certain(key) === domain && isSettled(o, key, matching) && isSurelyEligible(s, pod, o.place),
  ).length;
  const atMost = (value: string) =>
    matching.filter((o) => o.place.possible(key).has(value) && mayBeEligible(s, pod, o.place)).length;
  const eligible = survivors
    .filter((h) => h.isNode && h.labels[key] !== undefined && passes(s, pod, h))
    .map((h) => h.labels[key]);
  // Karpenter takes the minimum over the domains that the alternative in force leaves to the pod, even under nodeAffinityPolicy Ignore.
  const domains = new Set([domain, ...eligible.filter((value) => mayHaveValue(pod.constraints, key, value))]);
  const known = new Set([...domains, ...matching.flatMap((o) => [...o.place.possible(key)])]);
  const lowest = known.size < (s.minDomains ?? 0) ? 0 : Math.min(...[...domains].map(atMost));
  const self = isCounted(s, pod, pod) ? 1 : 0;
  return sure + self - lowest > s.maxSkew
    ? `${sure} + ${self} in ${domain}, ${lowest} in the emptiest, maxSkew ${s.maxSkew}`
    : undefined;
}

function isCounted(s: TopologySpread, owner: PodObject, other: PodObject): boolean {
  const sameVersion = (s.matchLabelKeys ?? []).every(
    (key) => owner.labels[key] === undefined || owner.labels[key] === other.labels[key],
  );
  return selects(s.labelSelector, other.labels) && sameVersion;
}

/** On a new node: the pool names the only value itself, or a pod that is spread over the key had come by then. */
function isSettled({ pod, place }: Located, key: string, others: readonly Located[]): boolean {
  if (place.newNode === undefined || key === HOSTNAME) return true;
  const { pool } = place.newNode;
  if (pool.templateLabels[key] !== undefined) return true;
  if (pool.requirements.some((r) => r.key === key && r.operator === 'In' && r.values?.length === 1)) return true;
  const pins = (p: PodObject) =>
    p.constraints.topologySpread.some((s) => s.topologyKey === key && s.whenUnsatisfiable === 'DoNotSchedule');
  const order = place.newNode.pods;
  return order.slice(0, order.indexOf(pod) + 1).some((p) => pins(p) && (p === pod || others.some((o) => o.pod === p)));
}

function passes(s: TopologySpread, pod: PodObject, host: Host): boolean {
  const byAffinity = s.nodeAffinityPolicy === 'Ignore' || mayRunOn(host.labels, pod.constraints);
  const byTaints =
    s.nodeTaintsPolicy !== 'Honor' || host.taintsNow.every((t) => isTolerated(t, pod.constraints.tolerations));
  return byAffinity && byTaints;
}

function isSurelyEligible(s: TopologySpread, pod: PodObject, place: Place): boolean {
  return place.host === undefined ? !isChoosy(s, pod) : passes(s, pod, place.host);
}

function mayBeEligible(s: TopologySpread, pod: PodObject, place: Place): boolean {
  return place.host === undefined || passes(s, pod, place.host);
}

/** Nodes may be left out of the count; for a new node, whose labels are open, that cannot be told. */
function isChoosy(s: TopologySpread, { constraints: c }: PodObject): boolean {
  const byAffinity =
    s.nodeAffinityPolicy !== 'Ignore' && (Object.keys(c.nodeSelector).length > 0 || c.requiredNodeTerms !== undefined);
  return byAffinity || s.nodeTaintsPolicy === 'Honor';
}
