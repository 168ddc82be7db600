import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { GroupId } from '../scheduling/group-rules.ts';
import type { PodShape } from '../scheduling/pod-shapes.ts';

/** From this share of its pods on, what a node's pods are bound to decides whom it can be exchanged with. */
const SHARE = 1 / 3;

/**
 * The domains, a zone mostly, that a node's pods can hardly leave, because they are spread over them or want company there;
 * empty if that is true of few. Nodes with the same ties can be exchanged together for a node in the same domain.
 */
export class Ties {
  private readonly cluster: CompiledCluster;
  /** Pods of one shape are bound by the same groups. */
  private readonly binding = new Map<PodShape, readonly GroupId[]>();

  constructor(cluster: CompiledCluster) {
    this.cluster = cluster;
  }

  of(row: number): string {
    const { movableOfRow, shapeOfPod, groups } = this.cluster;
    const pods = movableOfRow[row];
    const bound = new Set<GroupId>();
    let tied = 0;
    for (const pod of pods) {
      const shape = shapeOfPod[pod];
      const binding = shape === undefined ? NO_GROUPS : this.bindingOf(shape);
      if (binding.length > 0) tied++;
      for (const g of binding) bound.add(g);
    }
    if (tied < SHARE * pods.length) return '';
    const ties = new Set<string>();
    for (const g of bound) {
      const { key, ofRow } = groups.list[g].domains;
      ties.add(`${key} ${ofRow[row]}`);
    }
    return [...ties].sort().join();
  }

  private bindingOf(shape: PodShape): readonly GroupId[] {
    let binding = this.binding.get(shape);
    if (binding === undefined) {
      const { list } = this.cluster.groups;
      binding = shape.stages[0].byDomain.filter((g) => list[g].kind !== 'anti-affinity');
      this.binding.set(shape, binding);
    }
    return binding;
  }
}

const NO_GROUPS: readonly GroupId[] = [];
