import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { subject } from '../../../test/build/subject.ts';
import { fileSource } from '../../../test/build/web-server.ts';
import type { Comparison } from '../../lab/comparison.ts';
import { Refused } from '../analysis/refused.ts';
import type { LabRun } from '../api.ts';
import type { LabBench } from './dashboard-source.ts';
import { LabService } from './lab-service.ts';

const CHOICES = { workloads: ['web', 'batch'], policies: ['calm', 'stock'], mostSeeds: 3, mostDays: 7 };
const REQUEST = { workload: 'web', policies: ['calm'], seeds: 2, days: 0.5 };
const NOTHING: Comparison = { days: 1, blocks: [], workloads: [] };

/** A service whose runs end when the test says so. */
function service() {
  const told: (LabRun | undefined)[] = [];
  const run = Promise.withResolvers<Comparison>();
  let progress: (share: number) => void = () => {};
  let stopped: AbortSignal | undefined;
  const lab: LabBench = {
    choices: CHOICES,
    run: (_, progressed, stop) => {
      progress = progressed;
      stopped = stop;
      return run.promise;
    },
  };
  const source = { ...fileSource(subject(cluster())), lab };
  const made = new LabService(source, (running) => told.push(running));
  return { service: made, told, run, progress: (share: number) => progress(share), isStopped: () => stopped?.aborted };
}

describe('a run', () => {
  test('reports its progress, and ends with its comparison', async () => {
    const { service: lab, told, run, progress } = service();
    const started = lab.start(REQUEST);
    progress(0.5);
    assert.deepEqual(lab.answer().running, { ...started, share: 0.5 });
    run.resolve(NOTHING);
    await new Promise((resolve) => setTimeout(resolve));
    assert.deepEqual(
      told.map((each) => each?.share),
      [0, 0.5, undefined],
    );
    assert.deepEqual([lab.answer().running, lab.answer().comparison], [undefined, NOTHING]);
  });

  test('that fails says why, and the next one may begin', async () => {
    const { service: lab, run } = service();
    lab.start(REQUEST);
    run.reject(new Error('policy calm does not fit'));
    await new Promise((resolve) => setTimeout(resolve));
    assert.equal(lab.answer().failure, 'policy calm does not fit');
    assert.equal(lab.start(REQUEST).id, 2);
    assert.equal(lab.answer().failure, undefined);
  });

  test('is the only one', () => {
    const { service: lab } = service();
    lab.start(REQUEST);
    assert.throws(
      () => lab.start(REQUEST),
      (error) => error instanceof Refused && error.status === 409,
    );
  });

  test('ends with the server', () => {
    const { service: lab, isStopped } = service();
    lab.start(REQUEST);
    lab.close();
    assert.equal(isStopped(), true);
  });
});

describe('results', () => {
  test('are kept, the newest first, and one can go back to an earlier one', async () => {
    const first = { ...NOTHING, days: 1 };
    const second = { ...NOTHING, days: 2 };
    const answers = [first, second];
    const lab = new LabService(
      { ...fileSource(subject(cluster())), lab: { choices: CHOICES, run: async () => answers.shift()! } },
      () => {},
    );
    for (const _ of [1, 2]) {
      lab.start(REQUEST);
      await new Promise((resolve) => setTimeout(resolve));
    }
    assert.deepEqual(
      lab.answer().results.map(({ id }) => id),
      [2, 1],
    );
    assert.deepEqual([lab.answer().comparison, lab.answer('1').comparison], [second, first]);
  });

  test('are none of a run that was cancelled, and that is no failure', async () => {
    const { service: lab, run, isStopped } = service();
    assert.throws(
      () => lab.cancel(),
      (error) => error instanceof Refused && error.status === 409,
    );
    lab.start(REQUEST);
    lab.cancel();
    assert.equal(isStopped(), true);
    run.reject(new Error('cancelled'));
    await new Promise((resolve) => setTimeout(resolve));
    const { running, failure, results } = lab.answer();
    assert.deepEqual([running, failure, results], [undefined, undefined, []]);
  });
});

describe('what cannot be run', () => {
  const BODIES: readonly (readonly [string, unknown])[] = [
    ['the body', null],
    ['the body', [REQUEST]],
    ['the body', 'web'],
    ['workload', { ...REQUEST, workload: '../../etc/passwd' }],
    ['workload', { ...REQUEST, workload: 7 }],
    ['policies', { ...REQUEST, policies: [] }],
    ['policies', { ...REQUEST, policies: 'calm' }],
    ['policies', { ...REQUEST, policies: ['calm', 'calm'] }],
    ['policies', { ...REQUEST, policies: ['calm', './evil.yaml'] }],
    ['seeds', { ...REQUEST, seeds: 0 }],
    ['seeds', { ...REQUEST, seeds: 1.5 }],
    ['seeds', { ...REQUEST, seeds: 4 }],
    ['days', { ...REQUEST, days: 0 }],
    ['days', { ...REQUEST, days: 8 }],
    ['days', { ...REQUEST, days: '1' }],
    ['output', { ...REQUEST, output: 'file' }],
  ];
  for (const [field, body] of BODIES) {
    test(JSON.stringify(body), () => {
      const { service: lab } = service();
      assert.throws(
        () => lab.start(body),
        (error) => error instanceof Refused && error.status === 400 && error.message.startsWith(field),
      );
      assert.equal(lab.answer().running, undefined);
    });
  }
});
