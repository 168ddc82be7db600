import type { CompiledCluster } from '../../scheduling/compiled-cluster.ts';
import type { PodShape } from '../../scheduling/pod-shapes.ts';
import type { TopologyDomains } from '../../scheduling/topology-domains.ts';

/** From this share of its pods on, a node's constraints decide with which others it can be replaced. */
const SHARE = 1 / 3;

/**
 * The domains, a zone mostly, that a node's pods can hardly leave, because they are spread over them or have affinity there;
 * empty if that is true of few. Nodes with the same constraints can be replaced together by a node in the same domain.
 */
export class SharedConstraints {
  private readonly cluster: CompiledCluster;
  /** Pods of one shape are bound to domains of the same keys. */
  private readonly binding = new Map<PodShape, readonly TopologyDomains[]>();

  constructor(cluster: CompiledCluster) {
    this.cluster = cluster;
  }

  of(row: number): string {
    const { movableOfRow, shapeOfPod } = this.cluster;
    const pods = movableOfRow[row];
    const bound = new Set<TopologyDomains>();
    let constrained = 0;
    for (const pod of pods) {
      const shape = shapeOfPod[pod];
      const binding = shape === undefined ? UNBOUND : this.bindingOf(shape);
      if (binding.length > 0) constrained++;
      for (const domains of binding) bound.add(domains);
    }
    if (constrained < SHARE * pods.length) return '';
    return [...bound]
      .map(({ key, ofRow }) => `${key} ${ofRow[row]}`)
      .sort()
      .join();
  }

  private bindingOf(shape: PodShape): readonly TopologyDomains[] {
    let binding = this.binding.get(shape);
    if (binding === undefined) {
      const { list } = this.cluster.groups;
      const groups = shape.stages[0].byDomain.filter((g) => list[g].kind !== 'anti-affinity');
      binding = [...new Set(groups.map((g) => list[g].domains))];
      this.binding.set(shape, binding);
    }
    return binding;
  }
}

const UNBOUND: readonly TopologyDomains[] = [];
