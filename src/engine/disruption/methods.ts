import type { NodePoolObject } from '../cluster/objects.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { PoolPolicy } from './pool-policy.ts';
import { isAtMost } from './tolerance.ts';
import { movingShare } from './utilization.ts';

/** Methods that may remove a node, by its pool's policy and methods block. */
export interface Methods {
  /** It is empty, or nearly: it may be deleted, but not replaced. */
  readonly emptiness: boolean;
  readonly single: boolean;
  readonly multi: boolean;
}

const NONE: Methods = { emptiness: false, single: false, multi: false };

/** As in Karpenter: empty nodes belong to emptiness only, all others to the other two. */
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

/** With consolidation off, a TTL may still remove empty nodes. */
export function removesEmptyNodes({ consolidateAfterMs, ttlSecondsAfterEmpty }: PoolPolicy): boolean {
  return consolidateAfterMs !== undefined || ttlSecondsAfterEmpty !== undefined;
}

/**
 * The pods that would have to move use at most emptyThreshold of the node. "0%" is off: pods without requests use 0 %
 * of a node and still do not make it empty.
 */
export function usesLittle(
  cluster: CompiledCluster,
  row: number,
  { emptiness: { emptyThreshold } }: PoolPolicy,
): boolean {
  return emptyThreshold > 0 && isAtMost(movingShare(cluster, row), emptyThreshold);
}
