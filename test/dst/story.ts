import type { ClusterPort } from '../../src/controller/cluster-port.ts';
import { isOpen } from '../../src/controller/command.ts';
import type { PodObject } from '../../src/engine/cluster/objects.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { DEFAULT_SETTINGS } from '../../src/engine/settings.ts';
import { leftovers, watchLaws } from '../build/controller-laws.ts';
import { FakeCluster, type Fate } from '../build/fake-cluster.ts';
import { instanceType, offeringsIn } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';
import { podDisruptionBudget } from '../build/pod-disruption-budget.ts';
import { controllerOn } from '../build/run-controller.ts';
import { singleton } from '../build/singleton.ts';
import { GIB, MINUTE_MS } from '../build/units.ts';
import { LatePort } from './late-port.ts';
import { LeaderPort } from './leader-port.ts';
import { RareFaults } from './rare-faults.ts';

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function diceOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** In one zone, so that passes stay small. */
const TYPES = [1, 2, 4].map((size) =>
  instanceType(`size-${size}`, {
    cpu: 2000 * size,
    memory: 8 * size * GIB,
    offerings: offeringsIn(['zone-a'], 0.1 * size),
  }),
);
const FAULTS: readonly Fate[] = ['lost', 'unanswered', 'twice', 'death-before', 'death-after'];
/** Faults and events end after this many reconciliations, and then everything must settle. */
const ROUGH_TICKS = 25;
const MOST_TICKS = 400;
const QUIET_TICKS = 60;

/**
 * A small cluster, the controller, and everything that can go wrong: actions that are lost, unanswered or repeated, deaths,
 * views that come late, nodes that come late or never, spot nodes that are taken away, nodes that Karpenter disrupts itself,
 * pods and budgets that change. The same seed is the same story.
 */
export class Story {
  readonly port: FakeCluster;
  private readonly late: LatePort;
  private readonly dice: () => number;
  /**
   * Karpenter disrupts nodes itself, and what is said of pods comes after what is said of nodes. In every third story, so
   * that seeds which found something before there was this still tell the same.
   */
  private readonly isRestless: boolean;
  /** In another third. */
  private readonly rare: RareFaults | undefined;
  /** In half of the last third: several commands at a time, and what happens concerns their nodes. */
  private readonly isCrowded: boolean;
  /** In every seventh story, a pod that may only be rolled. */
  private readonly rolls: boolean;
  private rough = true;
  /** Pods that another disruption may have left without a place. */
  private readonly interrupted = new Set<string>();
  private landed = 0;
  /** Until when Karpenter waits with nodes that it has begun to disrupt. */
  private readonly drifting = new Map<string, number>();
  private readonly launches = new Map<string, number | undefined>();

  constructor(seed: number) {
    this.dice = diceOf(seed);
    this.isRestless = seed % 3 === 2;
    this.isCrowded = seed % 6 === 0;
    this.rare = seed % 3 === 1 || seed % 12 === 0 ? new RareFaults(diceOf(~seed)) : undefined;
    this.rolls = seed % 7 === 3;
    const solo = this.rolls ? this.soloWith(diceOf(seed ^ 0x5010)) : undefined;
    const faultRate = this.oneOf([0, 0.1, 0.3]);
    const names = Array.from({ length: (this.isCrowded ? 5 : 2) + this.below(4) }, (_, i) => `n${i}`);
    const types = names.map(() => this.oneOf(TYPES));
    this.port = new FakeCluster(
      {
        instanceTypes: TYPES,
        nodePools: ['left', 'right'].map((name) =>
          nodePool(name, {
            budgets: [{ nodes: this.oneOf(this.isCrowded ? ['2', '100%'] : ['1', '2', '50%', '100%']) }],
            ...this.rare?.pool,
          }),
        ),
        machines: names.map((name, i) =>
          machine(name, { type: types[i], pool: this.oneOf(['left', 'left', 'right']) }),
        ),
        pods: [
          ...names.flatMap((name, i) =>
            Array.from({ length: this.below(4) }, (_, k) =>
              pod(`${name}-${k}`, {
                on: name,
                cpu: Math.floor((types[i].allocatable.cpu / 4) * this.dice()),
                memory: GIB / 2,
                labels: { app: this.oneOf(['web', 'api']) },
              }),
            ),
          ),
          ...(solo === undefined ? [] : [solo.pod]),
        ],
        podDisruptionBudgets: [
          podDisruptionBudget('guard', 'web', { disruptionsAllowed: (this.isCrowded ? 3 : 1) + this.below(2) }),
          ...(solo === undefined ? [] : [solo.budget]),
        ],
        workloads: solo?.workloads ?? [],
        autoscalers: [],
      },
      {
        drainMs: this.oneOf([5_000, 40_000]),
        refusedAfterMs: this.oneOf([30_000, undefined]),
        policies: this.rare?.policies,
        interlock: this.rare?.interlock,
        readyMs: solo?.readyMs,
        launchMs: ({ nodeClaim }) => this.launchMs(nodeClaim),
        fateOf: () => (this.rough && this.dice() < faultRate ? this.oneOf(FAULTS) : 'done'),
      },
    );
    this.late = new LatePort(this.port);
    this.port.steers = this.rare?.steers ?? false;
  }

  /** A singleton whose budget allows no eviction, and how long its new pods take to be ready; some never are. */
  private soloWith(dice: () => number) {
    const rolling = dice() < 0.5 ? { maxSurge: 1, maxUnavailable: 0 } : { maxSurge: 0, maxUnavailable: 1 };
    const own = singleton('solo', { on: 'n0', cpu: 300, memory: GIB / 2, move: 'rollout', rollout: { rolling } });
    const readyMs = new Map<string, number | undefined>();
    return {
      ...own,
      budget: podDisruptionBudget('solo', 'solo', { disruptionsAllowed: 0, fullyBlocking: true }),
      readyMs: ({ uid }: PodObject) => {
        if (!readyMs.has(uid))
          readyMs.set(uid, this.rough && dice() < 0.3 ? undefined : 2_000 + Math.floor(60_000 * dice()));
        return readyMs.get(uid);
      },
    };
  }

  /** Drawn once for each NodeClaim; some are never initialized, some take longer than any timeout. */
  private launchMs(nodeClaim: string): number | undefined {
    if (!this.launches.has(nodeClaim)) {
      const luck = this.rough ? this.dice() : 1;
      const soon = 10_000 + this.below(60_000);
      this.launches.set(nodeClaim, luck < 0.2 ? undefined : luck < 0.3 ? 5 * MINUTE_MS + 10 * soon : soon);
    }
    return this.launches.get(nodeClaim);
  }

  /** What was done that must not be, and what is left over. */
  async breaches(): Promise<readonly string[]> {
    const breaches = watchLaws(this.port, this.rare?.twoLeaders);
    await this.run();
    this.port.advanceTo(this.port.nowMs + MINUTE_MS);
    this.rare?.timePasses(this.port);
    const left = leftovers(this.port).filter(
      (each) => ![...this.interrupted].some((name) => each.includes(` ${name} `)),
    );
    return [...breaches, ...left];
  }

  private async run(): Promise<void> {
    const sketch = {
      work: 20,
      search: this.oneOf(['merged', 'karpenter'] as const),
      times: { pollMs: 30_000 },
      ...this.rare?.sketch,
    };
    const settings = { ...this.rare?.sketch.settings, rollouts: this.rolls };
    const controllersNow = () => this.ports().map((port) => controllerOn(port, { ...sketch, settings }));
    let controllers = controllersNow();
    let [asked, restedAt] = [0, 0];
    for (let i = 0; i < MOST_TICKS; i++) {
      this.rough = i < ROUGH_TICKS;
      if (!this.rough && this.rare?.oneFindsOut === true) controllers.length = 1;
      const [report, ...others] = await Promise.all(controllers.map((controller) => controller.reconcile()));
      this.late.tick();
      if (this.port.revive()) {
        controllers = controllersNow();
        continue;
      }
      if (asked !== this.port.asked.length) restedAt = i;
      asked = this.port.asked.length;
      // A proposal that was refused before is not begun again until what refused it has changed.
      const isQuiet = (report.pass?.proposals.length === 0 && restedAt < i) || i - restedAt > QUIET_TICKS;
      if (!this.rough && isQuiet && !this.port.commands.some(isOpen)) return;
      const wishes = [report, ...others].map(({ wakeAtMs = Infinity }) => wakeAtMs);
      const next = Math.min(...wishes, this.port.nextMs() ?? Infinity, this.port.nowMs + MINUTE_MS);
      this.port.advanceTo(next > this.port.nowMs ? next : this.port.nowMs + 1000);
      this.rare?.timePasses(this.port);
      this.driftOn();
      this.resettle();
      if (!this.rough) this.late.catchUp();
      else if (!this.late.isBehind && this.dice() < 0.25) this.somethingHappens();
      if (this.isCrowded && this.rough && !this.late.isBehind && this.dice() < 0.3) this.concernsACommand();
    }
    throw new Error('it does not settle');
  }

  private ports(): readonly ClusterPort[] {
    if (this.rare?.twoLeaders !== true) return [this.late];
    return [this.late, this.port].map((port) => new LeaderPort(port, this.port, this.dice));
  }

  private somethingHappens(): void {
    const { port } = this;
    if (this.rare !== undefined && this.dice() < 0.5) {
      for (const claim of this.rare.happen(port)) this.shake(claim);
      return;
    }
    if (this.isRestless && this.dice() < 0.3) {
      // By validation of a command, pods are known too.
      if (this.dice() < 0.5) this.late.missPods();
      else this.drift();
      return;
    }
    // What is said of pods on nodes that are going already is for Karpenter, which drains them.
    const going = new Set(port.objects.nodeClaims.filter((c) => c.terminating).map((c) => c.nodeName));
    const pods = port.objects.pods.filter((p) => !going.has(p.nodeName));
    const victim = pods.at(this.below(pods.length));
    switch (this.below(7)) {
      case 0:
        if (victim !== undefined)
          port.changePod(victim.name, ({ doNotDisrupt }) => ({
            doNotDisrupt: doNotDisrupt === undefined ? 'true' : undefined,
          }));
        break;
      case 1:
        port.changeBudget('guard', { disruptionsAllowed: this.below(3) });
        break;
      case 2:
        if (victim !== undefined) port.removePod(victim);
        break;
      case 3:
        this.late.fallBehind(1 + this.below(3));
        break;
      case 4:
        this.interrupt();
        break;
      case 5:
        if (this.rare?.interlock === true) break;
        port.changePool(this.oneOf(['left', 'right']), { budgets: [{ nodes: this.oneOf(['0', '1', '50%']) }] });
        break;
      default:
        this.land();
    }
  }

  /** What may happen to a node of a command that is under way, or to its pods. */
  private concernsACommand(): void {
    const { port } = this;
    const open = port.commands.filter((c) => c.phase === 'launching' && c.reason === undefined);
    const going = open.flatMap((c) => c.nodes);
    const node = going.at(this.below(going.length));
    if (node === undefined) return;
    const pods = port.objects.pods.filter((p) => p.nodeName === node.node);
    const victim = pods.at(this.below(pods.length));
    switch (this.below(6)) {
      case 0:
        port.changeBudget('guard', { disruptionsAllowed: 1 });
        break;
      case 1:
        if (this.rare?.interlock !== true) port.changePool(node.nodePool, { budgets: [{ nodes: '1' }] });
        break;
      case 2:
        if (victim !== undefined) port.changePod(victim.name, () => ({ labels: { app: 'web' } }));
        break;
      case 3:
        if (victim !== undefined) port.changePod(victim.name, () => ({ doNotDisrupt: 'true' }));
        break;
      case 4:
        this.takeForDrift(node.nodeClaim);
        break;
      default:
        this.land(0.7);
    }
  }

  /** A spot node is taken away with what runs on it, in the middle of whatever is going on. */
  private interrupt(): void {
    const claim = this.someClaim();
    if (claim === undefined || this.dice() < 0.5) return;
    this.takeAway(claim);
  }

  private someClaim(): string | undefined {
    const { nodeClaims } = this.port.objects;
    return nodeClaims.filter((c) => !c.terminating && c.nodeName !== '').at(this.below(nodeClaims.length))?.name;
  }

  private takeAway(nodeClaim: string): void {
    this.shake(nodeClaim);
    this.port.lost.add(nodeClaim);
    this.port.delete(nodeClaim);
  }

  /** Nothing more comes to this node, and pods that are on their way may have counted on it. */
  private shake(nodeClaim: string): void {
    const { nodeClaims, pods } = this.port.objects;
    const shaken = nodeClaims.filter((c) => c.name === nodeClaim || c.terminating).map((c) => c.nodeName);
    for (const { name, nodeName } of pods) if (shaken.includes(nodeName)) this.interrupted.add(name);
  }

  /** Karpenter begins with a node that has drifted. */
  private drift(): void {
    const claim = this.someClaim();
    if (claim !== undefined) this.takeForDrift(claim);
  }

  private takeForDrift(claim: string): void {
    if (this.drifting.has(claim)) return;
    this.shake(claim);
    this.port.take(claim);
    this.drifting.set(claim, this.port.nowMs + 1000 * (5 + this.below(90)));
  }

  /** It deletes the node once its replacement is up, out of sight, or gives up. */
  private driftOn(): void {
    for (const [claim, untilMs] of this.drifting) {
      if (this.port.nowMs < untilMs) continue;
      this.drifting.delete(claim);
      if (this.dice() < 0.5) this.takeAway(claim);
      else this.port.giveBack(claim);
    }
  }

  /** Karpenter would provision for pods that an interruption left without a place; here nothing does. */
  private resettle(): void {
    const { port } = this;
    if (!port.objects.pods.some((p) => p.nodeName === '')) return;
    const pods = port.objects.pods.filter((p) => p.nodeName !== '' || !this.interrupted.has(p.name));
    port.objects = { ...port.objects, pods };
  }

  /**
   * A new pod is scheduled to a node with capacity, and takes this share of it; not while others are pending, whose
   * capacity only a scheduler knows.
   */
  private land(share = 0): void {
    const { port } = this;
    if (port.objects.nodeClaims.some((c) => c.terminating)) return;
    const cluster = compile(port.objects, DEFAULT_SETTINGS);
    const row = cluster.rows.findIndex(
      ({ initialized, taints }, r) =>
        initialized && taints.length === 0 && cluster.free[0][r] > 600 && cluster.free[2][r] > 0,
    );
    if (row < 0) return;
    const cpu = Math.max(500, Math.floor(share * cluster.free[0][row]));
    port.addPod(pod(`late-${this.landed++}`, { on: cluster.rows[row].name, cpu, memory: GIB / 2 }));
  }

  private below(n: number): number {
    return Math.floor(this.dice() * n);
  }

  private oneOf<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }
}
