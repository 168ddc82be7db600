import { members } from '../../src/engine/cluster/bitset.ts';
import type { InstanceType, NodePoolObject, PodObject } from '../../src/engine/cluster/objects.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import type { Outcome } from '../../src/engine/scheduling/simulation.ts';

/** An outcome in names and objects, so that the checker does not depend on how the engine numbers things. */
export interface Result {
  readonly removed: ReadonlySet<string>;
  readonly onExisting: readonly { readonly pod: PodObject; readonly node: string }[];
  readonly newNodes: readonly NewNode[];
  /** Pods on nodes that earlier steps launched, by the names of those. */
  readonly onLaunched: readonly { readonly pod: PodObject; readonly node: string }[];
  readonly unplaced: readonly PodObject[];
}

export interface NewNode {
  readonly name: string;
  readonly pool: NodePoolObject;
  readonly types: readonly InstanceType[];
  /** What is known of its labels; keys that are absent are not restricted. */
  readonly labels: ReadonlyMap<string, AllowedValues>;
  readonly pods: readonly PodObject[];
}

/** A set of values, or all but a set, within bounds. */
export interface AllowedValues {
  readonly complement: boolean;
  readonly values: ReadonlySet<string>;
  readonly atLeast?: number;
  readonly atMost?: number;
}

export function isAllowed(allowed: AllowedValues | undefined, value: string): boolean {
  if (allowed === undefined) return true;
  if (allowed.values.has(value) === allowed.complement) return false;
  const { atLeast = -Infinity, atMost = Infinity } = allowed;
  if (atLeast === -Infinity && atMost === Infinity) return true;
  return /^-?\d+$/.test(value) && Number(value) >= atLeast && Number(value) <= atMost;
}

export function readOutcome(cluster: CompiledCluster, rows: readonly number[], outcome: Outcome): Result {
  const podAt = (i: number) => cluster.pods[i];
  return {
    removed: new Set(rows.map((row) => cluster.rows[row].name)),
    onExisting: outcome.placements.map(({ pod, row }) => ({ pod: podAt(pod), node: cluster.rows[row].name })),
    newNodes: outcome.claims.map((claim, i) => ({
      name: `new-node-${i}`,
      pool: cluster.templates[claim.template].pool,
      types: members(claim.types).map((type) => cluster.types.list[type]),
      labels: cluster.space.get(claim.requirements),
      pods: claim.pods.map(podAt),
    })),
    onLaunched: [],
    unplaced: outcome.unplaced.map(podAt),
  };
}
