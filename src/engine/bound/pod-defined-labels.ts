import { type Labels, labelOf } from '../cluster/objects.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { allowsAbsence } from '../selection/requirement.ts';
import type { RequirementsId } from '../selection/requirement-space.ts';
import type { Requirements } from '../selection/requirements.ts';

/**
 * A pod that accepts a label's absence (NotIn, DoesNotExist) adds its requirement to the new node that it opens; a
 * later pod that requires a value of the label then finds it defined there. In compat the same happens on existing
 * nodes. So for these labels a missing definition does not exclude a node: another pod may add it.
 */
export class PodDefinedLabels {
  private readonly keys: ReadonlySet<string>;

  constructor({ shapesInUse, space, settings }: CompiledCluster) {
    const keys = new Set<string>();
    const collect = (id: RequirementsId) => {
      for (const r of space.get(id).values())
        if (allowsAbsence(r) && (settings.compat || !space.open.has(r.key))) keys.add(r.key);
    };
    for (const shape of shapesInUse) {
      for (const stage of shape.stages) collect(stage.requirements);
      shape.volumes.forEach(collect);
    }
    this.keys = keys;
  }

  mentionedIn(requirements: Requirements): boolean {
    for (const key of requirements.keys()) if (this.keys.has(key)) return true;
    return false;
  }

  /** Without the requirements that pods may still add to a node. */
  withoutUndefined(wanted: Requirements, offered: Requirements): Requirements {
    return this.without(wanted, (key) => !offered.has(key));
  }

  withoutUnlabelled(wanted: Requirements, labels: Labels): Requirements {
    return this.without(wanted, (key) => labelOf(labels, key) === undefined);
  }

  private without(wanted: Requirements, isMissing: (key: string) => boolean): Requirements {
    if (!this.mentionedIn(wanted)) return wanted;
    return new Map([...wanted].filter(([key]) => !this.keys.has(key) || !isMissing(key)));
  }
}
