import type { PolicyObject } from '../config/policy-object.ts';
import type { Command } from '../controller/command.ts';
import { sameValue } from '../controller/same-value.ts';
import type {
  ClusterObjects,
  NodeClaimObject,
  NodeObject,
  PodObject,
  WorkloadObject,
} from '../engine/cluster/objects.ts';
import type { UndecodableObject } from '../engine/cluster/undecodable.ts';
import { RunningConstraints } from '../engine/scheduling/running-constraints.ts';
import { BUILT_IN_PRIORITIES } from '../kube/decode/priority-class.ts';
import type { ApiClient } from './api-client.ts';
import type { Pace } from './backoff.ts';
import { priorityClassOfPod, RenewedDecoders } from './decoders.ts';
import { Reflector, type Watched } from './reflector.ts';
import {
  AUTOSCALERS,
  COMMANDS,
  type JournalEntry,
  NODE_CLAIMS,
  NODE_POOLS,
  NODES,
  PLAIN_LISTS,
  PODS,
  POLICIES,
  PRIORITY_CLASSES,
  WORKLOADS,
} from './watched-kinds.ts';

export interface CacheOptions {
  readonly client: ApiClient;
  /** Called after every update; true: objects have changed, or whether they are current. */
  onNews(changed: boolean): void;
  readonly pace?: Pace;
  /** Read HorizontalPodAutoscalers, for rollouts. */
  readonly autoscalers?: boolean;
}

/** The objects that come from the API server. */
export type CachedObjects = Omit<ClusterObjects, 'nowMs' | 'options' | 'instanceTypes'>;

/**
 * All objects of a cluster that decisions depend on, kept current by watches. Unchanged objects keep their identity.
 */
export class ClusterCache {
  readonly reflectors: Reflector<unknown>[] = [];
  readonly nodes: Reflector<NodeObject>;
  readonly nodeClaims: Reflector<NodeClaimObject>;
  readonly journal: Reflector<JournalEntry>;
  readonly deployments: Reflector<WorkloadObject>;
  private readonly policyObjects: Reflector<PolicyObject>;
  private readonly podObjects: Reflector<PodObject>;
  private readonly priorityClasses: Reflector<{ readonly name: string; readonly value: number }>;
  private readonly workloadObjects: readonly Reflector<WorkloadObject>[];
  private readonly others: () => Pick<CachedObjects, keyof typeof PLAIN_LISTS | 'nodePools' | 'autoscalers'>;
  private readonly pods: Derived<readonly PodObject[]> = new Derived();
  private readonly workloads: Derived<readonly WorkloadObject[]> = new Derived();
  private readonly undecodable: Derived<readonly UndecodableObject[]> = new Derived();
  private readonly runningConstraints = new RunningConstraints();
  private readonly sorted: Derived<readonly Command[]> = new Derived();

  constructor(options: CacheOptions) {
    const decoders = new RenewedDecoders(() => this.reflectors.reduce((sum, { held }) => sum + held, 0));
    const reflect = <T>(watched: Watched<T>): Reflector<T> => {
      const reflector = new Reflector(watched, { ...options, decoders: () => decoders.current });
      this.reflectors.push(reflector as Reflector<unknown>);
      return reflector;
    };
    // Most important first.
    const nodePools = reflect(NODE_POOLS);
    this.nodeClaims = reflect(NODE_CLAIMS);
    this.nodes = reflect(NODES);
    this.podObjects = reflect(PODS);
    this.priorityClasses = reflect(PRIORITY_CLASSES);
    this.workloadObjects = WORKLOADS.map(reflect);
    [this.deployments] = this.workloadObjects;
    const plain = Object.entries<Watched<unknown>>(PLAIN_LISTS).map(([list, kind]) => [list, reflect(kind)] as const);
    const autoscalers = options.autoscalers === true ? reflect(AUTOSCALERS) : undefined;
    this.others = () => ({
      ...(Object.fromEntries(plain.map(([list, { store }]) => [list, store.list])) as Pick<
        CachedObjects,
        keyof typeof PLAIN_LISTS
      >),
      nodePools: nodePools.store.list,
      ...(autoscalers?.wasListedSince(-1) ? { autoscalers: autoscalers.store.list } : {}),
    });
    this.policyObjects = reflect(POLICIES);
    this.journal = reflect(COMMANDS);
  }

  /** Runs until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.reflectors.map((reflector) => reflector.run(signal)));
  }

  get isCurrent(): boolean {
    return this.reflectors.every(({ syncState }) => syncState.code === 'current');
  }

  objects(): CachedObjects {
    const workloads = this.workloadObjects.map(({ store }) => store.list);
    const { pods, setAside } = this.runningConstraints.limit(this.podsOnKnownNodes());
    const undecodable = [...this.reflectors.map((reflector) => reflector.undecodable.list), setAside];
    return {
      ...this.others(),
      nodes: this.nodes.store.list,
      nodeClaims: this.nodeClaims.store.list,
      pods,
      workloads: this.workloads.of(workloads, () => workloads.flat()),
      undecodable: this.undecodable.of(undecodable, () => undecodable.flat()),
    };
  }

  get policies(): readonly PolicyObject[] {
    return this.policyObjects.store.list;
  }

  /** Oldest first. */
  get commands(): readonly Command[] {
    const { list } = this.journal.store;
    return this.sorted.of([list], () => list.map(({ command }) => command).sort((a, b) => (a.id < b.id ? -1 : 1)));
  }

  /** A pod may arrive before its node, or outlast it; meanwhile it counts as unbound. */
  private podsOnKnownNodes(): readonly PodObject[] {
    const pods = this.podObjects.store.list;
    const nodes = this.nodes.store.list;
    const classes = this.priorityClasses.store.list;
    return this.pods.of([pods, nodes, classes], () => {
      const names = new Set(nodes.map(({ name }) => name));
      const known = ({ nodeName }: PodObject) => nodeName === '' || names.has(nodeName);
      const placed = pods.every(known) ? pods : pods.filter(known);
      return placed.some((pod) => priorityClassOfPod.has(pod)) ? placed.map(this.withPriority(classes)) : placed;
    });
  }

  private withPriority(classes: readonly { readonly name: string; readonly value: number }[]) {
    const values = new Map([...BUILT_IN_PRIORITIES, ...classes.map(({ name, value }) => [name, value] as const)]);
    return (pod: PodObject): PodObject => {
      const priority = values.get(priorityClassOfPod.get(pod) ?? '');
      return priority === undefined ? pod : { ...pod, priority };
    };
  }
}

/** A value derived from others: recomputed only if an input changed, and replaced only if the result differs. */
class Derived<T> {
  private from: readonly unknown[] | undefined;
  private value: T | undefined;

  of(from: readonly unknown[], make: () => T): T {
    if (this.from?.every((each, i) => each === from[i])) return this.value as T;
    const made = make();
    this.value = this.from !== undefined && sameValue(this.value, made) ? (this.value as T) : made;
    this.from = from;
    return this.value;
  }
}
