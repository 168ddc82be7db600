import type { MoveRefusal } from '../refusal.ts';

/** `replicas` of a workload's `all` pods would run on `node`; one is always allowed. */
export function workloadShare(
  workload: string,
  { node, nodePool }: { readonly node: string; readonly nodePool: string },
  replicas: number,
  all: number,
  maxShare: number,
): MoveRefusal | undefined {
  if (all < 2 || replicas <= Math.max(1, Math.floor(maxShare * all))) return undefined;
  return { code: 'workload-share', nodePool, workload, node, replicas, all, maxShare };
}
