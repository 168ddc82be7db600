import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import { type LabelSelector, labelOf, type NamespaceObject, type PodAffinityTerm } from '../engine/cluster/objects.ts';
import { type CompiledSelector, compileSelector, selectorText } from '../engine/selection/label-selector.ts';
import type { SimNode } from './sim-node.ts';
import type { AppState, SimPod } from './sim-pod.ts';
import type { World } from './world.ts';

/** Number of selected pods by topology domain. */
export interface Tally {
  readonly topologyKey: string;
  counts(domain: string): number;
  /** Number of domains with at least one pod. */
  readonly occupied: number;
}

class CountedPods implements Tally {
  readonly topologyKey: string;
  readonly includes: (pod: SimPod) => boolean;
  private readonly byDomain = new Map<string, number>();

  constructor(topologyKey: string, includes: (pod: SimPod) => boolean) {
    this.topologyKey = topologyKey;
    this.includes = includes;
  }

  counts(domain: string): number {
    return this.byDomain.get(domain) ?? 0;
  }

  get occupied(): number {
    return this.byDomain.size;
  }

  change(node: SimNode, delta: 1 | -1): void {
    const domain = labelOf(node.labels, this.topologyKey);
    if (domain === undefined) return;
    const count = this.counts(domain) + delta;
    if (count === 0) this.byDomain.delete(domain);
    else this.byDomain.set(domain, count);
  }
}

/** Pod counts of all spread and affinity terms, kept up to date as pods are bound and stop. */
export class TopologyIndex {
  private readonly world: World;
  private readonly tallies = new Map<string, CountedPods>();
  private readonly namespaces: readonly NamespaceObject[];

  constructor(world: World) {
    this.world = world;
    const imported = world.scenario.start?.objects.namespaces ?? [];
    const named = new Map(imported.map((namespace) => [namespace.name, namespace]));
    this.namespaces = [...new Set(world.apps.map(({ app }) => app.namespace))].map(
      (name) => named.get(name) ?? { name, labels: {} },
    );
    world.listeners.push({
      podBound: (pod, node) => this.recount(pod, node, 1),
      // Stopping pods do not count for spread or affinity.
      podStopping: (pod) => {
        if (pod.node !== undefined) this.recount(pod, pod.node, -1);
      },
    });
  }

  private recount(pod: SimPod, node: SimNode, delta: 1 | -1): void {
    for (const tally of this.tallies.values()) if (tally.includes(pod)) tally.change(node, delta);
  }

  /** Counts pods that the selector matches in these namespaces. */
  matching(topologyKey: string, namespaces: readonly string[], selector: LabelSelector | undefined): Tally {
    const key = `${topologyKey} ${namespaces.join()} ${selectorText(selector)}`;
    return this.tally(key, topologyKey, selects(namespaces, compileSelector(selector)));
  }

  matchingTerm(term: PodAffinityTerm, ownNamespace: string): Tally {
    return this.matching(term.topologyKey, this.namespacesOf(term, ownNamespace), term.labelSelector);
  }

  /** Counts pods that have this required anti-affinity term themselves. */
  having(term: PodAffinityTerm, ownNamespace: string): Tally {
    const namespaces = this.namespacesOf(term, ownNamespace);
    const key = `having ${term.topologyKey} ${namespaces.join()} ${selectorText(term.labelSelector)}`;
    return this.tally(key, term.topologyKey, (pod) =>
      pod.object.constraints.requiredAntiAffinity.some(
        (t) =>
          t.topologyKey === term.topologyKey &&
          selectorText(t.labelSelector) === selectorText(term.labelSelector) &&
          this.namespacesOf(t, pod.object.namespace).join() === namespaces.join(),
      ),
    );
  }

  namespacesOf({ namespaces = [], namespaceSelector }: PodAffinityTerm, own: string): readonly string[] {
    if (namespaceSelector === undefined) return namespaces.length === 0 ? [own] : [...namespaces].sort();
    const selector = compileSelector(namespaceSelector);
    const selected = this.namespaces.filter(({ labels }) => selector.matches(labels)).map(({ name }) => name);
    return [...new Set([...namespaces, ...selected])].sort();
  }

  private tally(key: string, topologyKey: string, includes: (pod: SimPod) => boolean): Tally {
    let known = this.tallies.get(key);
    if (known === undefined) {
      known = new CountedPods(topologyKey, remembered(includes));
      for (const pod of this.world.pods.values()) {
        if (pod.node !== undefined && pod.stopping === undefined && known.includes(pod)) known.change(pod.node, 1);
      }
      this.tallies.set(key, known);
    }
    return known;
  }
}

function selects(namespaces: readonly string[], selector: CompiledSelector): (pod: SimPod) => boolean {
  return ({ object }) => namespaces.includes(object.namespace) && selector.matches(object.labels);
}

/** Caches answers by workload, whose pods are alike. */
function remembered(includes: (pod: SimPod) => boolean): (pod: SimPod) => boolean {
  const answers = new Map<AppState, boolean>();
  return (pod) => {
    return getOrInsert(answers, pod.state, () => includes(pod));
  };
}
