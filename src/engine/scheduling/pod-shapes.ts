import type { FirstAvailable } from '../cluster/first-available.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { HostPort } from '../cluster/host-port.ts';
import { labelOf, type PodConstraints, type PodObject, type Toleration } from '../cluster/objects.ts';
import type { RequirementSpace, RequirementsId } from '../selection/requirement-space.ts';
import { fromLabels, fromSelectors, intersectAll, type Requirements } from '../selection/requirements.ts';
import type { GroupId, GroupRules } from './group-rules.ts';
import { isPinnedByName, withNameFields } from './name-fields.ts';
import { heaviestFirst, relaxationSteps } from './relaxation.ts';
import type { PodVolumes } from './volumes.ts';

export type ShapeId = number;

/** One relaxation step: the pod's current requirements. */
export interface PodStage {
  readonly requirements: RequirementsId;
  /** Without the preferred node affinity: limits the domains of a spread. */
  readonly strict: RequirementsId;
  readonly tolerations: readonly Toleration[];
  /** Groups of spread, affinity and anti-affinity to respect, by whether every host is a domain. */
  readonly byHost: readonly GroupId[];
  readonly byDomain: readonly GroupId[];
  /** Equal numbers: the same nodes qualify by labels, taints and volumes. */
  readonly nodeClass: number;
}

/** Everything that decides where a pod may go, except its size and its own labels. */
export interface PodShape {
  readonly id: ShapeId;
  readonly stages: readonly PodStage[];
  /** Inverse groups that count pods of this shape. */
  readonly repels: readonly GroupId[];
  readonly hostPorts: readonly HostPort[];
  /** Alternatives for its volumes' topology; empty: anywhere. */
  readonly volumes: readonly RequirementsId[];
  readonly resourceClaims: boolean;
  readonly firstAvailable: FirstAvailable | undefined;
  /** A volume could not be resolved: Karpenter ignores the pod's topology until it is relaxed or retried. */
  readonly forgetsTopology: boolean;
  readonly noExistingNode: boolean;
}

export interface NodeClass {
  readonly requirements: RequirementsId;
  readonly tolerations: readonly Toleration[];
  readonly volumes: readonly RequirementsId[];
}

export interface ShapeSettings {
  readonly respectPreferences: boolean;
  /** Some pool has a PreferNoSchedule taint, so tolerating those is a useful step. */
  readonly toleratePreferences: boolean;
  /** Claims for devices may have alternatives; otherwise their pods have no place. */
  readonly firstAvailable: boolean;
  /** Node affinity by the node's name counts; Karpenter ignores it for running pods. */
  readonly nameFields: boolean;
}

/**
 * Pods grouped by shape; equal pods are recognised by the identity of their constraints first. Independent of nodes.
 */
export class PodShapes {
  readonly list: PodShape[] = [];
  readonly nodeClasses: NodeClass[] = [];
  readonly rules: GroupRules;
  private readonly space: RequirementSpace;
  private readonly settings: ShapeSettings;
  private readonly constraintIds = new Map<PodConstraints, number>();
  private readonly constraintIdsByText = new Map<string, number>();
  private readonly byKey = new Map<string, ShapeId>();
  private readonly simple = new Map<PodConstraints, Map<string, ShapeId>>();
  private readonly nodeClassIds = new Map<string, number>();

  constructor(space: RequirementSpace, rules: GroupRules, settings: ShapeSettings) {
    this.space = space;
    this.rules = rules;
    this.settings = settings;
  }

  shapeOf(pod: PodObject, volumes: PodVolumes): PodShape {
    const c = pod.constraints;
    const isSimple =
      pod.volumeClaims.length === 0 &&
      c.topologySpread.every((s) => s.matchLabelKeys === undefined) &&
      !this.isPinned(pod);
    if (!isSimple) return this.list[this.keyed(pod, volumes)];
    const byNamespace = getOrInsert(this.simple, c, () => new Map());
    let id = byNamespace.get(pod.namespace);
    if (id === undefined) {
      id = this.keyed(pod, volumes);
      byNamespace.set(pod.namespace, id);
    }
    return this.list[id];
  }

  private isPinned(pod: PodObject): boolean {
    return this.settings.nameFields && isPinnedByName(pod);
  }

  private keyed(pod: PodObject, volumes: PodVolumes): ShapeId {
    const c = pod.constraints;
    const matched = c.topologySpread.flatMap((s) =>
      (s.matchLabelKeys ?? []).map((key) => labelOf(pod.labels, key) ?? ''),
    );
    const places = volumes.alternatives.map((r) => this.space.intern(r));
    const key = JSON.stringify([
      this.constraintId(c),
      pod.namespace,
      matched,
      places,
      volumes.unresolved,
      volumes.driverUnknown,
      this.isPinned(pod),
    ]);
    let id = this.byKey.get(key);
    if (id === undefined) {
      id = this.list.length;
      this.byKey.set(key, id);
      this.list.push(this.make(id, pod, volumes, places));
    }
    return id;
  }

  private constraintId(c: PodConstraints): number {
    let id = this.constraintIds.get(c);
    if (id === undefined) {
      const text = JSON.stringify(c);
      id = this.constraintIdsByText.get(text) ?? this.constraintIdsByText.size;
      this.constraintIdsByText.set(text, id);
      this.constraintIds.set(c, id);
    }
    return id;
  }

  private make(id: ShapeId, pod: PodObject, volumes: PodVolumes, places: readonly RequirementsId[]): PodShape {
    const { resourceClaims, firstAvailable } = pod.constraints;
    const stages: PodStage[] = [];
    for (const step of relaxationSteps(pod.constraints, this.settings.toleratePreferences)) {
      const stage = this.stage(step, pod, places);
      // A step that changes nothing would only fail again.
      if (stages.length === 0 || !sameStage(stages[stages.length - 1], stage)) stages.push(stage);
    }
    return {
      id,
      stages,
      repels: this.rules.repellingFor(pod.constraints, pod.namespace),
      hostPorts: pod.constraints.hostPorts,
      volumes: places,
      resourceClaims: resourceClaims || (firstAvailable !== undefined && !this.settings.firstAvailable),
      firstAvailable,
      forgetsTopology: volumes.unresolved,
      noExistingNode: volumes.driverUnknown,
    };
  }

  private stage(c: PodConstraints, pod: PodObject, places: readonly RequirementsId[]): PodStage {
    const pinned = this.isPinned(pod);
    const strict = this.space.intern(requirementsOf(c, false, pinned));
    const requirements = this.settings.respectPreferences ? this.space.intern(requirementsOf(c, true, pinned)) : strict;
    const owned = this.rules.ownedBy(c, pod, this.settings.respectPreferences);
    return {
      requirements,
      strict,
      tolerations: c.tolerations,
      byHost: owned.filter((g) => this.rules.list[g].byHost),
      byDomain: owned.filter((g) => !this.rules.list[g].byHost),
      nodeClass: this.nodeClass({ requirements, tolerations: c.tolerations, volumes: places }),
    };
  }

  private nodeClass(c: NodeClass): number {
    const key = JSON.stringify([c.requirements, c.tolerations, c.volumes]);
    return getOrInsert(this.nodeClassIds, key, () => this.nodeClasses.push(c) - 1);
  }
}

/** Node selector, the first required term and, if preferences count, the preferred term with the highest weight. */
export function requirementsOf(c: PodConstraints, withPreferences: boolean, nameFields = false): Requirements {
  const required = c.requiredNodeTerms?.[0] ?? {};
  const preferred = withPreferences ? heaviestFirst(c.preferredNodeTerms).slice(0, 1) : [];
  return intersectAll(
    fromLabels(c.nodeSelector).values(),
    ...preferred.map(({ term }) => fromSelectors(term.matchExpressions ?? []).values()),
    fromSelectors(nameFields ? withNameFields(required) : (required.matchExpressions ?? [])).values(),
  );
}

function sameStage(a: PodStage, b: PodStage): boolean {
  return (
    a.nodeClass === b.nodeClass &&
    a.strict === b.strict &&
    a.byHost.join() === b.byHost.join() &&
    a.byDomain.join() === b.byDomain.join()
  );
}
