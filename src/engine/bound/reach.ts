import { addBit, type Bitset, bitset, hasBit, intersectInto, uniteInto } from '../cluster/bitset.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { labelsSatisfy } from '../scheduling/node-filter.ts';
import type { NodeClass, PodShape } from '../scheduling/pod-shapes.ts';
import { INCOMPATIBLE, RequirementSpace, type RequirementsId } from '../selection/requirement-space.ts';
import { overlapOnSharedKeys } from '../selection/requirements.ts';
import { toleratesAll } from '../selection/taints.ts';
import type { PossibleLaunch } from './launches.ts';
import { PodDefinedLabels } from './pod-defined-labels.ts';

/** Where a pod could go by labels, taints and volume topology alone. */
export interface Reach {
  readonly rows: Bitset;
  /** By index in the list of launches. */
  readonly launches: Bitset;
}

/**
 * Where pods could go. Ports, spread, pod affinity, volume limits and the shield of nodes inside their consolidateAfter
 * window are ignored: they only exclude places. All stages of a pod count together: alternatives of a required node
 * affinity are tried in turn, and the last is not the widest.
 */
export class Reaches {
  readonly list: Reach[] = [];
  private readonly cluster: CompiledCluster;
  private readonly launches: readonly PossibleLaunch[];
  private readonly madeUp: PodDefinedLabels;
  private readonly ofNodeClass: (Reach | undefined)[] = [];
  private readonly ofShape = new Map<PodShape, number>();
  private readonly byText = new Map<string, number>();

  constructor(cluster: CompiledCluster, launches: readonly PossibleLaunch[]) {
    this.cluster = cluster;
    this.launches = launches;
    this.madeUp = new PodDefinedLabels(cluster);
  }

  /** Index in `list`; shapes with the same places share one. */
  of(shape: PodShape): number {
    let id = this.ofShape.get(shape);
    if (id === undefined) {
      const { rows, launches } = this.union(shape);
      const text = `${rows.join()};${launches.join()}`;
      id = this.byText.get(text) ?? this.list.push({ rows, launches }) - 1;
      this.byText.set(text, id);
      this.ofShape.set(shape, id);
    }
    return id;
  }

  private union(shape: PodShape): Reach {
    const rows = bitset(this.cluster.rows.length);
    const launches = bitset(this.launches.length);
    for (const { nodeClass } of shape.stages) {
      this.ofNodeClass[nodeClass] ??= this.compute(nodeClass);
      const reach = this.ofNodeClass[nodeClass];
      if (!shape.noExistingNode) uniteInto(rows, reach.rows);
      uniteInto(launches, reach.launches);
    }
    intersectInto(rows, this.cluster.destinations);
    return { rows, launches };
  }

  private compute(nodeClass: number): Reach {
    const { nodeSets, shapes, space, settings } = this.cluster;
    const c = shapes.nodeClasses[nodeClass];
    const loosely =
      settings.compat && [c.requirements, ...c.volumes].some((id) => this.madeUp.mentionedIn(space.get(id)));
    return {
      rows: loosely ? this.rowsWithMadeUpLabels(c) : nodeSets.nodesFor(nodeClass),
      launches: this.launchesFor(c),
    };
  }

  private rowsWithMadeUpLabels(c: NodeClass): Bitset {
    const { rows, space } = this.cluster;
    const set = bitset(rows.length);
    rows.forEach(({ selectable, taints }, row) => {
      const meets = (id: RequirementsId) =>
        labelsSatisfy(selectable, this.madeUp.withoutUnlabelled(space.get(id), selectable));
      if (!toleratesAll(taints, c.tolerations) || !meets(c.requirements)) return;
      if (c.volumes.length === 0 || c.volumes.some(meets)) addBit(set, row);
    });
    return set;
  }

  private launchesFor(c: NodeClass): Bitset {
    const { templates, types, space } = this.cluster;
    const set = bitset(this.launches.length);
    const places = c.volumes.length === 0 ? [RequirementSpace.unrestricted] : c.volumes;
    // By template: each way in which its nodes could take the pod, as the remaining types and offerings.
    const ways = templates.map((template) => {
      if (!toleratesAll(template.taints, c.tolerations)) return [];
      return places.flatMap((place) => {
        const base = this.narrow(template.opening, c.requirements);
        const id = base === INCOMPATIBLE ? INCOMPATIBLE : this.narrow(base, place);
        if (id === INCOMPATIBLE) return [];
        const kinds = types.kinds.map((kind) => overlapOnSharedKeys(space.get(id), kind.requirements));
        return [{ types: types.overlappingWith(id), kinds }];
      });
    });
    this.launches.forEach(({ template, type, kind }, i) => {
      if (ways[template].some((way) => way.kinds[kind] && hasBit(way.types, type))) addBit(set, i);
    });
    return set;
  }

  private narrow(from: RequirementsId, wanted: RequirementsId): RequirementsId {
    const { space } = this.cluster;
    return space.narrow(from, space.intern(this.madeUp.withoutUndefined(space.get(wanted), space.get(from))));
  }
}
