import type { ClusterPort } from '../../src/controller/cluster-port.ts';
import { isOpen } from '../../src/controller/command.ts';
import type { PodObject } from '../../src/engine/cluster/objects.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { DEFAULT_SETTINGS } from '../../src/engine/settings.ts';
import { leftovers, PassLaws, watchLaws } from '../build/controller-laws.ts';
import { FakeCluster, type Fate } from '../build/fake-cluster.ts';
import { instanceType, offeringsIn } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';
import { podDisruptionBudget } from '../build/pod-disruption-budget.ts';
import { controllerOn } from '../build/run-controller.ts';
import { singleton } from '../build/singleton.ts';
import { GIB, MINUTE_MS } from '../build/units.ts';
import { CommandFaults } from './command-faults.ts';
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
  /** In the last third: several commands at a time, and what happens concerns their nodes. */
  private readonly isCrowded: boolean;
  /** In half of these, commands become ready at the same time, and their nodes drain in any order. */
  private readonly isTight: boolean;
  /** In every seventh story, a pod that may only be rolled. */
  private readonly rolls: boolean;
  private rough = true;
  /** A write failed in this pass, and something happened meanwhile. */
  private wasSlow = false;
  private readonly afterPass: PassLaws;
  private readonly ofCommands: CommandFaults;
  /** Pods that another disruption may have left without a place. */
  private readonly interrupted = new Set<string>();
  private landed = 0;
  /** Until when Karpenter waits with nodes that it has begun to disrupt. */
  private readonly drifting = new Map<string, number>();
  private readonly launches = new Map<string, number | undefined>();

  constructor(seed: number) {
    this.dice = diceOf(seed);
    this.isRestless = seed % 3 === 2;
    this.isCrowded = seed % 3 === 0;
    this.isTight = seed % 6 === 3;
    this.rare = seed % 3 === 1 || (seed % 12 < 4 && seed % 3 === 0) ? new RareFaults(diceOf(~seed)) : undefined;
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
        drainMs: this.drainTimes(),
        refusedAfterMs: this.oneOf([30_000, undefined]),
        policies: this.rare?.policies,
        interlock: this.rare?.interlock,
        readyMs: solo?.readyMs,
        whileFailing: () => this.failSlowly(),
        launchMs: ({ nodeClaim }) => this.launchMs(nodeClaim),
        fateOf: () => (this.rough && this.dice() < faultRate ? this.oneOf(FAULTS) : 'done'),
      },
    );
    this.late = new LatePort(this.port);
    this.afterPass = new PassLaws(this.port);
    this.ofCommands = new CommandFaults(this.port, this.dice, {
      takeForDrift: (claim) => this.takeForDrift(claim),
      takeAway: (claim) => this.takeAway(claim),
      shake: (claim) => this.shake(claim),
      land: (share) => this.land(share),
    });
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

  /** Nodes of tight stories drain in another order than they were deleted in. */
  private drainTimes(): (nodeClaim: string) => number {
    const usual = this.oneOf([5_000, 40_000]);
    if (!this.isTight) return () => usual;
    const times = new Map<string, number>();
    return (nodeClaim) => {
      if (!times.has(nodeClaim)) times.set(nodeClaim, this.oneOf([5_000, 40_000, 90_000]));
      return times.get(nodeClaim) ?? usual;
    };
  }

  /** A write that times out: half a minute later, the cluster is not what the controller read. */
  private failSlowly(): void {
    if (!this.isCrowded || !this.rough || this.late.isBehind || this.rare?.twoLeaders === true) return;
    if (this.dice() < 0.5) return;
    this.wasSlow = true;
    this.port.advanceTo(this.port.nowMs + 30_000);
    this.ofCommands.happen();
  }

  /** Drawn once for each NodeClaim; some are never initialized, some take longer than any timeout. */
  private launchMs(nodeClaim: string): number | undefined {
    if (!this.launches.has(nodeClaim)) {
      const luck = this.rough ? this.dice() : 1;
      const soon = this.isTight ? 30_000 : 10_000 + this.below(60_000);
      this.launches.set(nodeClaim, luck < 0.2 ? undefined : luck < 0.3 ? 5 * MINUTE_MS + 10 * soon : soon);
    }
    return this.launches.get(nodeClaim);
  }

  /** What was done that must not be, and what is left over. */
  async breaches(): Promise<readonly string[]> {
    const breaches = watchLaws(this.port, {
      severalLeaders: this.rare?.twoLeaders,
      // What was validated with a command whose write failed is checked again before anything is deleted.
      isCurrent: ({ kind }) => !this.late.isBehind && (kind === 'delete-node-claim' || !this.wasSlow),
    });
    const lasting = await this.run();
    this.port.advanceTo(this.port.nowMs + MINUTE_MS);
    this.rare?.timePasses(this.port);
    const left = leftovers(this.port).filter(
      (each) => ![...this.interrupted].some((name) => each.includes(` ${name} `)),
    );
    return [...breaches, ...lasting, ...left];
  }

  /** Returns what did not hold after a pass. */
  private async run(): Promise<readonly string[]> {
    const breaches: string[] = [];
    const sketch = {
      work: 20,
      search: this.oneOf(this.isTight ? (['merged'] as const) : (['merged', 'karpenter'] as const)),
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
      this.wasSlow = false;
      const [report, ...others] = await Promise.all(controllers.map((controller) => controller.reconcile()));
      const isDisturbed = this.late.isBehind || [report, ...others].some(({ failures }) => failures.length > 0);
      breaches.push(...this.afterPass.breaches(!isDisturbed));
      this.late.tick();
      if (this.port.revive()) {
        controllers = controllersNow();
        continue;
      }
      if (asked !== this.port.asked.length) restedAt = i;
      asked = this.port.asked.length;
      // A proposal that was refused before is not begun again until what refused it has changed.
      const isQuiet = (report.pass?.proposals.length === 0 && restedAt < i) || i - restedAt > QUIET_TICKS;
      if (!this.rough && isQuiet && !this.port.commands.some(isOpen)) return breaches;
      const wishes = [report, ...others].map(({ wakeAtMs = Infinity }) => wakeAtMs);
      const next = Math.min(...wishes, this.port.nextMs() ?? Infinity, this.port.nowMs + MINUTE_MS);
      this.port.advanceTo(next > this.port.nowMs ? next : this.port.nowMs + 1000);
      this.rare?.timePasses(this.port);
      this.driftOn();
      this.resettle();
      if (!this.rough) this.late.catchUp();
      else if (!this.late.isBehind && this.dice() < 0.25) this.somethingHappens();
      if (this.isCrowded && this.rough && !this.late.isBehind && this.dice() < 0.3) this.ofCommands.happen();
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

  /** No more pods go to this node, and pods that are on their way may have counted on it. */
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
