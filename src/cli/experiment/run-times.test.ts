import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../../lab/run-summary.ts';
import { type Run, RunTimes } from './run-times.ts';
import { takeNext, tasksOf } from './threads.ts';
import type { WorkerTask } from './worker.ts';

/** Seconds of a run: as far apart as library and imported workloads, and policies from none to calm, were measured. */
const WORKLOADS = { small: 1, web: 40, dump: 6, tiny: 0.2 };
const POLICIES = { none: 0.2, stock: 1, balanced: 1.3, calm: 4 };

function jobs(seeds: number): readonly Job[] {
  return Object.keys(WORKLOADS).flatMap((workload) =>
    Array.from({ length: seeds }, (_, seed) => seed + 1).flatMap((seed) =>
      Object.keys(POLICIES).map((name) => ({ workload, seed, days: 1, policy: { name } }) as unknown as Job),
    ),
  );
}

function msByFactors({ workload, policy, seed }: Job): number {
  const [w, p] = [WORKLOADS[workload as keyof typeof WORKLOADS], POLICIES[policy.name as keyof typeof POLICIES]];
  return 1000 * w * p * (1 + 0.3 * Math.sin(7 * seed + w + 3 * p));
}

/** Milliseconds of a day under each policy on each workload, as measured: what a policy costs differs by workload. */
const MEASURED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  web: { none: 154, stock: 806, balanced: 1286, rfc: 7582, calm: 8054 },
  'slow-growth': { none: 36, stock: 17, balanced: 56, rfc: 64, calm: 374 },
  'cron-thrash': { none: 30, stock: 259, balanced: 245, rfc: 9612, calm: 4466 },
  'busy-node': { none: 6, stock: 18, balanced: 26, rfc: 92, calm: 491 },
};

function measuredJobs(seeds: number): readonly Job[] {
  return Object.entries(MEASURED).flatMap(([workload, policies]) =>
    Array.from({ length: seeds }, (_, seed) => seed + 1).flatMap((seed) =>
      Object.keys(policies).map((name) => ({ workload, seed, days: 1, policy: { name } }) as unknown as Job),
    ),
  );
}

interface Machine {
  /** Every part of a run takes as long as any other, as in most that take long. */
  readonly isEven?: boolean;
  /** What a job takes a warm thread. */
  readonly msOf?: (job: Job) => number;
  /** Before a simulation begins on a new thread. */
  readonly startMs?: number;
  /** Time for a millisecond of a thread, at a time. */
  readonly slowness?: (nowMs: number) => number;
}

interface Estimate {
  readonly atMs: number;
  readonly leftMs: number | undefined;
}

/** What is estimated while two threads run the jobs, reporting every 50 ms. */
function estimatesOf(
  tasks: readonly WorkerTask[],
  { startMs = 0, slowness = () => 1, msOf = msByFactors, isEven = false }: Machine,
) {
  const times = new RunTimes(2);
  const waiting = [...tasks];
  const threads = [0, 1].map(() => ({
    workedMs: 0,
    run: undefined as Run | undefined,
    inMs: 0,
    ofMs: 0,
    beginMs: startMs,
  }));
  const estimates: Estimate[] = [];
  let nowMs = 0;
  for (; waiting.length > 0 || threads.some(({ run }) => run !== undefined); nowMs += 50) {
    for (const thread of threads) {
      const isFree = thread.run === undefined && waiting.length > 0;
      const task = isFree ? takeNext(waiting, tasks[0], times.expectedWork()) : undefined;
      if (task !== undefined) {
        const { job } = task;
        Object.assign(thread, { run: times.started(job, nowMs), inMs: 0, ofMs: msOf(job) });
      }
      const { run } = thread;
      if (run === undefined || nowMs < thread.beginMs) continue;
      if (run.before === undefined) times.progressed(run, 0, nowMs, thread.workedMs);
      const spentMs = 50 / slowness(nowMs);
      thread.workedMs += spentMs;
      // A thread is cold for its first three seconds.
      thread.inMs += thread.workedMs <= 3000 ? 0.75 * spentMs : spentMs;
      const share = Math.min(1, thread.inMs / thread.ofMs);
      // A night, which takes a third of the time of a day of the same length, and then the day.
      const simulated = isEven ? share : share < 1 / 4 ? 2 * share : share === 1 ? 1 : 0.5 + (2 / 3) * (share - 1 / 4);
      times.progressed(run, simulated, nowMs + 50, thread.workedMs);
      if (share === 1) thread.run = undefined;
    }
    const left = waiting.map(({ job }) => job);
    estimates.push({ atMs: nowMs + 50, leftMs: times.leftMs(left, nowMs + 50) });
  }
  return { estimates, totalMs: nowMs };
}

function assertTrue({ estimates, totalMs }: ReturnType<typeof estimatesOf>, fromShare = 0.25): void {
  for (const { atMs, leftMs } of estimates.filter((e) => e.atMs >= totalMs * fromShare && e.atMs < 0.97 * totalMs)) {
    const ratio = leftMs! / (totalMs - atMs);
    assert.ok(ratio > 0.5 && ratio < 2, `after ${Math.round((100 * atMs) / totalMs)} %: ${ratio}`);
  }
}

for (const seeds of [1, 2, 5]) {
  test(`after a quarter of the time the estimate is within a factor of two: ${seeds} seeds on two threads`, () => {
    assertTrue(estimatesOf(tasksOf(jobs(seeds)), {}));
  });
}

test('a single seed of policies whose costs differ by workload: the estimate is within a factor of two', () => {
  const msOf = ({ workload, policy }: Job) => 10 * MEASURED[workload][policy.name];
  assertTrue(estimatesOf(tasksOf(measuredJobs(1)), { msOf, isEven: true }));
});

test('threads that take long to start do not make their first runs long', () => {
  const small = tasksOf(jobs(2).filter(({ workload }) => workload !== 'web'));
  assertTrue(estimatesOf(small, { startMs: 4000 }));
});

test('when the machine becomes three times as slow, the estimate follows within seconds', () => {
  const tasks = tasksOf(jobs(3));
  const quiet = estimatesOf(tasks, {}).totalMs;
  const busy = estimatesOf(tasks, { slowness: (nowMs) => (nowMs < quiet / 2 ? 1 : 3) });
  assertTrue(busy, (quiet / 2 + 16_000) / busy.totalMs);
});

test('a run on a new thread took longer than the next will', () => {
  const times = new RunTimes(1);
  const [first, next] = jobs(2).filter(({ workload, policy }) => workload === 'small' && policy.name === 'stock');
  const run = times.started(first, 0);
  for (const share of [0, 0.5, 1]) times.progressed(run, share, share * 6000, share * 2000);
  assert.equal(Math.round(times.leftMs([next], 6000)!), 4500, 'the machine being a third as fast as its processor');
});

test('while a run takes far longer than expected, the runs after it are not forgotten', () => {
  const times = new RunTimes(1);
  const [job, later] = jobs(2).filter(({ workload, policy }) => workload === 'small' && policy.name === 'stock');
  const run = times.started(job, 0);
  for (let step = 0; step <= 50; step++) times.progressed(run, step / 100, step * 100, 10_000 + step * 100);
  for (const nowMs of [6000, 12_000, 60_000]) {
    assert.ok(times.leftMs([], nowMs)! > 4500, `the rest of the run at ${nowMs}`);
    assert.ok(times.leftMs([later], nowMs)! > 14_000, `${nowMs}`);
  }
});

test('nothing is said before anything is known', () => {
  const times = new RunTimes(2);
  const [first] = jobs(1);
  const run = times.started(first, 0);
  assert.equal(times.leftMs([], 10), undefined);
  times.progressed(run, 0, 500, 400);
  assert.equal(times.leftMs([], 510), undefined);
});
