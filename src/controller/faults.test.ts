import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { leftovers, watchLaws } from '../../test/build/controller-laws.ts';
import { FakeCluster, type Fate } from '../../test/build/fake-cluster.ts';
import { instanceType, offeringsIn } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { podDisruptionBudget } from '../../test/build/pod-disruption-budget.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import { runs } from '../../test/build/runs.ts';
import { GIB, MINUTE_MS } from '../../test/build/units.ts';
import { compile } from '../engine/scheduling/compile.ts';
import { DEFAULT_SETTINGS } from '../engine/settings.ts';
import { isOpen } from './command.ts';

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

/** In one zone, so that little has to be looked at each time. */
const TYPES = [1, 2, 4].map((size) =>
  instanceType(`size-${size}`, {
    cpu: 2000 * size,
    memory: 8 * size * GIB,
    offerings: offeringsIn(['zone-a'], 0.1 * size),
  }),
);
const FAULTS: readonly Fate[] = ['lost', 'unanswered', 'twice', 'death-before', 'death-after'];
/** Faults and happenings end after so many ticks, and then everything must come to rest. */
const ROUGH_TICKS = 25;
const MOST_TICKS = 250;

class Story {
  readonly port: FakeCluster;
  private readonly dice: () => number;
  private rough = true;
  private landed = 0;
  private readonly launches = new Map<string, number | undefined>();

  constructor(seed: number) {
    this.dice = diceOf(seed);
    const faultRate = this.oneOf([0, 0.1, 0.3]);
    const names = Array.from({ length: 2 + this.below(4) }, (_, i) => `n${i}`);
    const types = names.map(() => this.oneOf(TYPES));
    this.port = new FakeCluster(
      {
        instanceTypes: TYPES,
        nodePools: ['left', 'right'].map((name) =>
          nodePool(name, { budgets: [{ nodes: this.oneOf(['1', '2', '50%', '100%']) }] }),
        ),
        machines: names.map((name, i) =>
          machine(name, { type: types[i], pool: this.oneOf(['left', 'left', 'right']) }),
        ),
        pods: names.flatMap((name, i) =>
          Array.from({ length: this.below(4) }, (_, k) =>
            pod(`${name}-${k}`, {
              on: name,
              cpu: Math.floor((types[i].allocatable.cpu / 4) * this.dice()),
              memory: GIB / 2,
              labels: { app: this.oneOf(['web', 'api']) },
            }),
          ),
        ),
        podDisruptionBudgets: [podDisruptionBudget('guard', 'web', { disruptionsAllowed: 1 + this.below(2) })],
      },
      {
        drainMs: this.oneOf([5_000, 40_000]),
        refusedAfterMs: this.oneOf([30_000, undefined]),
        launchMs: ({ nodeClaim }) => this.launchMs(nodeClaim),
        fateOf: () => (this.rough && this.dice() < faultRate ? this.oneOf(FAULTS) : 'done'),
      },
    );
  }

  /** Drawn once for each NodeClaim; some never come up. */
  private launchMs(nodeClaim: string): number | undefined {
    if (!this.launches.has(nodeClaim))
      this.launches.set(nodeClaim, this.rough && this.dice() < 0.2 ? undefined : 10_000 + this.below(60_000));
    return this.launches.get(nodeClaim);
  }

  async run(): Promise<void> {
    const sketch = { work: 20, search: this.oneOf(['merged', 'karpenter'] as const), times: { pollMs: 30_000 } };
    let controller = controllerOn(this.port, sketch);
    for (let i = 0; i < MOST_TICKS; i++) {
      this.rough = i < ROUGH_TICKS;
      const report = await controller.tick();
      if (this.port.revive()) {
        controller = controllerOn(this.port, sketch);
        continue;
      }
      if (!this.rough && report.pass?.proposals.length === 0 && !this.port.commands.some(isOpen)) return;
      const next = Math.min(report.wakeAtMs ?? Infinity, this.port.nextMs() ?? Infinity, this.port.nowMs + MINUTE_MS);
      this.port.advanceTo(next > this.port.nowMs ? next : this.port.nowMs + 1000);
      if (this.rough && this.dice() < 0.25) this.somethingHappens();
    }
    throw new Error('it does not come to rest');
  }

  private somethingHappens(): void {
    const { port } = this;
    // What is said of pods on nodes that are going already is for Karpenter, which drains them.
    const going = new Set(port.objects.nodeClaims.filter((c) => c.terminating).map((c) => c.nodeName));
    const pods = port.objects.pods.filter((p) => !going.has(p.nodeName));
    const victim = pods.at(this.below(pods.length));
    switch (this.below(4)) {
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
        port.objects = { ...port.objects, pods: port.objects.pods.filter((p) => p !== victim) };
        break;
      default:
        this.land();
    }
  }

  /** A new pod comes to a node with room; not while others are on their way, whose room nobody but a scheduler knows. */
  private land(): void {
    const { port } = this;
    if (port.objects.nodeClaims.some((c) => c.terminating)) return;
    const cluster = compile(port.objects, DEFAULT_SETTINGS);
    const row = cluster.rows.findIndex(
      ({ initialized, taints }, r) =>
        initialized && taints.length === 0 && cluster.free[0][r] > 600 && cluster.free[2][r] > 0,
    );
    if (row >= 0) port.addPod(pod(`late-${this.landed++}`, { on: cluster.rows[row].name, cpu: 500, memory: GIB / 2 }));
  }

  private below(n: number): number {
    return Math.floor(this.dice() * n);
  }

  private oneOf<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }
}

/** Seeds that once found something: a last step held up for ever; a packing that only the search finds. */
const FOUND_FAULTS = [38861605, 1331618482];

test('whatever fails and whoever dies: laws hold at every action, and nothing is left over', async () => {
  await fc.assert(
    fc.asyncProperty(fc.noShrink(fc.integer({ min: 0, max: 2 ** 31 - 1 })), async (seed) => {
      const story = new Story(seed);
      const breaches = watchLaws(story.port);
      await story.run();
      assert.deepEqual([...breaches, ...leftovers(story.port)], [], `seed ${seed}`);
    }),
    { ...runs(500), examples: FOUND_FAULTS.map((seed) => [seed]) },
  );
});
