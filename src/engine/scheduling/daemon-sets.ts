import { addBit, type Bitset, bitset, hasBit, isEmptyBitset, members } from '../cluster/bitset.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { DaemonSetObject, PodConstraints, PodObject, Resources } from '../cluster/objects.ts';
import { PODS, type RequestTable } from '../cluster/request-table.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import type { RequirementSpace } from '../selection/requirement-space.ts';
import { compatible, fromLabels, fromSelectors, intersectAll, type Requirements } from '../selection/requirements.ts';
import { hasToleration, TOLERATE_PREFERENCES, toleratesAll } from '../selection/taints.ts';
import { TakenPorts } from './host-ports.ts';
import type { InstanceTypes } from './instance-types.ts';
import { labelsSatisfy } from './node-filter.ts';
import type { PodFacts } from './pod-facts.ts';
import type { Template } from './templates.ts';

export interface DaemonPod {
  readonly name: string;
  readonly requests: Resources;
  readonly constraints: PodConstraints;
  /** The constraints they were made from. */
  readonly template: PodConstraints;
  readonly running: PodConstraints;
}

export function isSameDaemon(a: DaemonPod, b: DaemonPod): boolean {
  return a.name === b.name && a.requests === b.requests && a.template === b.template && a.running === b.running;
}

/** Instance types of a pool on which the same DaemonSets would run. */
export interface DaemonGroup {
  readonly types: Bitset;
  /** Summed requests by column of the request table, pods included. */
  readonly overhead: Float64Array;
  readonly ports: TakenPorts;
}

/**
 * The newest running pod represents its DaemonSet, or the template; required node affinity is always the template's.
 */
export function daemonPods(
  sets: readonly DaemonSetObject[],
  pods: readonly PodObject[],
  facts: readonly PodFacts[],
): DaemonPod[] {
  /** By owner's UID, then by namespace. */
  const newest = new Map<string, Map<string, PodObject>>();
  for (const { uid } of sets) newest.set(uid, new Map());
  for (let i = 0; i < pods.length && sets.length > 0; i++) {
    const { daemonSet } = facts[i];
    const own = daemonSet === undefined ? undefined : newest.get(daemonSet);
    if (own === undefined) continue;
    const pod = pods[i];
    const seen = own.get(pod.namespace);
    if (seen === undefined || pod.createdMs > seen.createdMs) own.set(pod.namespace, pod);
  }
  return sets
    .map((set) => {
      const own: { requests: Resources; constraints: PodConstraints } = newest.get(set.uid)?.get(set.namespace) ?? set;
      const terms = set.constraints.requiredNodeTerms;
      const constraints = terms === undefined ? own.constraints : { ...own.constraints, requiredNodeTerms: terms };
      const name = `${set.namespace}/${set.name}`;
      return { name, requests: own.requests, constraints, template: set.constraints, running: own.constraints };
    })
    .filter((pod) => !pod.constraints.resourceClaims);
}

/** A DaemonSet's pod with the required node-affinity terms still to try. */
interface Trial {
  readonly pod: DaemonPod;
  terms: readonly Requirements[];
  readonly tolerations: PodConstraints['tolerations'];
}

/**
 * Which DaemonSets run where. Karpenter tries the alternatives of a DaemonSet's node affinity in place: an alternative
 * that failed on one instance type is gone for all that follow, and for existing nodes. `compat` reproduces that;
 * otherwise every alternative counts everywhere.
 */
export class DaemonSets {
  private readonly trials: Trial[];
  private readonly requests: RequestTable;
  private readonly compat: boolean;
  private readonly reserves = new WeakMap<StateNode, Float64Array>();
  /** By the DaemonSets that run on a node: thousands of nodes have the same. */
  private readonly sums = new Map<string, Float64Array>();

  constructor(pods: readonly DaemonPod[], requests: RequestTable, compat: boolean) {
    this.requests = requests;
    this.compat = compat;
    this.trials = pods.map((pod) => ({
      pod,
      terms: strictTerms(pod.constraints),
      tolerations: pod.constraints.tolerations,
    }));
  }

  /** Groups the types of each pool. Must run before queries about nodes. */
  assign(templates: readonly Template[], types: InstanceTypes, space: RequirementSpace): void {
    // A DaemonSet tolerates PreferNoSchedule; Karpenter writes that into the pod while it evaluates pools.
    if (templates.some((t) => !isEmptyBitset(t.types))) {
      for (let i = 0; i < this.trials.length; i++) {
        const t = this.trials[i];
        if (!hasToleration(t.tolerations, TOLERATE_PREFERENCES))
          this.trials[i] = { ...t, tolerations: [...t.tolerations, TOLERATE_PREFERENCES] };
      }
    }
    for (const template of templates) {
      const runsOn = this.trials.map((trial) => this.typesFor(trial, template, types, space));
      template.daemons = this.group(template, runsOn, types);
    }
  }

  private typesFor(trial: Trial, template: Template, types: InstanceTypes, space: RequirementSpace): Bitset {
    const none = bitset(types.count);
    if (!toleratesAll(template.taints, trial.tolerations)) return none;
    const offered = space.get(template.requirements);
    const allows = (terms: readonly Requirements[]) =>
      terms.map((term) => (compatible(offered, term, space.open) ? types.overlappingWith(space.intern(term)) : none));
    let perTerm = allows(trial.terms);
    if (perTerm.length === 1) return perTerm[0];
    const out = none.slice();
    for (const type of members(template.types)) {
      if (!this.compat) {
        if (perTerm.some((set) => hasBit(set, type))) addBit(out, type);
        continue;
      }
      while (perTerm.length > 1 && !hasBit(perTerm[0], type)) {
        trial.terms = trial.terms.slice(1);
        perTerm = perTerm.slice(1);
      }
      if (hasBit(perTerm[0], type)) addBit(out, type);
    }
    return out;
  }

  private group(template: Template, runsOn: readonly Bitset[], types: InstanceTypes): DaemonGroup[] {
    const groups = new Map<string, { types: Bitset; members: number[] }>();
    for (const type of members(template.types)) {
      const running: number[] = [];
      for (let i = 0; i < runsOn.length; i++) if (hasBit(runsOn[i], type)) running.push(i);
      const key = running.join();
      const group = getOrInsert(groups, key, () => ({ types: bitset(types.count), members: running }));
      addBit(group.types, type);
    }
    return [...groups.values()].map(({ types: set, members: running }) => ({
      types: set,
      overhead: this.sum(running.map((i) => this.trials[i].pod)),
      ports: this.ports(running.map((i) => this.trials[i].pod)),
    }));
  }

  private ports(pods: readonly DaemonPod[]): TakenPorts {
    const ports = new TakenPorts();
    for (const { constraints } of pods) ports.take(constraints.hostPorts);
    return ports;
  }

  private sum(pods: readonly DaemonPod[]): Float64Array {
    const total = new Float64Array(this.requests.dimensions.size);
    for (const pod of pods) {
      const row = this.requests.row(pod.requests, 0);
      for (let d = 0; d < total.length; d++) total[d] += row[d];
    }
    total[PODS] = pods.length;
    return total;
  }

  /** Total requests of the DaemonSets that belong on this node. */
  expectedOn(node: StateNode): Float64Array {
    return getOrInsert(this.reserves, node, () => this.reserve(node));
  }

  private reserve(node: StateNode): Float64Array {
    const running: number[] = [];
    for (const [i, { terms, tolerations }] of this.trials.entries()) {
      const alternatives = this.compat ? terms.slice(0, 1) : terms;
      if (alternatives.some((term) => labelsSatisfy(node.selectable, term)) && toleratesAll(node.taints, tolerations))
        running.push(i);
    }
    return getOrInsert(this.sums, running.join(), () => this.sum(running.map((i) => this.trials[i].pod)));
  }
}

/** Node selector with each required term; one element if there are no terms. */
function strictTerms(c: PodConstraints): Requirements[] {
  const selector = fromLabels(c.nodeSelector);
  if (c.requiredNodeTerms === undefined || c.requiredNodeTerms.length === 0) return [selector];
  return c.requiredNodeTerms.map((term) =>
    intersectAll(selector.values(), fromSelectors(term.matchExpressions ?? []).values()),
  );
}
