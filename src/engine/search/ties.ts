import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';

/** From this share of its pods on, what a node's pods are bound to decides whom it can be exchanged with. */
const SHARE = 1 / 3;

/**
 * The domains, a zone mostly, that a node's pods can hardly leave, because they are spread over them or want company there;
 * empty if that is true of few. Nodes with the same ties can be exchanged together for a node in the same domain.
 */
export function tiesOf({ movableOfRow, shapeOfPod, groups }: CompiledCluster, row: number): string {
  const pods = movableOfRow[row];
  const ties = new Set<string>();
  let tied = 0;
  for (const pod of pods) {
    const binding = (shapeOfPod[pod]?.stages[0].byDomain ?? []).filter((g) => groups.list[g].kind !== 'anti-affinity');
    if (binding.length > 0) tied++;
    for (const g of binding) {
      const { key, ofRow } = groups.list[g].domains;
      ties.add(`${key} ${ofRow[row]}`);
    }
  }
  return tied >= SHARE * pods.length ? [...ties].sort().join() : '';
}
