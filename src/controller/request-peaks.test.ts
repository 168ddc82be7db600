import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { type PodSketch, pendingPod, pod } from '../../test/build/pod.ts';
import { type ControllerSketch, controllerOn } from '../../test/build/run-controller.ts';
import { runs } from '../../test/build/runs.ts';
import { GIB, MINUTE_MS } from '../../test/build/units.ts';
import { STOCK_CONTROLLER_SETTINGS } from '../config/controller-settings.ts';
import { type Command, isOpen } from './command.ts';

interface Then {
  readonly waits?: boolean;
  readonly restarts?: boolean;
}

describe('a destination that was fuller within the last 15 minutes', () => {
  /** Node a could go to b, but for a job that ran there when the controller first looked. */
  async function commandsAfter(
    ms: number,
    sketch: ControllerSketch,
    job: PodSketch,
    slots = 110,
    then: Then = {},
  ): Promise<number> {
    const guarded = { doNotDisrupt: 'true', on: 'b' };
    const port = new FakeCluster({
      nodePools: [nodePool('default', { limits: { cpu: 1 } })],
      machines: [machine('a'), machine('b', { allocatable: { cpu: 4000, memory: 16 * GIB, pods: slots } })],
      pods: [
        pod('p', { on: 'a', cpu: 1000, doNotDisrupt: 'true' }),
        pod('q', { ...guarded, cpu: 1000 }),
        pod('job', { ...guarded, ...job }),
      ],
    });
    const controller = controllerOn(port, sketch);
    await controller.reconcile();
    assert.equal(port.commands.length, 0);
    port.changePod('p', () => ({ doNotDisrupt: undefined }));
    const waiting = then.waits === true ? [pendingPod('job', job)] : [];
    port.objects = { ...port.objects, pods: [...port.objects.pods.filter((p) => p.name !== 'job'), ...waiting] };
    port.advanceTo(port.nowMs + ms);
    await (then.restarts === true ? controllerOn(port, sketch) : controller).reconcile();
    return port.commands.length;
  }

  test('keeps that room free', async () => {
    assert.equal(await commandsAfter(MINUTE_MS, {}, { cpu: 2500 }), 0);
    assert.equal(await commandsAfter(14 * MINUTE_MS, {}, { cpu: 2500 }), 0);
  });

  test('keeps its pod slots free', async () => {
    assert.equal(await commandsAfter(MINUTE_MS, {}, { cpu: 10, memory: 1 }, 2), 0);
    assert.equal(await commandsAfter(16 * MINUTE_MS, {}, { cpu: 10, memory: 1 }, 2), 1);
  });

  test('does not afterwards', async () => {
    assert.equal(await commandsAfter(16 * MINUTE_MS, {}, { cpu: 2500 }), 1);
  });

  test('does not after a restart', async () => {
    assert.equal(await commandsAfter(MINUTE_MS, {}, { cpu: 2500 }, 110, { restarts: true }), 1);
  });

  describe('with a shorter window for pods that are not of Jobs', () => {
    const settings = { peakWindowMs: 5 * MINUTE_MS };
    const ofJob = { ownedBy: 'Job' } as const;

    test('keeps the room of a Job for 15 minutes', async () => {
      assert.equal(await commandsAfter(14 * MINUTE_MS, { settings }, { cpu: 2500, ...ofJob }), 0);
      assert.equal(await commandsAfter(16 * MINUTE_MS, { settings }, { cpu: 2500, ...ofJob }), 1);
    });

    test('keeps that of other pods for the shorter one', async () => {
      assert.equal(await commandsAfter(4 * MINUTE_MS, { settings }, { cpu: 2500 }), 0);
      assert.equal(await commandsAfter(6 * MINUTE_MS, { settings }, { cpu: 2500 }), 1);
    });

    test('keeps that of Jobs if there is no other window', async () => {
      const jobsOnly = { settings: { peakWindowMs: 0 } };
      assert.equal(await commandsAfter(MINUTE_MS, jobsOnly, { cpu: 2500, ...ofJob }), 0);
      assert.equal(await commandsAfter(MINUTE_MS, jobsOnly, { cpu: 2500 }), 1);
    });
  });

  test('has the room once for a pod that waits again', async () => {
    // 1000 of q, 1500 of the job and 1000 of p are all that the node is asked for.
    assert.equal(await commandsAfter(MINUTE_MS, {}, { cpu: 1500 }, 110, { waits: true }), 1);
  });

  test('does not in compatibility', async () => {
    const settings = { ...STOCK_CONTROLLER_SETTINGS };
    assert.equal(await commandsAfter(MINUTE_MS, { settings, search: 'karpenter' }, { cpu: 2500 }), 1);
  });
});

const CHURN = fc.array(
  fc.record({ node: fc.nat(3), cpu: fc.constantFrom(100, 400, 1200), lives: fc.integer({ min: 1, max: 8 }) }),
  { maxLength: 2 },
);

/** Some nodes of one size with pods that stay, and in each step of 10 s pods that come for a few steps. */
const STORY = fc.record({
  pods: fc.array(fc.record({ node: fc.nat(3), cpu: fc.constantFrom(200, 500, 900) }), { minLength: 2, maxLength: 8 }),
  churn: fc.array(CHURN, { minLength: 1, maxLength: 40 }),
  slots: fc.constantFrom(4, 8, 110),
});

type Story = typeof STORY extends fc.Arbitrary<infer T> ? T : never;

describe('pass, validation and final check', () => {
  /** Runs the story; while a command is open nothing happens but what it does. Returns commands begun and abandoned. */
  async function tell({ pods, churn, slots }: Story): Promise<readonly Command[]> {
    const NAMES = ['a', 'b', 'c', 'd'];
    const port = new FakeCluster({
      nodePools: [nodePool('default')],
      machines: NAMES.map((name) => machine(name, { allocatable: { cpu: 4000, memory: 16 * GIB, pods: slots } })),
      pods: pods.map(({ node, cpu }, i) => pod(`p${i}`, { on: NAMES[node], cpu })),
    });
    const controller = controllerOn(port, { settings: { stabilizationWindowMs: 0 } });
    const endsAt = new Map<string, number>();
    for (const [step, coming] of churn.entries()) {
      for (const [i, { node, cpu, lives }] of coming.entries()) {
        const on = port.objects.nodes[node % port.objects.nodes.length].name;
        port.addPod(pod(`job-${step}-${i}`, { on, cpu }));
        endsAt.set(`job-${step}-${i}`, step + lives);
      }
      const isOver = ({ name }: { readonly name: string }) => (endsAt.get(name) ?? Infinity) <= step;
      port.objects = { ...port.objects, pods: port.objects.pods.filter((p) => !isOver(p)) };
      await controller.reconcile();
      for (let i = 0; i < 40 && port.commands.some(isOpen); i++) {
        port.advanceTo(port.nowMs + 15_000);
        await controller.reconcile();
      }
      port.advanceTo(port.nowMs + 10_000);
    }
    return port.commands;
  }

  test('agree about whatever nothing has changed for, after any churn', async () => {
    let begun = 0;
    await fc.assert(
      fc.asyncProperty(STORY, async (story) => {
        const commands = await tell(story);
        begun += commands.length;
        const abandoned = commands.filter((c) => c.phase !== 'done');
        assert.deepEqual(
          abandoned.map(({ phase, reason }) => `${phase} ${reason}`),
          [],
        );
      }),
      runs(60),
    );
    assert.ok(begun > 60, `${begun} commands`);
  });
});

test('a CronJob that runs between passes does not make a command begin again and again', async () => {
  // Node a fits beside b between two runs of the job, which last 20 s of every minute.
  const guarded = { doNotDisrupt: 'true', on: 'b' };
  const port = new FakeCluster({
    nodePools: [nodePool('default', { limits: { cpu: 1 } })],
    machines: [machine('a'), machine('b')],
    pods: [pod('p', { on: 'a', cpu: 1000 }), pod('q', { ...guarded, cpu: 1000 })],
  });
  const controller = controllerOn(port, { settings: { stabilizationWindowMs: 0 } });
  for (let s = 0; s < 3600; s += 5) {
    const others = port.objects.pods.filter((p) => !p.name.startsWith('job'));
    const job = s % 60 >= 10 && s % 60 < 30 ? [pod(`job-${Math.floor(s / 60)}`, { ...guarded, cpu: 2500 })] : [];
    port.objects = { ...port.objects, pods: [...others, ...job] };
    await controller.reconcile();
    port.advanceTo(port.nowMs + 5000);
  }
  assert.ok(port.commands.length <= 1, `${port.commands.length} commands`);
  assert.equal(port.objects.nodes.length, 2);
});
