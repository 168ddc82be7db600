import { isEmptyBitset } from '../cluster/bitset.ts';
import { typesAsPriced } from '../cluster/node-overlays.ts';
import type { ClusterObjects, NodeClaimObject, NodeObject, NodePoolObject } from '../cluster/objects.ts';
import { BudgetSelectors, DisruptionBudgets } from '../cluster/pod-disruption-budgets.ts';
import { RequestTable } from '../cluster/request-table.ts';
import { isSameList, originsIn } from '../cluster/same-list.ts';
import { type StateNode, StateNodes } from '../cluster/state-nodes.ts';
import { undecodableDaemonSets } from '../cluster/undecodable.ts';
import { releaseOf } from '../karpenter-release.ts';
import { RequirementSpace } from '../selection/requirement-space.ts';
import { resultOf } from '../steps.ts';
import type { CompiledCluster, CompileSettings } from './compiled-cluster.ts';
import { type DaemonPod, DaemonSets, daemonPods, isSameDaemon } from './daemon-sets.ts';
import { DefaultSpread } from './default-spread.ts';
import { GroupRules } from './group-rules.ts';
import { InstanceTypes, openLabels } from './instance-types.ts';
import { Memberships } from './memberships.ts';
import { KnownPods, type PodFacts } from './pod-facts.ts';
import { PodShapes } from './pod-shapes.ts';
import { PodsWithoutTopology } from './possible-hosts.ts';
import type { RequestPeaks } from './request-peaks.ts';
import { launchingPools, makeTemplates, type Template } from './templates.ts';
import { Volumes } from './volumes.ts';

/** Compiled parts that depend neither on nodes nor on the current pods. */
export interface Foundations {
  readonly space: RequirementSpace;
  readonly requests: RequestTable;
  readonly types: InstanceTypes;
  readonly pools: readonly NodePoolObject[];
  readonly allTemplates: readonly Template[];
  /** Templates that can launch something. */
  readonly templates: readonly Template[];
  readonly daemonSets: DaemonSets;
  readonly shapes: PodShapes;
  readonly spread: DefaultSpread;
  readonly memberships: Memberships;
  readonly withoutTopology: PodsWithoutTopology;
}

/** Foundations, and cached facts of the pods, in order. */
interface Recalled extends Foundations {
  readonly facts: readonly PodFacts[];
  readonly requestOfPod: Int32Array;
  /** By pod: its number in the last cluster, -1 for a new one; undefined if that has other foundations. */
  readonly podBefore: Int32Array | undefined;
}

/** Pods of the last cluster with the same foundations, as in `CarryOver`. */
interface EarlierPods {
  readonly last: CompiledCluster;
  readonly podBefore: Int32Array;
}

/** What foundations depend on. */
interface Ground {
  readonly objects: ClusterObjects;
  readonly settings: CompileSettings;
  readonly daemons: readonly DaemonPod[];
}

/** Pods whose requests are looked up before others get a turn. */
const PODS_AT_ONCE = 16_384;

/** After this many compilations everything is rebuilt, so that old entries are dropped. */
const MOST_USES = 256;

/**
 * What one compilation of a cluster passes to the next. Identical objects are not read again, so compiling costs what
 * changed and a little per pod. The result equals one without a cache, except for the numbers of shapes, rules and
 * requests. What is compiled with a cache must not be changed in place.
 */
export class CompileCache {
  private readonly nodes = new StateNodes();
  readonly pods = new KnownPods();
  /** undefined: only current requests count. */
  readonly peaks: RequestPeaks | undefined;
  private ground: Ground | undefined;
  private foundations: Foundations | undefined;
  private uses = 0;
  private budgetSelectors: BudgetSelectors | undefined;
  private lastVolumes: Volumes | undefined;

  constructor(peaks?: RequestPeaks) {
    this.peaks = peaks;
  }

  /** Nodes and their claims as rows, in their order. */
  join(
    nodes: readonly NodeObject[],
    claims: readonly NodeClaimObject[],
    settings: CompileSettings,
    undecodable?: ClusterObjects['undecodable'],
  ): readonly StateNode[] {
    const { reboots } = releaseOf(settings);
    const { compat, nodesByName = compat } = settings;
    return this.nodes.join(nodes, claims, { reboots, byAge: !nodesByName }, undecodable);
  }

  budgets({ podDisruptionBudgets, nowMs }: ClusterObjects): DisruptionBudgets {
    if (this.budgetSelectors?.areThoseOf(podDisruptionBudgets) !== true)
      this.budgetSelectors = new BudgetSelectors(podDisruptionBudgets);
    return new DisruptionBudgets(podDisruptionBudgets, nowMs, this.budgetSelectors);
  }

  volumes(objects: ClusterObjects, compat: boolean): Volumes {
    if (this.lastVolumes?.areThoseOf(objects, compat) !== true) this.lastVolumes = new Volumes(objects, compat);
    return this.lastVolumes;
  }

  *recall(objects: ClusterObjects, settings: CompileSettings, last?: CompiledCluster): Generator<void, Recalled> {
    const { disruptionCost } = releaseOf(settings);
    const costs = { disruptionCost, managesDeletionCost: objects.options.managesDeletionCost };
    const { before, origins, ...known } = yield* this.pods.of(objects.pods, costs);
    let { facts } = known;
    const earlier =
      last !== undefined && last.shapes === this.foundations?.shapes
        ? { last, podBefore: before === last.pods ? origins : originsIn(last.pods, objects.pods) }
        : undefined;
    const ground = { objects, settings, daemons: this.daemons(objects, facts, earlier) };
    const mayGoOn = ++this.uses < MOST_USES && this.foundations?.requests.isOverfull === false;
    if (this.foundations !== undefined && mayGoOn && isSameGround(this.ground, ground)) {
      // Do not keep the first view, with pods that are long gone.
      this.ground = ground;
      const { requests } = this.foundations;
      const width = requests.dimensions.size;
      // Without a pause: a column may be added that other requests do not have yet.
      const requestOfPod = resultOf(requestsOf(ground, requests, earlier));
      // A resource that is new or no longer requested changes which nodes can be short of it.
      if (requests.dimensions.size === width && requests.isFull(requestOfPod))
        return {
          ...this.foundations,
          facts,
          requestOfPod: requestOfPod.subarray(ground.daemons.length),
          podBefore: earlier?.podBefore,
        };
    }
    if (this.foundations !== undefined) {
      this.pods.forget();
      ({ facts } = yield* this.pods.of(objects.pods, costs));
    }
    const requests = new RequestTable();
    const requestOfPod = yield* requestsOf(ground, requests);
    requests.seal();
    this.uses = 0;
    this.ground = ground;
    this.foundations = lay(ground, requests);
    const requestOfRunning = requestOfPod.subarray(ground.daemons.length);
    return { ...this.foundations, facts, requestOfPod: requestOfRunning, podBefore: undefined };
  }

  private daemons(
    { daemonSets, pods }: ClusterObjects,
    facts: readonly PodFacts[],
    earlier: EarlierPods | undefined,
  ): readonly DaemonPod[] {
    const { ground } = this;
    if (earlier !== undefined && ground !== undefined && ground.objects.pods === earlier.last.pods) {
      if (isSameList(ground.objects.daemonSets, daemonSets) && !hasOtherDaemons(facts, earlier)) return ground.daemons;
    }
    return daemonPods(daemonSets, pods, facts);
  }
}

/** A pod of a DaemonSet came or went. */
function hasOtherDaemons(facts: readonly PodFacts[], { last, podBefore }: EarlierPods): boolean {
  let next = 0;
  for (let i = 0; i < facts.length; i++) {
    const before = podBefore[i];
    if (before < 0 && facts[i].daemonSet !== undefined) return true;
    while (next < before) if (last.facts[next++].daemonSet !== undefined) return true;
    if (before >= 0) next = before + 1;
  }
  while (next < last.facts.length) if (last.facts[next++].daemonSet !== undefined) return true;
  return false;
}

/** Of DaemonSets, then of pods. If there are too many resources, those of pods that run have columns first. */
function* requestsOf(
  { daemons, objects: { pods } }: Ground,
  requests: RequestTable,
  earlier?: EarlierPods,
): Generator<void, Int32Array> {
  const out = new Int32Array(daemons.length + pods.length);
  for (let i = 0; i < daemons.length; i++) out[i] = requests.idOf(daemons[i].requests);
  if (earlier === undefined) {
    for (const [i, pod] of pods.entries()) {
      if (i % PODS_AT_ONCE === 0) yield;
      if (pod.nodeName !== '') requests.idOf(pod.requests);
    }
  }
  for (let i = 0; i < pods.length; i++) {
    if (i % PODS_AT_ONCE === 0) yield;
    const before = earlier?.podBefore[i] ?? -1;
    out[daemons.length + i] =
      earlier === undefined || before < 0 ? requests.idOf(pods[i].requests) : earlier.last.requestOfPod[before];
  }
  return out;
}

function lay({ objects, settings, daemons }: Ground, requests: RequestTable): Foundations {
  const list = typesAsPriced(objects, settings.compat);
  const space = new RequirementSpace(openLabels(list));
  const types = new InstanceTypes(list, space, requests, {
    surcharge: (settings.nodeSurchargeCents ?? 0) / 100,
    ignoresCommitments: settings.compat,
    ...releaseOf(settings),
  });
  const pools = launchingPools(objects.nodePools);
  const allTemplates =
    types.count === 0 ? [] : makeTemplates(pools, types, space, objects.options.minValues === 'BestEffort');
  const unknownDaemons = undecodableDaemonSets(objects.undecodable).length > 0;
  const templates = unknownDaemons ? [] : allTemplates.filter((t) => !isEmptyBitset(t.types));
  const daemonSets = new DaemonSets(daemons, requests, settings.compat);
  daemonSets.assign(templates, types, space);
  const shapes = new PodShapes(space, new GroupRules(objects.namespaces, settings.compat), {
    respectPreferences: objects.options.preferences === 'Respect',
    toleratePreferences: pools.some((p) => p.taints.some((t) => t.effect === 'PreferNoSchedule')),
    firstAvailable: releaseOf(settings).firstAvailable,
    nameFields: !settings.compat,
  });
  const memberships = new Memberships(shapes.rules);
  const spread = new DefaultSpread(objects, releaseOf(settings).defaultSpread);
  const withoutTopology = new PodsWithoutTopology();
  return {
    space,
    requests,
    types,
    pools,
    allTemplates,
    templates,
    daemonSets,
    shapes,
    spread,
    memberships,
    withoutTopology,
  };
}

/** Services and workloads matter only to default constraints. */
function hasSameSpread(a: ClusterObjects, b: ClusterObjects): boolean {
  if (a.options.defaultSpread !== b.options.defaultSpread) return false;
  return b.options.defaultSpread === undefined || (a.services === b.services && a.workloads === b.workloads);
}

function isSameGround(a: Ground | undefined, b: Ground): boolean {
  return (
    a !== undefined &&
    a.objects.instanceTypes === b.objects.instanceTypes &&
    a.objects.options.nodeOverlays === b.objects.options.nodeOverlays &&
    isSameList(a.objects.nodeOverlays, b.objects.nodeOverlays) &&
    a.settings.compat === b.settings.compat &&
    a.settings.karpenter === b.settings.karpenter &&
    a.settings.nodeSurchargeCents === b.settings.nodeSurchargeCents &&
    a.objects.options.minValues === b.objects.options.minValues &&
    a.objects.options.managesDeletionCost === b.objects.options.managesDeletionCost &&
    a.objects.options.preferences === b.objects.options.preferences &&
    hasSameSpread(a.objects, b.objects) &&
    isSameList(a.objects.nodePools, b.objects.nodePools) &&
    isSameList(a.objects.namespaces, b.objects.namespaces) &&
    isSameList(undecodableDaemonSets(a.objects.undecodable), undecodableDaemonSets(b.objects.undecodable)) &&
    a.daemons.length === b.daemons.length &&
    a.daemons.every((daemon, i) => isSameDaemon(daemon, b.daemons[i]))
  );
}
