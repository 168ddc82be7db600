import type { NodeClassObject } from '../../catalog/cluster-location.ts';
import { getOrInsert } from '../../engine/cluster/get-or-insert.ts';
import type { KarpenterOptions } from '../../engine/cluster/karpenter-options.ts';
import type { ClusterObjects, PodObject } from '../../engine/cluster/objects.ts';
import { objectName, type UndecodableObject } from '../../engine/cluster/undecodable.ts';
import { RunningConstraints } from '../../engine/scheduling/running-constraints.ts';
import { FieldProblem, InputProblem } from '../field-problem.ts';
import type { Row } from '../read/json-shape.ts';
import { decodeConsolidationPolicy, type GivenPolicy } from './consolidation-policy.ts';
import { Decoders } from './decoders.ts';
import { DynamicResources } from './dynamic-resources.ts';
import { isAbsent, type JsonObject, text } from './field-value.ts';
import { optionsOf } from './karpenter-options.ts';
import { isListed, type KnownKind, knownKindOf, listedKind, managedMs } from './kind-table.ts';
import { DEFAULT_NAMESPACE } from './metadata.ts';
import { lastHeartbeatMs } from './node.ts';
import { decodeNodeClass } from './node-class.ts';
import { priorityClassOf } from './pod.ts';
import { BUILT_IN_PRIORITIES, decodePriorityClass } from './priority-class.ts';
import { blockingBudget, setAside } from './set-aside.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };
type Lists = Mutable<
  Omit<
    Required<ClusterObjects>,
    'nowMs' | 'options' | 'instanceTypes' | 'prices' | 'karpenterSchema' | 'plannedDestinations'
  >
>;

const NAMED_IN_WARNING = 3;

/** Names of objects, with their uids: in the file that is being read, and in those before it. */
interface TakenNames {
  readonly here: Map<unknown, unknown>;
  readonly before: Set<unknown>;
}

/** Collects objects until the input is complete and they can be checked against each other. */
export class ObjectCollection {
  readonly ignoredKinds = new Map<string, number>();
  readonly policies: GivenPolicy[] = [];
  readonly nodeClasses: NodeClassObject[] = [];
  /** Of heartbeats and managedFields. */
  private lastTimeMs = 0;
  private readonly lists: Lists = {
    pods: [],
    nodes: [],
    nodeClaims: [],
    nodePools: [],
    daemonSets: [],
    podDisruptionBudgets: [],
    persistentVolumes: [],
    persistentVolumeClaims: [],
    storageClasses: [],
    csiNodes: [],
    namespaces: [],
    workloads: [],
    services: [],
    podTemplates: [],
    capacityBuffers: [],
    nodeOverlays: [],
    autoscalers: [],
    undecodable: [],
  };
  private readonly decoders = new Decoders();
  private readonly priorities = new Map(BUILT_IN_PRIORITIES);
  /** By index in the list of pods: the class that gives the pod its priority. */
  private readonly priorityClasses = new Map<number, string>();
  /** By kind: its last apiVersion, and how to decode it. */
  private readonly versions = new Map<
    unknown,
    { readonly apiVersion: unknown; readonly kind: ReturnType<typeof knownKindOf> }
  >();
  private readonly devices = new DynamicResources();
  /** ResourceClaims that pods name, by uid. */
  private readonly claimsOfPod = new Map<string, number>();
  /** By kind and namespace. */
  private readonly taken = new Map<string, Map<unknown, TakenNames>>();
  /** Objects that their file has twice, by the name of the first. */
  private readonly repeated: string[] = [];

  /** Call before the objects of another file. */
  startFile(): void {
    for (const namespaces of this.taken.values())
      for (const { here, before } of namespaces.values()) {
        for (const name of here.keys()) before.add(name);
        here.clear();
      }
  }

  add(row: Row): void {
    const kind = this.kindOf(row);
    if (kind === undefined) {
      const ignored = text(row.kind, 'kind');
      if (ignored === 'Status') throw new InputProblem('kind', ignored, 'objects: a Status is an API server’s refusal');
      if (ignored === 'Table') throw new InputProblem('kind', ignored, 'objects, as kubectl get -o json writes them');
      this.ignoredKinds.set(ignored, (this.ignoredKinds.get(ignored) ?? 0) + 1);
    } else if (kind === 'old-karpenter') {
      throw new InputProblem('apiVersion', row.apiVersion, 'karpenter.sh/v1, the only version that is supported');
    } else if (!this.isRepeated(kind, row.namespace, row.name, row.uid)) {
      this.decode(kind, row);
      this.lastTimeMs = Math.max(this.lastTimeMs, managedMs(row));
      this.checkUnique(kind, row.namespace, row.name, row.uid);
    }
  }

  /**
   * Sets an object aside that failed to decode; see engine/cluster/undecodable.ts. Throws the problem if it is about
   * the whole input or about Decant's own settings, which a user has to correct. Returns undefined if the file had the same
   * object before.
   */
  setAside(raw: JsonObject, problem: unknown): UndecodableObject | undefined {
    const kind = knownKindOf(raw);
    if (kind === undefined || kind === 'old-karpenter' || isOurs(kind, problem)) throw problem;
    const object = setAside(kind, raw, problem);
    const { uid } = (raw.metadata ?? {}) as JsonObject;
    if (this.isRepeated(kind, object.namespace || undefined, object.name, uid)) return undefined;
    this.checkUnique(kind, object.namespace || undefined, object.name, uid);
    this.lists.undecodable.push(object);
    if (kind === 'PodDisruptionBudget') this.lists.podDisruptionBudgets.push(blockingBudget(object));
    return object;
  }

  private kindOf(row: Row): ReturnType<typeof knownKindOf> {
    const last = this.versions.get(row.kind);
    if (last !== undefined && last.apiVersion === row.apiVersion) return last.kind;
    const kind = knownKindOf(row);
    this.versions.set(row.kind, { apiVersion: row.apiVersion, kind });
    return kind;
  }

  private decode(kind: KnownKind, row: Row): void {
    if (isListed(kind)) {
      const { list, decode } = listedKind(kind);
      (this.lists[list] as unknown[]).push(decode(row, this.decoders));
    }
    switch (kind) {
      case 'Pod': {
        const place = this.lists.pods.length - 1;
        const priorityClass = priorityClassOf(row);
        if (priorityClass !== '') this.priorityClasses.set(place, priorityClass);
        const claims = row.resourceClaims as readonly unknown[] | undefined;
        if (claims !== undefined) this.claimsOfPod.set(this.lists.pods[place].uid, claims.length);
        return;
      }
      case 'PriorityClass': {
        const { name, value } = decodePriorityClass(row);
        this.priorities.set(name, value);
        return;
      }
      case 'Node':
        this.lastTimeMs = Math.max(this.lastTimeMs, lastHeartbeatMs(row));
        return;
      case 'ResourceClaim':
        this.devices.addClaim(row);
        return;
      case 'ResourceSlice':
        this.devices.addSlice(row);
        return;
      case 'DeviceClass':
        this.devices.addClass(row);
        return;
      case 'EC2NodeClass':
      case 'NodeClass':
        this.nodeClasses.push(decodeNodeClass(row));
        return;
      case 'ConsolidationPolicy':
        this.policies.push(decodeConsolidationPolicy(row));
    }
  }

  /**
   * True if the same file had this object before: kubectl writes it once for each resource that was asked for, as in `get
   * all,pods`.
   */
  private isRepeated(kind: string, namespace: unknown, name: unknown, uid: unknown): boolean {
    if (isAbsent(uid) || uid === '' || this.takenIn(kind, namespace).here.get(name) !== uid) return false;
    this.repeated.push(objectName({ kind, namespace: String(namespace ?? ''), name: String(name) }));
    return true;
  }

  /** A cluster has one object per kind and name: other input was combined from two moments or two clusters. */
  private checkUnique(kind: string, namespace: unknown, name: unknown, uid: unknown): void {
    const { here, before } = this.takenIn(kind, namespace);
    if (here.has(name) || before.has(name))
      throw new InputProblem('metadata.name', name, `each ${kind} only once in the input`);
    here.set(name, uid);
  }

  private takenIn(kind: string, namespace: unknown = DEFAULT_NAMESPACE): TakenNames {
    const namespaces = getOrInsert(this.taken, kind, () => new Map<unknown, TakenNames>());
    return getOrInsert(namespaces, namespace, () => ({ here: new Map(), before: new Set() }));
  }

  /**
   * The newest time in the objects: creation, change, pod start, heartbeat, managedFields. Deletions may lie in the future and do not
   * count. undefined if no object has a time.
   */
  newestMs(): number | undefined {
    const { pods, nodes, nodeClaims } = this.lists;
    let newest = this.lastTimeMs;
    const see = (ms: number | undefined) => {
      if (ms !== undefined && ms > newest) newest = ms;
    };
    for (const { createdMs, startedMs, readyChangedMs } of pods) [createdMs, startedMs, readyChangedMs].forEach(see);
    for (const { createdMs } of nodes) see(createdMs);
    for (const { createdMs, lastPodEventMs, conditions } of nodeClaims) {
      [createdMs, lastPodEventMs, ...conditions.map(({ changedMs }) => changedMs)].forEach(see);
    }
    return newest === 0 ? undefined : newest;
  }

  /** All objects that were added, and warnings about those left out. */
  finish(
    nowMs: number,
    options: KarpenterOptions | undefined,
    undecodable: readonly UndecodableObject[] = [],
  ): { objects: Omit<ClusterObjects, 'instanceTypes'>; warnings: string[] } {
    for (const [index, priorityClass] of this.priorityClasses) {
      const priority = this.priorities.get(priorityClass);
      if (priority !== undefined) this.lists.pods[index] = { ...this.lists.pods[index], priority };
    }
    const { pods: known, warnings } = this.podsOnKnownNodes();
    const { autoscalers, ...lists } = this.lists;
    const decided = options ?? optionsOf(lists.workloads);
    const { pods: all, nodes } = decided.dynamicResources
      ? this.devices.applied(known, lists.nodes, this.claimsOfPod)
      : { pods: known, nodes: lists.nodes };
    const { pods, setAside } = new RunningConstraints().limit(all);
    if (setAside.length > 0) warnings.push(setAsideInWords(setAside));
    if (this.repeated.length > 0) warnings.push(repeatedInWords(this.repeated));
    const found = autoscalers.length === 0 ? {} : { autoscalers };
    const bad = [...undecodable, ...lists.undecodable, ...setAside];
    return { objects: { ...lists, ...found, pods, nodes, nowMs, options: decided, undecodable: bad }, warnings };
  }

  private podsOnKnownNodes(): { pods: readonly PodObject[]; warnings: string[] } {
    const nodes = new Set(this.lists.nodes.map((node) => node.name));
    const known = ({ nodeName }: PodObject) => nodeName === '' || nodes.has(nodeName);
    const lost = this.lists.pods.filter((pod) => !known(pod));
    if (lost.length === 0) return { pods: this.lists.pods, warnings: [] };
    const named = lost.slice(0, NAMED_IN_WARNING).map((pod) => `${pod.namespace}/${pod.name} on ${pod.nodeName}`);
    const more = lost.length > NAMED_IN_WARNING ? ` and ${lost.length - NAMED_IN_WARNING} more` : '';
    const counted = lost.length === 1 ? '1 pod is' : `${lost.length} pods are`;
    const warning = `${counted} bound to a node that is not in the input and left out: ${named.join(', ')}${more}`;
    return { pods: this.lists.pods.filter(known), warnings: [warning] };
  }
}

function setAsideInWords([first, ...more]: readonly UndecodableObject[]): string {
  const others = more.length === 0 ? '' : ` (and of ${more.length} more nodes)`;
  return `${objectName(first)}${others} is set aside, its node stays: ${first.problem}`;
}

function repeatedInWords([first, ...more]: readonly string[]): string {
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return `${first}${others} is in the input more than once: the first one counts`;
}

/** Decant's own settings: a ConsolidationPolicy, or the disruption block of a NodePool. */
function isOurs(kind: string, problem: unknown): boolean {
  if (problem instanceof InputProblem || kind === 'ConsolidationPolicy') return true;
  return kind === 'NodePool' && problem instanceof FieldProblem && problem.path.startsWith('spec.disruption');
}
