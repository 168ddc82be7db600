import {
  labelOf,
  type NodeObject,
  type NodeSelectorTerm,
  type PodConstraints,
  type PodObject,
} from '../engine/cluster/objects.ts';
import { canonicalLabel, canonicalLabels, HOSTNAME, INITIALIZED, NODE_POOL } from '../engine/cluster/well-known.ts';
import type { AppState, SimPod } from './sim-pod.ts';

/**
 * A node that is full matters only for the pods that constraints count on it, and constraints tell nodes apart by few
 * labels, mostly by the zone: so one node that has nothing to offer stands for all that are alike in these, with their
 * pods on it. Where constraints tell every host from the other, nobody can stand for anybody.
 */
export class StandIns {
  /** Labels that constraints of some workload go by, hosts aside. */
  private readonly keys: readonly string[];
  private readonly tellHostsApart: ReadonlySet<AppState>;
  private readonly byLikeness = new Map<string, NodeObject>();
  private readonly byNode = new WeakMap<NodeObject, NodeObject>();
  private readonly pods = new WeakMap<PodObject, PodObject>();

  constructor(apps: readonly AppState[]) {
    const keys = new Set([NODE_POOL]);
    const tellHostsApart = new Set<AppState>();
    for (const state of apps) {
      for (const key of keysOf(state.app.constraints)) {
        if (canonicalLabel(key) === HOSTNAME || key === NAMED) tellHostsApart.add(state);
        else keys.add(key).add(canonicalLabel(key));
      }
    }
    this.keys = [...keys];
    this.tellHostsApart = tellHostsApart;
  }

  /** Whether nobody among these workloads minds. */
  mayServe(states: Iterable<AppState>): boolean {
    for (const state of states) if (this.tellHostsApart.has(state)) return false;
    return true;
  }

  /** The same object for nodes that are alike; undefined before the node is ready, because its NodeClaim has a say until then. */
  of(node: NodeObject): NodeObject | undefined {
    if (node.labels[INITIALIZED] !== 'true') return undefined;
    let known = this.byNode.get(node);
    if (known === undefined) {
      const labels = canonicalLabels(node.labels);
      const likeness = JSON.stringify([this.keys.map((key) => labelOf(labels, key) ?? null), node.taints]);
      known = this.byLikeness.get(likeness) ?? standIn(node, `stand-in-${this.byLikeness.size}`);
      this.byLikeness.set(likeness, known);
      this.byNode.set(node, known);
    }
    return known;
  }

  /** The pod on its node's stand-in; the same object as long as both are. */
  podOn({ name }: NodeObject, { object }: SimPod): PodObject {
    let known = this.pods.get(object);
    if (known?.nodeName !== name) {
      known = { ...object, nodeName: name };
      this.pods.set(object, known);
    }
    return known;
  }
}

/** Stands for what is no label: a term may ask for a node by its name. */
const NAMED = 'metadata.name';

function keysOf(c: PodConstraints): string[] {
  const terms: NodeSelectorTerm[] = [...(c.requiredNodeTerms ?? []), ...c.preferredNodeTerms.map(({ term }) => term)];
  const affinity = [...c.requiredAffinity, ...c.requiredAntiAffinity];
  const wishes = [...c.preferredAffinity, ...c.preferredAntiAffinity].map(({ term }) => term);
  return [
    ...Object.keys(c.nodeSelector),
    ...terms.flatMap(({ matchExpressions = [], matchFields = [] }) =>
      matchFields.length > 0 ? [NAMED] : matchExpressions.map(({ key }) => key),
    ),
    ...[...c.topologySpread, ...affinity, ...wishes].map(({ topologyKey }) => topologyKey),
  ];
}

function standIn(node: NodeObject, name: string): NodeObject {
  const labels = { ...node.labels, [HOSTNAME]: name };
  return { ...node, name, labels, providerId: `stand-in:///${name}`, capacity: {}, allocatable: {} };
}
