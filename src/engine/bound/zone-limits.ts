import { members } from '../cluster/bitset.ts';
import { ZONE } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { PodShape } from '../scheduling/pod-shapes.ts';
import type { TopologyGroup } from '../scheduling/topology-groups.ts';
import { admits } from '../selection/requirement.ts';
import type { Reaches } from './reach.ts';

/** Pods with the same spread over zones. */
export interface ZoneLimit {
  /** By zone: pods that it can have at the end of any plan. Absent: no limit. */
  readonly most: ReadonlyMap<string, number>;
}

const NO_LIMIT = -1;

function isOverZones({ kind, key }: TopologyGroup): boolean {
  return kind === 'spread' && key === ZONE;
}

/**
 * What spreads over zones leave of the choice of zones.
 *
 * A pod goes to a zone only if that has then at most `maxSkew` pods more than the emptiest of the k zones that a NodePool can
 * launch in. Let n be the pods of the zone then, and N all pods that count: the emptiest has at most (N − n) / (k − 1), so
 * n ≤ (N + maxSkew · (k − 1)) / k. After the last pod that goes to the zone, pods only leave it. If none ever comes, it has at
 * most those that run there today. Pods of nodes that stay take their part of it.
 */
export class ZoneLimits {
  readonly list: ZoneLimit[] = [];
  private readonly ofPod = new Map<number, number>();

  constructor(cluster: CompiledCluster, removable: readonly number[], reaches: Reaches) {
    // In compat, a spread may not know pods that were placed before it was first needed.
    if (cluster.settings.compat) return;
    const byKey = new Map<string, { group: TopologyGroup; shape: PodShape; pods: number[] }>();
    for (const pod of removable.flatMap((row) => cluster.movableOfRow[row])) {
      const shape = cluster.shapeOfPod[pod] as PodShape;
      const group = respectedGroup(cluster, pod, shape, 'byDomain', isOverZones);
      if (group === undefined || !countsEverywhere(cluster, group, shape, reaches)) continue;
      const key = `${group.id};${shape.stages.map(({ strict }) => strict).join()}`;
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, { group, shape, pods: [pod] });
      else known.pods.push(pod);
    }
    const going = new Set(removable);
    for (const { group, shape, pods } of byKey.values()) {
      const limit = this.list.push({ most: mostByZone(cluster, group, shape, pods, going) }) - 1;
      for (const pod of pods) this.ofPod.set(pod, limit);
    }
  }

  /** Index in `list`, or -1. */
  of(pod: number): number {
    return this.ofPod.get(pod) ?? NO_LIMIT;
  }
}

/** A group that the pod respects in every stage and that counts it. */
export function respectedGroup(
  { groups, membershipOfPod }: CompiledCluster,
  pod: number,
  { stages, forgetsTopology }: PodShape,
  by: 'byHost' | 'byDomain',
  isWanted: (group: TopologyGroup) => boolean,
): TopologyGroup | undefined {
  if (forgetsTopology) return undefined;
  const { counted, running } = membershipOfPod[pod];
  const id = stages[0][by].find(
    (g) =>
      isWanted(groups.list[g]) &&
      counted.includes(g) &&
      running.includes(g) &&
      stages.every((stage) => stage[by].includes(g)),
  );
  return id === undefined ? undefined : groups.list[id];
}

/** Wherever the pod may go, it is counted, and in the domain that the node is in. */
export function countsEverywhere(
  { counts, rows }: CompiledCluster,
  { id, domains: { ofRow, ofNode } }: TopologyGroup,
  shape: PodShape,
  reaches: Reaches,
): boolean {
  for (const row of members(reaches.list[reaches.of(shape)].rows))
    if (!counts.counts(id, row) || (rows[row].node !== undefined && ofRow[row] !== ofNode[row])) return false;
  return true;
}

function mostByZone(
  cluster: CompiledCluster,
  { id, domains, maxSkew, makeableFor }: TopologyGroup,
  shape: PodShape,
  pods: readonly number[],
  going: ReadonlySet<number>,
): ReadonlyMap<string, number> {
  const { counts, space, membershipOfPod, rowOfPod, rows, podsOfRow, pending, leaving } = cluster;
  const allowed = shape.stages.map(({ strict }) => space.require(strict, ZONE));
  const makeable = domains.makeable(makeableFor);
  const zones = [...domains.names.keys()].filter(
    (d) => makeable[d] === 1 && allowed.every((r) => r === undefined || admits(r, domains.names[d])),
  );
  if (zones.length < 2) return NOWHERE_LIMITED;
  const counted = counts.pods[id];
  const waiting = [...pending, ...leaving].filter((pod) => membershipOfPod[pod].counted.includes(id)).length;
  const all = counted.reduce((sum, n) => sum + n, waiting);
  const most = Math.floor((all + maxSkew * (zones.length - 1)) / zones.length);
  const staying = counted.slice();
  rows.forEach(({ deleting }, row) => {
    const d = domains.ofNode[row];
    if (d < 0 || (!deleting && !going.has(row))) return;
    for (const pod of podsOfRow[row]) if (membershipOfPod[pod].running.includes(id)) staying[d]--;
  });
  const now = new Int32Array(domains.size);
  for (const pod of pods) if (domains.ofNode[rowOfPod[pod]] >= 0) now[domains.ofNode[rowOfPod[pod]]]++;
  return new Map(zones.map((d) => [domains.names[d], Math.max(now[d], most - Math.max(0, staying[d]))]));
}

const NOWHERE_LIMITED: ReadonlyMap<string, number> = new Map();
