import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import type { Taint } from '../engine/cluster/objects.ts';
import { labelOf } from '../engine/cluster/objects.ts';
import { CPU, MEMORY } from '../engine/cluster/request-table.ts';
import { LEAVING_TAINT } from '../engine/cluster/well-known.ts';
import { labelsSatisfy } from '../engine/scheduling/node-filter.ts';
import { Volumes } from '../engine/scheduling/volumes.ts';
import { toleratesAll } from '../engine/selection/taints.ts';
import { type PlacementRules, placementRules, podsAllow } from './placement-rules.ts';
import { fits } from './resource-columns.ts';
import type { SimNode } from './sim-node.ts';
import type { AppState, SimPod } from './sim-pod.ts';
import { TopologyIndex } from './topology-index.ts';
import type { World } from './world.ts';

/** Score weights of kube-scheduler's default profile. */
const RESOURCES = 1;
const BALANCE = 1;
const PREFERENCES = 2;
const TAINT_TOLERATION = 3;

/**
 * kube-scheduler: binds pods one by one, by priority, each to the feasible node with the highest score. It knows nothing
 * of Karpenter's nominations. Preemption is not modelled.
 */
export class KubeScheduler {
  private readonly world: World;
  private readonly index: TopologyIndex;
  private readonly rules = new Map<AppState, PlacementRules>();
  private readonly waiting = new Set<SimPod>();
  private readonly prioritized: boolean;
  private due = false;
  /** Where volumes are; undefined without PersistentVolumeClaims. */
  private readonly volumes: Volumes | undefined;

  constructor(world: World) {
    this.world = world;
    const start = world.scenario.start?.objects;
    if (start !== undefined && start.persistentVolumeClaims.length > 0) this.volumes = new Volumes(start, false);
    this.index = new TopologyIndex(world);
    this.prioritized = world.apps.some(({ app }) => (app.priority ?? 0) !== 0);
    world.listeners.push({
      podCreated: (pod) => {
        if (pod.state.app.kind === 'DaemonSet') return;
        this.waiting.add(pod);
        this.wake();
      },
      podImported: (pod) => {
        if (pod.node !== undefined || pod.stopping !== undefined) return;
        this.waiting.add(pod);
        this.wake();
      },
      podStopping: (pod) => this.waiting.delete(pod),
      podGone: () => this.wake(),
      nodeReady: () => this.wake(),
      nodeUntainted: () => this.wake(),
    });
  }

  /** Pending pods. */
  get pending(): ReadonlySet<SimPod> {
    return this.waiting;
  }

  /** Schedules the queue after all other events of this moment. */
  wake(): void {
    if (this.due || this.waiting.size === 0) return;
    this.due = true;
    this.world.queue.after(0, () => {
      this.due = false;
      this.run();
    });
  }

  private run(): void {
    const queue = [...this.waiting];
    if (this.prioritized) queue.sort((a, b) => (b.object.priority ?? 0) - (a.object.priority ?? 0));
    const nodes = [...this.world.nodes.values()].filter((n) => n.readyMs !== undefined);
    const open = nodes.filter((n) => !n.tainted && !n.deleting);
    // Pods of one workload are alike: if one is unschedulable, so is the next, unless its constraints count pods and one
    // was bound in between.
    const without = new Set<AppState>();
    const withoutForNow = new Set<AppState>();
    for (const pod of queue) {
      const rules = this.rulesOf(pod.state);
      const hasVolumes = pod.object.volumeClaims.length > 0;
      const isAlike = !hasVolumes && (without.has(pod.state) || withoutForNow.has(pod.state));
      const node = isAlike ? undefined : this.choose(pod, rules, nodes, open);
      if (node === undefined) {
        if (!hasVolumes) (rules.dependsOnPods ? withoutForNow : without).add(pod.state);
        this.world.markUnschedulable(pod);
      } else {
        this.waiting.delete(pod);
        this.world.bind(pod, node);
        withoutForNow.clear();
      }
    }
  }

  /** Placement rules of the workload, made for its first pod. */
  rulesOf(state: AppState): PlacementRules {
    return getOrInsert(this.rules, state, () => placementRules(state, this.world.apps, this.index));
  }

  private choose(
    pod: SimPod,
    rules: PlacementRules,
    nodes: readonly SimNode[],
    open: readonly SimNode[],
  ): SimNode | undefined {
    const { state } = pod;
    const zones = this.volumes?.of(pod.object).alternatives ?? [];
    const admitted = (node: SimNode) =>
      isAdmitted(rules, state, node) && (zones.length === 0 || zones.some((z) => labelsSatisfy(node.labels, z)));
    const allowed = rules.dependsOnPods ? podsAllow(rules, nodes.filter(admitted)) : undefined;
    const candidates: SimNode[] = [];
    for (const node of open) {
      if (fits(state.requests, node.free) && admitted(node) && (allowed === undefined || allowed(node)))
        candidates.push(node);
    }
    if (candidates.length < 2) return candidates[0];
    const preferred = preferences(rules, candidates);
    const taints = taintScores(state, candidates);
    let best = candidates[0];
    let bestScore = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < candidates.length; i++) {
      const score =
        this.resourceScore(state, candidates[i]) +
        PREFERENCES * (preferred === undefined ? 0 : preferred[i]) +
        TAINT_TOLERATION * (taints === undefined ? 0 : taints[i]);
      if (score > bestScore) [best, bestScore] = [candidates[i], score];
    }
    return best;
  }

  /** 0 to 200: LeastAllocated or MostAllocated, plus BalancedAllocation. */
  private resourceScore({ requests }: AppState, { free, allocatable }: SimNode): number {
    const cpu = (free[CPU] - requests[CPU]) / allocatable[CPU];
    const memory = (free[MEMORY] - requests[MEMORY]) / allocatable[MEMORY];
    const left = (cpu + memory) / 2;
    const least = this.world.scenario.settings.scoring === 'LeastAllocated';
    return RESOURCES * 100 * (least ? left : 1 - left) + BALANCE * 100 * (1 - Math.abs(cpu - memory) / 2);
  }
}

function isAdmitted(rules: PlacementRules, state: AppState, node: SimNode): boolean {
  if (rules.acceptsAnyLabels && node.taints.length === 0) return true;
  return getOrInsert(node.admits, state, () => rules.admits(node));
}

/** Normalized preference scores by node; undefined if the pod has no preferences. */
function preferences(rules: PlacementRules, nodes: readonly SimNode[]): Float64Array | undefined {
  const { preferredNodes, preferredPods, softSpread } = rules;
  if (preferredNodes.length + preferredPods.length + softSpread.length === 0) return undefined;
  const total = new Float64Array(nodes.length);
  addScaled(total, nodes, (n) =>
    preferredNodes.reduce((sum, p) => sum + (labelsSatisfy(n.labels, p.requirements) ? p.weight : 0), 0),
  );
  addScaled(total, nodes, (n) =>
    preferredPods.reduce((sum, { weight, tally }) => {
      const domain = labelOf(n.labels, tally.topologyKey);
      return sum + (domain === undefined ? 0 : weight * tally.counts(domain));
    }, 0),
  );
  addScaled(total, nodes, (n) =>
    softSpread.reduce((sum, { tally }) => {
      const domain = labelOf(n.labels, tally.topologyKey);
      return sum - (domain === undefined ? 0 : tally.counts(domain));
    }, 0),
  );
  return total;
}

/** Adds scores normalized to 0 to 100; adds nothing if all are equal. */
function addScaled(total: Float64Array, nodes: readonly SimNode[], score: (n: SimNode) => number): void {
  const scores = nodes.map(score);
  const worst = Math.min(...scores);
  const range = Math.max(...scores) - worst;
  if (range === 0) return;
  for (let i = 0; i < nodes.length; i++) total[i] += (100 * (scores[i] - worst)) / range;
}

/** TaintToleration: 100 without PreferNoSchedule taints that the pod does not tolerate, 0 with the most; undefined: none. */
function taintScores({ app }: AppState, nodes: readonly SimNode[]): readonly number[] | undefined {
  if (!nodes.some(({ taints, steered }) => steered || taints.length > 0)) return undefined;
  const isIntolerable = (taint: Taint) =>
    taint.effect === 'PreferNoSchedule' && !toleratesAll([taint], app.constraints.tolerations);
  const isSteeredAway = isIntolerable(LEAVING_TAINT);
  const counts = nodes.map(
    ({ taints, steered }) => taints.filter(isIntolerable).length + (steered && isSteeredAway ? 1 : 0),
  );
  const most = Math.max(...counts);
  return most === 0 ? undefined : counts.map((count) => 100 * (1 - count / most));
}
