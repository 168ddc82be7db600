import type { CompiledCluster } from './compiled-cluster.ts';

/** Where pods of nodes that leave are planned to go, by pod. Karpenter places them where they fit first. */
export function plannedRows({ objects, leaving, pods, rows, settings }: CompiledCluster): ReadonlyMap<number, number> {
  const out = new Map<number, number>();
  const { plannedDestinations } = objects;
  if (plannedDestinations === undefined || leaving.length === 0 || settings.compat) return out;
  const rowOf = new Map<string, number>();
  for (const [row, { name, claim }] of rows.entries()) rowOf.set(name, row).set(claim?.name ?? name, row);
  for (const pod of leaving) {
    const row = rowOf.get(plannedDestinations.get(pods[pod].uid) ?? '');
    if (row !== undefined) out.set(pod, row);
  }
  return out;
}
