import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../test/build/cluster.ts';
import { logLines } from '../../test/build/log-lines.ts';
import { machine } from '../../test/build/machine.ts';
import { pod } from '../../test/build/pod.ts';
import { podDisruptionBudget } from '../../test/build/pod-disruption-budget.ts';
import { rules } from '../../test/build/policy.ts';
import type { BlockerPrices } from '../engine/blockers/price.ts';
import { BlockerTrial, type BlockerTrialOptions } from './blocker-trial.ts';
import { blockerEvents } from './event-list.ts';

const OBJECTS = cluster({
  machines: [machine('a'), machine('b', { state: 'unmanaged' })],
  pods: [pod('db', { on: 'a', labels: { app: 'db' }, owner: 'db', namespace: 'shop' })],
  podDisruptionBudgets: [
    { ...podDisruptionBudget('db', 'db', { disruptionsAllowed: 0 }), namespace: 'shop', uid: 'u' },
  ],
});

const HOUR_MS = 3_600_000;

/** A trial in a time that passes only in its pauses. */
function staged(given: Partial<BlockerTrialOptions> = {}) {
  const found: BlockerPrices[] = [];
  const time = { ms: 0, pauses: 0 };
  const lines = logLines();
  const trial = new BlockerTrial({
    view: () => ({ objects: OBJECTS, rules: rules({}, { utilizationThreshold: 1 }) }),
    planning: { search: 'merged' },
    everyMs: HOUR_MS,
    isQuiet: () => true,
    clock: () => time.ms,
    sleep: async (ms) => {
      time.ms += ms;
      time.pauses++;
    },
    log: lines.log,
    onPriced: (prices) => found.push(prices),
    ...given,
  });
  const settled = () => new Promise((resolve) => setTimeout(resolve, 50));
  return { trial, found, time, lines, settled };
}

test('a trial prices blockers and namespaces, and the PodDisruptionBudget gets an event', async () => {
  const { trial, found, settled } = staged();
  trial.passed();
  await settled();
  const [prices] = found;
  assert.deepEqual(
    prices.namespaces.map(({ namespace, jointCentsPerHour }) => [namespace, Math.round(jointCentsPerHour!)]),
    [['shop', 20]],
  );
  assert.deepEqual(blockerEvents(prices, OBJECTS), [
    {
      on: { kind: 'PodDisruptionBudget', namespace: 'shop', name: 'db', uid: 'u' },
      type: 'Normal',
      reason: 'DisruptionBlocked',
      note: 'Keeps 1 node from being removed. Without it, a plan would save $0.200/h ($146 a month)',
      topic: 'cost',
    },
  ]);
});

test('the next trial begins after the interval, not with the next pass', async () => {
  const { trial, found, time, settled } = staged();
  trial.passed();
  await settled();
  trial.passed();
  await settled();
  assert.equal(found.length, 1);
  time.ms += HOUR_MS;
  trial.passed();
  await settled();
  assert.equal(found.length, 2);
});

test('a trial waits while a pass is running', async () => {
  let busy = 3;
  const { trial, found, time, settled } = staged({ isQuiet: () => busy === 0 || busy-- === 0 });
  trial.passed();
  await settled();
  assert.equal(found.length, 1);
  assert.ok(time.pauses > 3);
});

test('there is no trial with an interval of 0, without a view, or after the end', async () => {
  const never = [staged({ everyMs: 0 }), staged({ view: () => undefined }), staged()];
  await never[2].trial.stop();
  for (const { trial } of never) trial.passed();
  await never[0].settled();
  assert.deepEqual(
    never.map(({ found }) => found.length),
    [0, 0, 0],
  );
});

test('a cluster that is too large is not priced, and the log says so once in an interval', async () => {
  const nodes = Array.from({ length: 5001 }, () => OBJECTS.nodes[0]);
  const { trial, found, lines } = staged({ view: () => ({ objects: { ...OBJECTS, nodes }, rules: rules() }) });
  trial.passed();
  trial.passed();
  assert.equal(found.length, 0);
  assert.equal(lines.lines.length, 1);
});
