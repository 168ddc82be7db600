import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { LARGE, SMALL } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { planFor, subject } from '../../../test/build/subject.ts';
import { AnalysisWorker } from './analysis-worker.ts';
import type { Ask } from './ask.ts';
import { inlined, subjectFrom } from './inlined-subject.ts';
import { Refused } from './refused.ts';
import type { Subject } from './subject.ts';

const HOUR_MS = 3_600_000;

const objects = cluster({
  nodePools: [nodePool('web'), nodePool('batch')],
  machines: [machine('a', { pool: 'web', type: LARGE }), machine('b', { pool: 'batch', type: SMALL })],
  pods: [pod('one', { on: 'a' }), pod('two', { on: 'a' }), pod('three', { on: 'b' })],
});
const whole: Subject = {
  ...subject(objects, { savingsThresholdCents: 1, gracePeriodMs: HOUR_MS }),
  protectedUntilMs: new Map([['b', objects.nowMs + HOUR_MS]]),
};
const ASKS: readonly Ask[] = [
  { kind: 'cluster' },
  { kind: 'node', name: 'a' },
  { kind: 'node', name: 'b' },
  { kind: 'boundary', query: 'threshold=2&utilization=1' },
];

test('a file answers as the server that it was made by', async () => {
  const plan = planFor(whole);
  const here = new AnalysisWorker(() => {});
  here.know(whole, plan);
  const there = new AnalysisWorker(() => {});
  there.know(subjectFrom(JSON.parse(JSON.stringify(inlined(whole)))), JSON.parse(JSON.stringify(plan)));
  for (const ask of ASKS) assert.deepEqual(plain(await there.answer(ask)), plain(await here.answer(ask)), ask.kind);
  const { explanation } = (await there.answer({ kind: 'node', name: 'b' })) as {
    explanation: { gates: readonly { gate: string; verdict: string }[] };
  };
  assert.equal(explanation.gates.find(({ gate }) => gate === 'grace-period')?.verdict, 'fail', 'its window came along');
});

test('a file has the bound that its plan brings, and proves none', async () => {
  const plan = planFor(whole);
  const analysis = new AnalysisWorker(() => {});
  analysis.know(whole, plan);
  await assert.rejects(analysis.answer({ kind: 'bound' }), (error) => error instanceof Refused && error.status === 404);
  const bound = { centsPerHour: 10, gapPercent: 1, method: 'resources', converged: true } as const;
  analysis.know(whole, { ...plan, bound });
  assert.deepEqual(await analysis.answer({ kind: 'bound' }), { version: 2, nowMs: objects.nowMs, bound });
});

/** As JSON has it, without what a clock says. */
function plain(answer: object): unknown {
  return JSON.parse(JSON.stringify(answer, (key, value) => (key === 'elapsedMs' ? undefined : value)));
}
