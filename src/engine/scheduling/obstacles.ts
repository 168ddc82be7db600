import { hasBit, isEmptyBitset } from '../cluster/bitset.ts';
import { amountOf, labelOf, type Taint } from '../cluster/objects.ts';
import { HOSTNAME } from '../cluster/well-known.ts';
import { admits, allowsAbsence, type Requirement } from '../selection/requirement.ts';
import { INCOMPATIBLE } from '../selection/requirement-space.ts';
import { tolerates } from '../selection/taints.ts';
import { newClaim } from './claim.ts';
import { freeForMoves, isCordoned, lostReadiness } from './destinations.ts';
import type { GroupKind } from './group-rules.ts';
import { labelsSatisfy } from './node-filter.ts';
import type { PodShape, PodStage } from './pod-shapes.ts';
import type { Simulation } from './simulation.ts';
import type { TopologyQuestion } from './topology.ts';

/** What keeps a pod off one node, the first in Karpenter's order. Amounts in millicores, bytes or units. */
export type NodeObstacle =
  | { readonly code: 'leaving' }
  | { readonly code: 'not-ready' }
  | { readonly code: 'cordoned' }
  | { readonly code: 'rebooting' }
  /** An object that is or runs on it cannot be decoded. */
  | { readonly code: 'undecodable' }
  | { readonly code: 'shielded' }
  | { readonly code: 'taint'; readonly taint: Taint }
  | { readonly code: 'volume-limit' }
  | { readonly code: 'host-port' }
  /** Requests exceed the node's capacity of some resource; it takes nothing meanwhile. */
  | { readonly code: 'overdrawn'; readonly resources: readonly string[] }
  | { readonly code: 'resources'; readonly missing: Readonly<Record<string, number>> }
  | { readonly code: 'label'; readonly key: string; readonly value: string | undefined; readonly wanted: Requirement }
  | { readonly code: 'volume-location' }
  | TopologyObstacle;

export interface TopologyObstacle {
  readonly code: 'topology';
  readonly kind: GroupKind;
  /** The rule belongs to another pod, which repels this one. */
  readonly inverse: boolean;
  readonly key: string;
  readonly domain: string | undefined;
  /** Pods that the rule counts in that domain. */
  readonly pods: number;
  readonly maxSkew: number;
}

/** What keeps a pod off new nodes of one NodePool. */
export type PoolObstacle =
  | { readonly code: 'taint'; readonly taint: Taint }
  | { readonly code: 'limits' }
  | { readonly code: 'label'; readonly key: string; readonly wanted: Requirement }
  | { readonly code: 'volume-location' }
  | { readonly code: 'topology' }
  | { readonly code: 'resources'; readonly missing: Readonly<Record<string, number>> }
  | { readonly code: 'no-offering' };

export interface Obstacles {
  readonly pod: string;
  /** Set if no node fits at all: Karpenter places no pod with ResourceClaims or with a missing volume. */
  readonly everywhere?: 'resource-claims' | 'volume-missing';
  readonly nodes: readonly { readonly node: string; readonly obstacle: NodeObstacle }[];
  /** Nodes that fit but violate its preferences, which bind as long as a new node satisfies them. */
  readonly preferences: Obstacles['nodes'];
  readonly nodePools: readonly { readonly nodePool: string; readonly obstacle: PoolObstacle }[];
  /** The node that lacks least: only resources, and the smallest share of the pod's requests. */
  readonly closest?: { readonly node: string; readonly missing: Readonly<Record<string, number>> };
}

/**
 * Why a pod has no place, by node and by pool, without its preferences, and what these would exclude. Must be called
 * before the outcome is undone, inside `Simulation.removing`.
 */
export function obstaclesOf(simulation: Simulation, pod: number): Obstacles {
  const { cluster } = simulation;
  const shape = cluster.shapeOfPod[pod];
  if (shape === undefined) throw new Error('only pods that a simulation places have obstacles');
  const membership = cluster.membershipOfPod[pod];
  const at = (stage: PodStage): Ask => ({ simulation, pod, shape, stage, question: { ...stage, membership } });
  const ask = at(shape.stages[shape.stages.length - 1]);
  // Several required terms are alternatives, so the first is not a preference.
  const alternatives = cluster.pods[pod].constraints.requiredNodeTerms?.length ?? 0;
  const wish = shape.stages.length > 1 && alternatives < 2 ? at(shape.stages[0]) : undefined;
  const nodes: { node: string; obstacle: NodeObstacle }[] = [];
  const short: ShortNode[] = [];
  const preferences: { node: string; obstacle: NodeObstacle }[] = [];
  cluster.rows.forEach((row, i) => {
    if (!row.tracked) return;
    const obstacle = nodeObstacle(ask, i);
    if (obstacle !== undefined) nodes.push({ node: row.name, obstacle });
    if (obstacle?.code === 'resources' && placeObstacle(ask, i) === undefined)
      short.push({ node: row.name, missing: obstacle.missing });
    const unwanted = obstacle !== undefined || wish === undefined ? undefined : nodeObstacle(wish, i);
    if (unwanted !== undefined) preferences.push({ node: row.name, obstacle: unwanted });
  });
  const nodePools = cluster.templates.map((template, t) => ({
    nodePool: template.pool.name,
    obstacle: poolObstacle(ask, t),
  }));
  const { namespace, name } = cluster.pods[pod];
  const everywhere = shape.resourceClaims ? 'resource-claims' : shape.noExistingNode ? 'volume-missing' : undefined;
  return {
    pod: `${namespace}/${name}`,
    everywhere,
    nodes,
    preferences,
    nodePools: nodePools.flatMap(({ nodePool, obstacle }) => (obstacle === undefined ? [] : [{ nodePool, obstacle }])),
    closest: closestOf(ask, short),
  };
}

interface Ask {
  readonly simulation: Simulation;
  readonly pod: number;
  readonly shape: PodShape;
  readonly stage: PodStage;
  readonly question: TopologyQuestion;
}

function nodeObstacle(ask: Ask, row: number): NodeObstacle | undefined {
  const { simulation, pod, shape, stage } = ask;
  const { cluster } = simulation;
  const { taints, deleting, rebooting, undecodable } = cluster.rows[row];
  if (deleting || simulation.existing.isGone(row)) return { code: 'leaving' };
  if (!cluster.settings.compat && lostReadiness(cluster.rows[row])) return { code: 'not-ready' };
  if (!cluster.settings.compat && isCordoned(cluster.rows[row])) return { code: 'cordoned' };
  if (!cluster.settings.compat && rebooting) return { code: 'rebooting' };
  if (undecodable.length > 0) return { code: 'undecodable' };
  if (!simulation.mayUseShielded(pod) && hasBit(cluster.destinations, row) && !hasBit(cluster.unshielded, row))
    return { code: 'shielded' };
  const taint = untolerated(taints, stage);
  if (taint !== undefined) return { code: 'taint', taint };
  const volumes = cluster.volumesOfPod.get(pod);
  if (cluster.volumeLimits.isExceeded(row) || (volumes !== undefined && cluster.volumeLimits.exceeds(row, volumes)))
    return { code: 'volume-limit' };
  if (cluster.ports.clash(row, shape.hostPorts)) return { code: 'host-port' };
  if (!hasBit(cluster.destinations, row)) {
    const resources = [...cluster.requests.dimensions]
      .filter(([, d]) => cluster.free[d][row] < 0)
      .map(([name]) => name);
    return { code: 'overdrawn', resources };
  }
  const mayUseReserve = simulation.mayUseShielded(pod);
  const missing = missingOn(ask, (d) => (mayUseReserve ? cluster.free[d][row] : freeForMoves(cluster, d, row)));
  if (missing !== undefined) return { code: 'resources', missing };
  return placeObstacle(ask, row);
}

/** What keeps the pod off a node regardless of capacity: labels, volumes, topology. */
function placeObstacle(ask: Ask, row: number): NodeObstacle | undefined {
  const { simulation, shape, stage } = ask;
  const { cluster } = simulation;
  const { selectable } = cluster.rows[row];
  for (const r of cluster.space.get(stage.requirements).values()) {
    const value = labelOf(selectable, r.key);
    if (value === undefined ? !allowsAbsence(r) : !admits(r, value))
      return { code: 'label', key: r.key, value, wanted: r };
  }
  if (shape.volumes.length > 0 && !shape.volumes.some((id) => labelsSatisfy(selectable, cluster.space.get(id))))
    return { code: 'volume-location' };
  return topologyObstacle(ask, row);
}

function untolerated(taints: readonly Taint[], stage: PodStage): Taint | undefined {
  return taints.find((taint) => !stage.tolerations.some((t) => tolerates(t, taint)));
}

function missingOn({ simulation, pod }: Ask, free: (dimension: number) => number): Record<string, number> | undefined {
  const { requests, requestOfPod } = simulation.cluster;
  const amounts = requests.amounts(requestOfPod[pod]);
  let missing: Record<string, number> | undefined;
  for (const [name, d] of requests.dimensions) {
    if (amounts[d] > free(d)) missing = { ...missing, [name]: amounts[d] - free(d) };
  }
  return missing;
}

function topologyObstacle({ simulation, question }: Ask, row: number): TopologyObstacle | undefined {
  const { topology, cluster } = simulation;
  const { counts } = topology;
  const host = cluster.groups.keys.get(HOSTNAME)?.ofRow[row] ?? -1;
  const describe = (g: number, domain: number): TopologyObstacle => {
    const { kind, inverse, domains, maxSkew } = counts.groups[g];
    const pods = domain < 0 ? 0 : domains.byHost ? counts.hosts.get(g, domain) : counts.pods[g][domain];
    return { code: 'topology', kind, inverse, key: domains.key, domain: domains.names[domain], pods, maxSkew };
  };
  for (const g of [...question.byHost, ...question.membership.repelledByHost])
    if (!topology.groupAdmitsHost(g, question, host)) return describe(g, host);
  for (const g of [...question.byDomain, ...question.membership.repelledByDomain]) {
    const domain = counts.groups[g].domains.ofRow[row];
    if (domain < 0 || topology.admittedDomains(g, question)[domain] === 0) return describe(g, domain);
  }
  return undefined;
}

function poolObstacle(ask: Ask, t: number): PoolObstacle | undefined {
  const { simulation, shape, stage, question } = ask;
  const { cluster, topology, fresh } = simulation;
  const { space, templates, limits, types, requests } = cluster;
  const template = templates[t];
  const taint = untolerated(template.taints, stage);
  if (taint !== undefined) return { code: 'taint', taint };
  const launchable = limits.launchable(t, template.types);
  if (launchable === undefined) return { code: 'limits' };
  const base = space.narrow(template.opening, stage.requirements);
  if (base === INCOMPATIBLE) {
    for (const r of space.get(stage.requirements).values()) {
      if (space.narrow(template.opening, space.intern(new Map([[r.key, r]]))) === INCOMPATIBLE)
        return { code: 'label', key: r.key, wanted: r };
    }
    throw new Error('requirements contradict each other although none does by itself');
  }
  const places = (shape.volumes.length === 0 ? [0] : shape.volumes)
    .map((place) => space.narrow(base, place))
    .filter((id) => id !== INCOMPATIBLE);
  if (places.length === 0) return { code: 'volume-location' };
  const spread = topology.hostAdmits(question, -1)
    ? places.map((id) => topology.narrow(question, id, false)).filter((id) => id !== INCOMPATIBLE)
    : [];
  if (spread.length === 0) return { code: 'topology' };
  if (spread.every((id) => isEmptyBitset(types.launchable(id)))) return { code: 'no-offering' };
  if (
    fresh.couldHold(
      newClaim(t, -1, template.opening, launchable, requests.dimensions.size),
      ask.pod,
      shape,
      stage,
      question,
    )
  )
    return undefined;
  const largest = (name: string) =>
    Math.max(
      0,
      ...types.list.filter((_, i) => hasBit(launchable, i)).map((type) => amountOf(type.allocatable, name) ?? 0),
    );
  const byDimension = [...requests.dimensions.keys()];
  const missing = missingOn(ask, (d) => largest(byDimension[d]));
  return missing === undefined ? { code: 'no-offering' } : { code: 'resources', missing };
}

/** A node that lacks only resources. */
type ShortNode = NonNullable<Obstacles['closest']>;

function closestOf({ simulation, pod }: Ask, nodes: readonly ShortNode[]): ShortNode | undefined {
  const { requests, requestOfPod } = simulation.cluster;
  const amounts = requests.amounts(requestOfPod[pod]);
  let best: ShortNode | undefined;
  let least = Infinity;
  for (const node of nodes) {
    let share = 0;
    for (const name in node.missing) share += node.missing[name] / amounts[requests.dimensions.get(name) ?? 0];
    if (share < least) [least, best] = [share, node];
  }
  return best;
}
