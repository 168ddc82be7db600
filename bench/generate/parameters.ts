/**
 * Changes when the same parameters begin to give other bytes, be it by the generator or by the bundled
 * catalog; cached files of older versions are then not used.
 */
export const GENERATOR_VERSION = 1;

export const NOW_MS = Date.UTC(2026, 7, 20, 12);

export type CapacityType = 'on-demand' | 'spot';

/**
 * - normal: utilization from empty to full.
 * - packed: no cpu left on any node, so that nothing fits anywhere.
 * - tight: most nodes full, one in ten with some room, memory per cpu different from node to node.
 * - fragmented: cpu is left on one half of the nodes and memory on the other, at random, so that a
 *   look at either alone finds room everywhere and there is almost none.
 * - spread: like tight, with a topology spread constraint over zones or hosts on every pod.
 */
export type Variant = 'normal' | 'packed' | 'tight' | 'fragmented' | 'spread';

export interface ClusterParameters {
  readonly seed: number;
  readonly nodes: number;
  /** On average, DaemonSets' pods not counted. */
  readonly podsPerNode: number;
  /** plain: one NodePool, no constraints. mixed: six NodePools, every kind of constraint. */
  readonly mode: 'plain' | 'mixed';
  readonly variant: Variant;
  /** generated: 240 types in three zones. aws: the bundled catalog. */
  readonly catalog: 'generated' | 'aws';
  /** The only one that NodePools offer; absent: as each pool has it. */
  readonly capacityType?: CapacityType;
  readonly spotToSpot: boolean;
}

export const DEFAULTS: ClusterParameters = {
  seed: 1,
  nodes: 1000,
  podsPerNode: 10,
  mode: 'mixed',
  variant: 'normal',
  catalog: 'generated',
  spotToSpot: false,
};

/** Names the parameters, and nothing else: equal keys, equal bytes. */
export function parameterKey(p: ClusterParameters): string {
  const parts = [p.mode, p.variant, p.nodes, `x${p.podsPerNode}`, p.catalog];
  if (p.capacityType !== undefined) parts.push(p.capacityType);
  if (p.spotToSpot) parts.push('spot-to-spot');
  return [...parts, `seed${p.seed}`, `v${GENERATOR_VERSION}`].join('-');
}
