import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { experiment, fakeRun, namedPolicy } from '../../../test/build/lab.ts';
import { jobsOf } from '../../lab/experiment.ts';
import { WorkloadTooLarge } from '../../simulator/pod-limits.ts';
import { progressText } from './progress.ts';
import { JobThreads, runJobs, tasksOf } from './threads.ts';

const THREADS = { module: new URL('../../../test/build/fake-worker.ts', import.meta.url), data: 7, count: 2 };
const NEVER = new AbortController().signal;

function tasks(...policies: readonly string[]) {
  const jobs = jobsOf(experiment({ policies: policies.map((name) => namedPolicy(name)), seeds: 3 }));
  return tasksOf(jobs);
}

describe('jobs on threads', () => {
  test('are all run, each once, and counted', async () => {
    const counted: number[] = [];
    const all = tasks('a', 'b');
    const { results, stopped } = await runJobs(all, THREADS, NEVER, (done, underWay) => {
      counted.push(done + underWay);
    });
    assert.equal(stopped, false);
    assert.deepEqual(
      results.toSorted((a, b) => a.job - b.job),
      all.map(({ number, job }) => ({ job: number, summary: fakeRun(job), elapsedMs: 7 })),
    );
    assert.ok(counted.every((done, i) => i === 0 || done > counted[i - 1]));
    assert.deepEqual([counted.length, counted.at(-1)], [12, 6]);
  });

  test('stopped, they leave what has been done', async () => {
    const stop = new AbortController();
    // One thread is stuck with the first; the other has done all it can when it is stuck too.
    const { results, stopped } = await runJobs(tasks('stuck', 'a', 'b'), THREADS, stop.signal, (done) => {
      if (done === 2) stop.abort();
    });
    assert.deepEqual([results.map(({ job }) => job), stopped], [[1, 2], true]);
  });

  test('what fails is not lost', async () => {
    await assert.rejects(
      runJobs(tasks('a', 'broken'), THREADS, NEVER, () => {}),
      /broken/,
    );
    await assert.rejects(
      runJobs(tasks('a', 'outgrown'), THREADS, NEVER, () => {}),
      (error) => error instanceof WorkloadTooLarge && error.message === 'more than it takes',
    );
    const missing = { ...THREADS, module: new URL('../no-such-module.ts', import.meta.url) };
    await assert.rejects(
      runJobs(tasks('a'), missing, NEVER, () => {}),
      /no-such-module/,
    );
  });

  test('on the same threads as the jobs before them', async () => {
    const threads = new JobThreads(THREADS);
    try {
      for (const policies of [['a'], ['b', 'c']]) {
        const all = tasks(...policies);
        const { results } = await threads.run(all, NEVER, () => {});
        assert.deepEqual(results.map(({ job }) => job).toSorted(), all.map(({ number }) => number).toSorted());
      }
    } finally {
      await threads.close();
    }
  });

  test('none are none', async () => {
    assert.deepEqual(await runJobs([], THREADS, NEVER, () => {}), { results: [], stopped: false });
  });
});

test('the bar says how far it is, and how long it will take', () => {
  assert.equal(progressText(0, 0, '4', undefined), `${'░'.repeat(16)} 0 of 4 runs (Ctrl-C to stop)`);
  assert.match(progressText(1, 0.375, 'about 4', 5000), /^█{6}░{10} 1 of about 4 runs, about 5 s left/);
  assert.match(progressText(4, 1, '4', 0), /^█{16} 4 of 4 runs, about 1 s left/, 'never 0 while it is shown');
  assert.ok(progressText(9999, 0.1, 'about 10000', 1e11).length <= 80);
});
