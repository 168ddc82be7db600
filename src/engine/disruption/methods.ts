import type { NodePoolObject } from '../cluster/objects.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { PoolPolicy } from './pool-policy.ts';
import { isAtMost } from './tolerance.ts';
import { movingShare } from './utilization.ts';

/** Which methods may take a node up, as far as its pool's policy and methods block go. */
export interface Methods {
  /** It is empty, or nearly: it may be deleted, and never replaced. */
  readonly emptiness: boolean;
  readonly single: boolean;
  readonly multi: boolean;
}

const NONE: Methods = { emptiness: false, single: false, multi: false };

/** Karpenter's split: empty nodes are emptiness' and nobody else's, all others belong to the other two. */
export function methodsFor(
  cluster: CompiledCluster,
  row: number,
  pool: NodePoolObject,
  policy: PoolPolicy,
  empty: boolean,
): Methods {
  const { emptiness, singleNode, multiNode, consolidateAfterMs } = policy;
  if (pool.replicas !== undefined) return NONE;
  if (empty) return { ...NONE, emptiness: emptiness.enabled && removesEmptyNodes(policy) };
  if (consolidateAfterMs === undefined) return NONE;
  return {
    emptiness: emptiness.enabled && usesLittle(cluster, row, policy),
    single: singleNode.enabled,
    multi: multiNode.enabled,
  };
}

/** Where consolidation is off, a TTL may still remove what is empty. */
export function removesEmptyNodes({ consolidateAfterMs, ttlSecondsAfterEmpty }: PoolPolicy): boolean {
  return consolidateAfterMs !== undefined || ttlSecondsAfterEmpty !== undefined;
}

/**
 * The pods that would have to move use at most emptyThreshold of the node. "0%" is off: pods that
 * request nothing use 0 % of a node and still do not make it empty.
 */
export function usesLittle(
  cluster: CompiledCluster,
  row: number,
  { emptiness: { emptyThreshold } }: PoolPolicy,
): boolean {
  return emptyThreshold > 0 && isAtMost(movingShare(cluster, row), emptyThreshold);
}
