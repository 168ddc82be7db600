import { isEmptyBitset } from '../cluster/bitset.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import { amountOf, type PodConstraints, type PodObject, type Resources } from '../cluster/objects.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import { INCOMPATIBLE, type RequirementSpace } from '../selection/requirement-space.ts';
import { toleratesAll } from '../selection/taints.ts';
import type { Foundations } from './compile-cache.ts';
import { NodeSets } from './node-sets.ts';
import type { PodShape, PodStage } from './pod-shapes.ts';
import type { Template } from './templates.ts';

/** Affinity, anti-affinity and spread, which create groups. */
const NO_TOPOLOGY: Pick<
  PodConstraints,
  'requiredAffinity' | 'preferredAffinity' | 'requiredAntiAffinity' | 'preferredAntiAffinity' | 'topologySpread'
> = {
  requiredAffinity: [],
  preferredAffinity: [],
  requiredAntiAffinity: [],
  preferredAntiAffinity: [],
  topologySpread: [],
};

export function hasTopology(c: PodConstraints): boolean {
  for (const kind in NO_TOPOLOGY) if (c[kind as keyof typeof NO_TOPOLOGY].length > 0) return true;
  return false;
}

/** The pod without its topology constraints; the same object for the same constraints. */
export class PodsWithoutTopology {
  private readonly constraints = new WeakMap<PodConstraints, PodConstraints>();

  of(pod: PodObject): PodObject {
    const constraints = getOrInsert(this.constraints, pod.constraints, () => ({ ...pod.constraints, ...NO_TOPOLOGY }));
    return { ...pod, constraints };
  }
}

/**
 * Whether any existing or new node could ever host a pod, by labels, taints, volumes and size. If none could, its
 * topology does not matter: it needs no groups, which would slow all placements.
 */
export class PossibleHosts {
  private readonly space: RequirementSpace;
  private readonly templates: readonly Template[];
  private readonly nodeSets: NodeSets;
  private readonly sizes: readonly { readonly allocatable: Resources }[];
  private readonly known = new Map<PodShape, boolean>();
  private readonly largest = new Map<string, number>();

  /** To be created when the shapes of all pods are known, with or without their topology. */
  constructor(rows: readonly StateNode[], { space, shapes, templates, types }: Foundations) {
    this.space = space;
    this.templates = templates;
    this.sizes = [...rows, ...types.list];
    this.nodeSets = new NodeSets(rows, space, shapes.nodeClasses);
  }

  /** `shape`: of the pod without its topology. */
  has({ requests }: PodObject, shape: PodShape): boolean {
    for (const name in requests) if (requests[name] > this.largestOf(name)) return false;
    return getOrInsert(this.known, shape, () => shape.stages.some((stage) => this.mayRun(stage)));
  }

  private largestOf(name: string): number {
    return getOrInsert(this.largest, name, () =>
      this.sizes.reduce((most, { allocatable }) => Math.max(most, amountOf(allocatable, name) ?? 0), 0),
    );
  }

  private mayRun({ nodeClass, requirements, tolerations }: PodStage): boolean {
    if (!isEmptyBitset(this.nodeSets.nodesFor(nodeClass))) return true;
    // A label that another pod may lack becomes defined on the node launched for it.
    for (const key of this.space.get(requirements).keys()) if (this.space.lackable.has(key)) return true;
    return this.templates.some(
      ({ taints, opening }) =>
        toleratesAll(taints, tolerations) && this.space.narrow(opening, requirements) !== INCOMPATIBLE,
    );
  }
}
