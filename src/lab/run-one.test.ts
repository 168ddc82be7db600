import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { namedPolicy } from '../../test/build/lab.ts';
import { TINY_WORKLOAD } from '../../test/build/workload.ts';
import { loadWorkload, parseWorkload } from '../cli/experiment/load-workload.ts';
import { Controller } from '../controller/controller.ts';
import { ControlledCluster } from '../simulator/controlled-cluster.ts';
import { SimulatedCluster } from '../simulator/simulated-cluster.ts';
import { CALM } from './built-in-policies.ts';
import { policySettings } from './named-policy.ts';
import { controllerFor, scenarioUnder } from './policy-cluster.ts';
import { runOne } from './run-one.ts';
import { MAX_STEPS } from './run-summary.ts';

const SCENARIO = await parseWorkload(TINY_WORKLOAD, 'tiny');
const HALF_HOUR = 0.5 / 24;
const MINUTE_MS = 60_000;

describe('one run', () => {
  const job = { workload: 'tiny', policy: namedPolicy('ours'), seed: 3, days: HALF_HOUR };

  test('is the same every time, and another with another seed', async () => {
    const summary = await runOne(job, SCENARIO);
    assert.deepEqual(await runOne(job, SCENARIO), summary);
    assert.notDeepEqual(await runOne({ ...job, seed: 4 }, SCENARIO), summary);
    assert.ok(summary.commands > 0 && summary.costDollars > 0);
  });

  test('goes by its policy: the block laid over the pools, the switches, who consolidates', async () => {
    const run = (sketch: Parameters<typeof namedPolicy>[1]) => {
      return runOne({ ...job, policy: namedPolicy('p', sketch) }, SCENARIO);
    };
    const none = await run({ controller: 'none' });
    assert.equal(none.commands, 0);
    assert.ok((await run({ controller: 'stock' })).commands > 0);
    const never = { consolidateAfter: 'Never' };
    assert.deepEqual(await run({ controller: 'stock', disruption: never }), none);
    assert.deepEqual(await run({ disruption: never }), none);
    assert.equal((await run({ switches: { 'min-node-lifetime': '2h' } })).commands, 0);
  });

  test('searches as little as runs do unless its policy says', async () => {
    const workload = await loadWorkload('web');
    const run = (work?: number) => runOne({ ...job, policy: { ...CALM, work }, seed: 1, days: 0.25 }, workload);
    const usual = await run();
    assert.deepEqual(await run(2000), usual);
    assert.notDeepEqual(await run(100), usual);
  });

  test('has a timeline that ends where the run ends, and has no more steps than fit', async () => {
    const { timeline, evictions } = await runOne(job, SCENARIO);
    assert.equal(timeline.nodes.length * timeline.stepHours, 0.5);
    assert.equal(timeline.evictions.at(-1), evictions);
    assert.ok(timeline.dollarsPerHour.every((dollars) => dollars > 0) || timeline.nodes[0] === 0);
    const long = await runOne({ ...job, policy: namedPolicy('none', { controller: 'none' }), days: 11 }, SCENARIO);
    assert.deepEqual([long.timeline.nodes.length, long.timeline.stepHours], [MAX_STEPS, 1.1]);
  });
});

describe('a cluster with our controller', () => {
  function controlled() {
    const cluster = new SimulatedCluster(SCENARIO, { seed: 1, consolidation: 'none' });
    const reading = policySettings({});
    assert.ok('settings' in reading);
    const controller = new Controller(cluster, { mode: 'act', settings: reading.settings, interlock: false });
    const ticks: number[] = [];
    const counted = {
      reconcile() {
        ticks.push(cluster.nowMs - SCENARIO.startMs);
        return controller.reconcile();
      },
    };
    return { cluster, ticks, driven: new ControlledCluster(cluster, counted) };
  }

  test('where one stops on the way makes no difference', async () => {
    const [once, often] = [controlled(), controlled()];
    await once.driven.advanceTo(SCENARIO.startMs + 30 * MINUTE_MS);
    for (let ms = 0; ms <= 30 * MINUTE_MS; ms += 7_000) await often.driven.advanceTo(SCENARIO.startMs + ms);
    await often.driven.advanceTo(SCENARIO.startMs + 30 * MINUTE_MS);
    assert.deepEqual(often.ticks, once.ticks);
    assert.deepEqual(often.cluster.ledger.summary(), once.cluster.ledger.summary());
    assert.equal(often.cluster.nowMs, SCENARIO.startMs + 30 * MINUTE_MS);
  });

  for (const policy of [namedPolicy('ours'), CALM]) {
    test(`resting while no pass could act saves passes and changes nothing: ${policy.name}`, async () => {
      const workload = await loadWorkload('policy-triple');
      const run = async (rests: boolean) => {
        const cluster = new SimulatedCluster(scenarioUnder(workload, policy), { seed: 1, consolidation: 'none' });
        const controller = controllerFor(cluster, policy);
        let looks = 0;
        const reconcile = async () => {
          looks++;
          const { wakeAtMs, restUntilMs } = await controller.reconcile();
          return rests ? { wakeAtMs, restUntilMs } : { wakeAtMs };
        };
        await new ControlledCluster(cluster, { reconcile }).advanceTo(cluster.nowMs + 12 * 60 * MINUTE_MS);
        return { looks, summary: cluster.ledger.summary() };
      };
      const [resting, restless] = [await run(true), await run(false)];
      assert.ok(restless.summary.evictions > 0);
      assert.deepEqual(resting.summary, restless.summary);
      assert.ok(resting.looks < restless.looks, `${resting.looks} of ${restless.looks}`);
    });
  }

  test('runs a pass soon after a change, and not all the time', async () => {
    const { ticks, driven } = controlled();
    await driven.advanceTo(SCENARIO.startMs + 30 * MINUTE_MS);
    // Replicas jump after 10 minutes.
    assert.ok(
      ticks.some((ms) => ms >= 10 * MINUTE_MS && ms <= 10 * MINUTE_MS + 10_000),
      `${ticks}`,
    );
    assert.ok(ticks.every((ms, i) => i === 0 || ms > ticks[i - 1]));
    assert.ok(ticks.length < 300, `${ticks.length} looks`);
  });
});
