import type { CompiledCluster } from '../../scheduling/compiled-cluster.ts';
import type { GroupId } from '../../scheduling/group-rules.ts';
import type { PodShape } from '../../scheduling/pod-shapes.ts';

/** From this share of its pods on, a node's constraints decide with which others it can be replaced. */
const SHARE = 1 / 3;

/**
 * The domains, a zone mostly, that a node's pods can hardly leave, because they are spread over them or have affinity there;
 * empty if that is true of few. Nodes with the same constraints can be replaced together by a node in the same domain.
 */
export class SharedConstraints {
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
    let constrained = 0;
    for (const pod of pods) {
      const shape = shapeOfPod[pod];
      const binding = shape === undefined ? NO_GROUPS : this.bindingOf(shape);
      if (binding.length > 0) constrained++;
      for (const g of binding) bound.add(g);
    }
    if (constrained < SHARE * pods.length) return '';
    const domains = new Set<string>();
    for (const g of bound) {
      const { key, ofRow } = groups.list[g].domains;
      domains.add(`${key} ${ofRow[row]}`);
    }
    return [...domains].sort().join();
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
