import { getOrInsert } from '../cluster/get-or-insert.ts';
import { allowsAbsence } from '../selection/requirement.ts';
import { RequirementSpace, type RequirementsId } from '../selection/requirement-space.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import type { PodShape, PodStage } from './pod-shapes.ts';

/**
 * Shapes of pods that no later placement can help. Capacity, ports, volumes and limits only shrink, anti-affinity and
 * spread over hosts only get stricter; only these can improve: a spread over domains (the emptiest one fills up), an
 * affinity (a matching pod arrives), and a custom label that another pod's claim defines.
 */
export class ProvablyUnplaceable {
  private readonly cluster: CompiledCluster;
  private readonly known = new Map<PodShape, boolean>();
  private customKeysMadeUp: ReadonlySet<string> | undefined;

  constructor(cluster: CompiledCluster) {
    this.cluster = cluster;
  }

  has(shape: PodShape): boolean {
    return getOrInsert(
      this.known,
      shape,
      () => !shape.forgetsTopology && !shape.stages.some((stage) => this.canImprove(stage)),
    );
  }

  private canImprove(stage: PodStage): boolean {
    const { list } = this.cluster.groups;
    return (
      stage.byDomain.some((g) => list[g].kind !== 'anti-affinity') ||
      stage.byHost.some((g) => list[g].kind === 'affinity') ||
      this.asksForMadeUpKey(stage.requirements)
    );
  }

  private asksForMadeUpKey(id: RequirementsId): boolean {
    const { space, shapesInUse, settings } = this.cluster;
    if (id === RequirementSpace.unrestricted) return false;
    this.customKeysMadeUp ??= new Set(
      [...shapesInUse].flatMap((shape) =>
        shape.stages.flatMap((stage) =>
          [...space.get(stage.requirements).values()]
            .filter((r) => allowsAbsence(r) && (settings.compat || !space.open.has(r.key)))
            .map((r) => r.key),
        ),
      ),
    );
    for (const key of space.get(id).keys()) if (this.customKeysMadeUp.has(key)) return true;
    return false;
  }
}
