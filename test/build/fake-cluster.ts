import type { PolicyObject } from '../../src/config/policy-object.ts';
import type { Action, ClusterPort, ClusterView } from '../../src/controller/cluster-port.ts';
import type { Command, CommandReplacement } from '../../src/controller/command.ts';
import { isTaken } from '../../src/controller/leaving.ts';
import type {
  ClusterObjects,
  NodeClaimObject,
  NodeObject,
  NodePoolObject,
  PodDisruptionBudgetObject,
  PodObject,
} from '../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, DISRUPTED_TAINT, INSTANCE_TYPE, ON_DEMAND, ZONE } from '../../src/engine/cluster/well-known.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { type ClusterSketch, cluster, PLAINLY } from './cluster.ts';
import { FakeDeployments } from './fake-deployments.ts';
import { machine } from './machine.ts';

/** The result of an action: executed, failed before or after its effect, or the process died there. */
export type Fate = 'done' | 'lost' | 'unanswered' | 'twice' | 'death-before' | 'death-after';

export interface FakeClusterOptions {
  /** From a NodeClaim to a node that is up; undefined: never. */
  readonly launchMs?: (replacement: CommandReplacement) => number | undefined;
  /** NodeClaims that cannot be launched are removed after this time, as in Karpenter. */
  readonly refusedAfterMs?: number;
  /** From the deletion of a NodeClaim to the end of its node; default 30 s. */
  readonly drainMs?: (nodeClaim: string) => number;
  readonly policies?: readonly PolicyObject[];
  /** The controller on it heeds the interlock. */
  readonly interlock?: boolean;
  /** From the binding of a new pod of a Deployment to its readiness; undefined: never. */
  readonly readyMs?: (pod: PodObject) => number | undefined;
  fateOf?(action: Action, index: number): Fate;
  /** Called before a write that was lost, or whose answer was, fails: that may take a while. */
  whileFailing?(): void;
}

/** A cluster in memory behind the controller's port: what it is told happens, and then what Karpenter would do. */
export class FakeCluster implements ClusterPort {
  objects: ClusterObjects;
  /** Everything that was asked for, in order. */
  readonly asked: Action[] = [];
  /** Pods that were evicted and found no place. */
  readonly unplacedPods: PodObject[] = [];
  synced = true;
  /** NodeClaims that Karpenter began to disrupt by itself, whether or not it finished. */
  readonly taken = new Set<string>();
  readonly interlock: boolean;
  /** The controller on it steers pods. */
  steers = false;
  /** Time that has passed, whatever clocks say, and when they were last set. */
  elapsedMs = 0;
  jumpedMs = 0;
  /** NodeClaims that something else deleted, initialized or not. */
  readonly lost = new Set<string>();
  private readonly deployments: FakeDeployments;
  private readonly journal = new Map<string, Command>();
  private readonly options: FakeClusterOptions;
  private readonly created = new Map<string, { readonly atMs: number; readonly replacement: CommandReplacement }>();
  private readonly deletedMs = new Map<string, number>();
  private readonly watchers: ((action: Action, before: FakeCluster) => void)[] = [];
  private dead = false;

  constructor(sketch: ClusterSketch, options: FakeClusterOptions = {}) {
    this.objects = cluster(sketch);
    this.options = options;
    this.deployments = new FakeDeployments(this, options.readyMs ?? (() => 10_000));
    this.interlock = options.interlock ?? false;
  }

  get nowMs(): number {
    return this.objects.nowMs;
  }

  get commands(): readonly Command[] {
    return [...this.journal.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Called with every action that has an effect, before it has. */
  watch(watcher: (action: Action, before: FakeCluster) => void): void {
    this.watchers.push(watcher);
  }

  view(): ClusterView | undefined {
    if (!this.synced || this.dead) return undefined;
    return { objects: this.objects, commands: this.commands, policies: this.options.policies };
  }

  /** Replaces a process that died by one without state. */
  revive(): boolean {
    const { dead } = this;
    this.dead = false;
    return dead;
  }

  async act(action: Action): Promise<void> {
    if (this.dead) throw new Error('dead');
    const fate = this.options.fateOf?.(action, this.asked.length) ?? 'done';
    this.asked.push(action);
    this.dead = fate === 'death-before' || fate === 'death-after';
    if (fate !== 'lost' && fate !== 'death-before') this.carryOut(action);
    if (fate === 'twice') this.carryOut(action);
    if (fate === 'lost' || fate === 'unanswered') this.options.whileFailing?.();
    if (fate !== 'done' && fate !== 'twice') throw new Error(fate);
  }

  private carryOut(action: Action): void {
    for (const watcher of this.watchers) watcher(action, this);
    switch (action.kind) {
      case 'save-command':
        this.journal.set(action.command.id, action.command);
        break;
      case 'forget-command':
        this.journal.delete(action.command);
        break;
      case 'taint':
      case 'untaint':
        this.setTainted(action.node, action.kind === 'taint');
        break;
      case 'steer-node':
        this.changeNode(action.node, () => ({ steered: action.steered }));
        break;
      case 'steer-pod':
        this.changePod(action.name, () => ({ steeredCost: action.cost }));
        break;
      case 'restart-deployment':
        this.deployments.restart(action);
        break;
      case 'extra-replica':
        this.deployments.setExtra(action);
        break;
      case 'create-node-claim':
        this.create(action.replacement);
        break;
      case 'delete-node-claim':
        this.delete(action.nodeClaim);
        break;
    }
  }

  /** Somebody deletes all commands. */
  wipeJournal(): void {
    this.journal.clear();
  }

  /** The clock is set forward or back; what is under way takes as long as before, or longer. */
  jump(deltaMs: number): void {
    this.objects = { ...this.objects, nowMs: this.nowMs + deltaMs };
    this.jumpedMs = this.elapsedMs;
  }

  private create(replacement: CommandReplacement): void {
    const { nodeClaim: name } = replacement;
    if (this.objects.nodeClaims.some((c) => c.name === name)) return;
    const { claim } = this.launched(replacement);
    const bare: NodeClaimObject = { ...claim, providerId: '', nodeName: '', conditions: [], createdMs: this.nowMs };
    this.objects = { ...this.objects, nodeClaims: [...this.objects.nodeClaims, bare] };
    this.created.set(name, { atMs: this.nowMs, replacement });
  }

  /** The first of its types, in the first zone that will do. */
  private launched({ nodeClaim, nodePool, requirements }: CommandReplacement): {
    readonly node: NodeObject;
    readonly claim: NodeClaimObject;
  } {
    const first = (key: string) => requirements.find((r) => r.key === key && r.operator === 'In')?.values?.[0];
    const type = this.objects.instanceTypes.find((t) => t.name === first(INSTANCE_TYPE));
    const capacityType = first(CAPACITY_TYPE) ?? ON_DEMAND;
    const single = requirements.filter((r) => r.operator === 'In' && r.values?.length === 1);
    const labels = Object.fromEntries(single.map((r) => [r.key, r.values?.[0] ?? '']));
    const sketch = { pool: nodePool, type, zone: first(ZONE), capacityType, labels };
    const { node, claim } = machine(`node-${nodeClaim}`, sketch);
    if (node === undefined || claim === undefined) throw new Error('a machine has both');
    const conditions = claim.conditions.map((c) => ({ ...c, changedMs: this.nowMs }));
    return { node, claim: { ...claim, name: nodeClaim, uid: `uid-${nodeClaim}`, conditions } };
  }

  delete(nodeClaim: string): void {
    if (!this.objects.nodeClaims.some((c) => c.name === nodeClaim)) return;
    this.changeClaim(nodeClaim, () => ({ terminating: true }));
    if (!this.deletedMs.has(nodeClaim)) this.deletedMs.set(nodeClaim, this.nowMs);
  }

  /** Karpenter begins to disrupt it, as when it has drifted: a taint and a condition, before anything is deleted. */
  take(nodeClaim: string): void {
    this.taken.add(nodeClaim);
    this.changeClaim(nodeClaim, ({ conditions }) => ({
      conditions: [...conditions, { type: 'DisruptionReason', status: 'True', changedMs: this.nowMs }],
    }));
    this.setTainted(this.nodeOf(nodeClaim), true);
  }

  /** Karpenter has thought better of it. */
  giveBack(nodeClaim: string): void {
    this.changeClaim(nodeClaim, ({ conditions }) => ({
      conditions: conditions.filter((c) => c.type !== 'DisruptionReason'),
    }));
    this.setTainted(this.nodeOf(nodeClaim), false);
  }

  private nodeOf(nodeClaim: string): string {
    return this.objects.nodeClaims.find((c) => c.name === nodeClaim)?.nodeName ?? '';
  }

  private setTainted(node: string, tainted: boolean): void {
    this.changeNode(node, ({ taints }) => {
      const others = taints.filter((t) => t.key !== DISRUPTED_TAINT.key);
      return { taints: tainted ? [...others, DISRUPTED_TAINT] : others };
    });
  }

  changeNode(name: string, change: (node: NodeObject) => Partial<NodeObject>): void {
    const nodes = this.objects.nodes.map((n) => (n.name === name ? { ...n, ...change(n) } : n));
    this.objects = { ...this.objects, nodes };
  }

  changeClaim(name: string, change: (claim: NodeClaimObject) => Partial<NodeClaimObject>): void {
    const nodeClaims = this.objects.nodeClaims.map((c) => (c.name === name ? { ...c, ...change(c) } : c));
    this.objects = { ...this.objects, nodeClaims };
  }

  changePod(name: string, change: (pod: PodObject) => Partial<PodObject>): void {
    const pods = this.objects.pods.map((p) => (p.name === name ? { ...p, ...change(p) } : p));
    this.objects = { ...this.objects, pods };
  }

  changePool(name: string, change: Partial<NodePoolObject>): void {
    const nodePools = this.objects.nodePools.map((p) => (p.name === name ? { ...p, ...change } : p));
    this.objects = { ...this.objects, nodePools };
  }

  changeBudget(name: string, change: Partial<PodDisruptionBudgetObject>): void {
    const podDisruptionBudgets = this.objects.podDisruptionBudgets.map((b) =>
      b.name === name ? { ...b, ...change } : b,
    );
    this.objects = { ...this.objects, podDisruptionBudgets };
  }

  /** Its Deployment makes another one at once. */
  removePod(pod: PodObject): void {
    this.objects = { ...this.objects, pods: this.objects.pods.filter((p) => p !== pod) };
    this.deployments.settle();
  }

  addPod(pod: PodObject): void {
    this.objects = { ...this.objects, pods: [...this.objects.pods, { ...pod, startedMs: this.nowMs }] };
    this.touch(pod.nodeName);
  }

  touch(node: string): void {
    const claim = this.objects.nodeClaims.find((c) => c.nodeName === node);
    if (claim !== undefined) this.changeClaim(claim.name, () => ({ lastPodEventMs: this.nowMs }));
  }

  /** When something will happen by itself; undefined: never. */
  nextMs(): number | undefined {
    const times: number[] = [];
    for (const { name } of this.objects.nodeClaims) {
      const deleted = this.deletedMs.get(name);
      const launch = this.created.get(name);
      if (deleted !== undefined) times.push(deleted + this.drainMs(name));
      else if (launch !== undefined) times.push(this.arrivalMs(launch.replacement, launch.atMs) ?? Infinity);
    }
    const soonest = Math.min(...times, this.deployments.nextMs() ?? Infinity);
    return soonest === Infinity ? undefined : soonest;
  }

  private arrivalMs(replacement: CommandReplacement, atMs: number): number | undefined {
    const { launchMs = () => 60_000, refusedAfterMs } = this.options;
    const delay = launchMs(replacement) ?? refusedAfterMs;
    return delay === undefined ? undefined : atMs + delay;
  }

  private drainMs(nodeClaim: string): number {
    return this.options.drainMs?.(nodeClaim) ?? 30_000;
  }

  /** Time passes, and what was due by then has happened. */
  advanceTo(ms: number): void {
    this.elapsedMs += Math.max(0, ms - this.nowMs);
    this.objects = { ...this.objects, nowMs: Math.max(ms, this.nowMs) };
    for (const [name, { atMs, replacement }] of this.created) {
      if (this.deletedMs.has(name) || (this.arrivalMs(replacement, atMs) ?? Infinity) > ms) continue;
      this.created.delete(name);
      if (this.options.launchMs?.(replacement) === undefined && this.options.launchMs !== undefined) {
        this.remove(name);
        continue;
      }
      const { node, claim } = this.launched(replacement);
      this.changeClaim(name, () => claim);
      this.objects = { ...this.objects, nodes: [...this.objects.nodes, node] };
    }
    const drained = [...this.deletedMs].filter(([name, atMs]) => atMs + this.drainMs(name) <= ms).map(([name]) => name);
    if (drained.length > 0) this.drain(drained);
    this.deployments.settle();
  }

  /**
   * Pods find places one node after the other; who goes later keeps its pods until then. kube-scheduler decodes everything.
   */
  private drain(claims: readonly string[]): void {
    const nodeClaims = this.objects.nodeClaims.map((c) => ({ ...c, terminating: claims.includes(c.name) }));
    const target = this.placesFor(nodeClaims);
    const gone = new Set(
      this.objects.nodeClaims.filter((c) => claims.includes(c.name) && c.nodeName !== '').map((c) => c.nodeName),
    );
    for (const pod of this.objects.pods.filter((p) => gone.has(p.nodeName))) {
      if (pod.owners.some((o) => o.kind === 'DaemonSet')) {
        this.objects = { ...this.objects, pods: this.objects.pods.filter((p) => p !== pod) };
        continue;
      }
      const nodeName = target.get(pod.uid) ?? '';
      this.changePod(pod.name, () => ({ nodeName, startedMs: this.nowMs, unschedulable: nodeName === '' }));
      if (nodeName === '') this.unplacedPods.push(pod);
      else this.touch(nodeName);
    }
    for (const claim of claims) this.remove(claim);
  }

  /** By UID: the node where kube-scheduler puts each pod of a node that goes. */
  private placesFor(
    nodeClaims: readonly NodeClaimObject[],
    nodes: readonly NodeObject[] = this.objects.nodes,
  ): ReadonlyMap<string, string> {
    const compiled = compile({ ...this.objects, nodes, nodeClaims, undecodable: [] }, PLAINLY);
    const target = new Map<string, string>();
    new Simulation(compiled).removing([], ({ placements }) => {
      for (const { pod, row } of placements) target.set(compiled.pods[pod].uid, compiled.rows[row].name);
    });
    return target;
  }

  /**
   * How many pods of the nodes that go have no place on running ones, if these NodeClaims are deleted too. Nodes that stay
   * take pods once they are no longer tainted.
   */
  withoutPlace(deleted: readonly string[]): number {
    const nodeClaims = this.objects.nodeClaims.map((c) => (deleted.includes(c.name) ? { ...c, terminating: true } : c));
    const going = new Set(nodeClaims.filter((c) => c.terminating && c.nodeName !== '').map((c) => c.nodeName));
    const moving = this.objects.pods.filter(
      (p) => going.has(p.nodeName) && p.owners.every((o) => o.kind !== 'DaemonSet'),
    );
    if (moving.length === 0) return 0;
    const kept = new Set(nodeClaims.filter((c) => !c.terminating && !isTaken(c)).map((c) => c.nodeName));
    const untainted = ({ taints, ...node }: NodeObject) => ({
      ...node,
      taints: kept.has(node.name) ? taints.filter((t) => t.key !== DISRUPTED_TAINT.key) : taints,
    });
    const places = this.placesFor(nodeClaims, this.objects.nodes.map(untainted));
    return moving.filter((p) => !places.has(p.uid)).length;
  }

  private remove(name: string): void {
    const { nodeName } = this.objects.nodeClaims.find((c) => c.name === name) ?? {};
    this.deletedMs.delete(name);
    this.created.delete(name);
    this.objects = {
      ...this.objects,
      nodeClaims: this.objects.nodeClaims.filter((c) => c.name !== name),
      nodes: this.objects.nodes.filter((n) => n.name !== nodeName),
    };
  }
}
