import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../../lab/run-summary.ts';
import { RunTimes } from './run-times.ts';
import { tasksOf } from './threads.ts';

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

function msOf({ workload, policy, seed }: Job): number {
  const [w, p] = [WORKLOADS[workload as keyof typeof WORKLOADS], POLICIES[policy.name as keyof typeof POLICIES]];
  return 1000 * w * p * (1 + 0.3 * Math.sin(7 * seed + w + 3 * p));
}

for (const seeds of [1, 2, 5]) {
  test(`after a quarter of the time the estimate is within a factor of two: ${seeds} seeds on two threads`, () => {
    const tasks = tasksOf(jobs(seeds));
    const times = new RunTimes(2);
    let begun = 0;
    const begin = (nowMs: number) => {
      if (begun === tasks.length) return [];
      const task = tasks[begun++];
      return [times.started(task.job, nowMs)];
    };
    const estimates: { readonly atMs: number; readonly leftMs: number | undefined }[] = [];
    let running = [...begin(0), ...begin(0)];
    let nowMs = 0;
    for (; running.length > 0; nowMs += 50) {
      running = running.flatMap((run) => {
        const share = Math.min(1, (nowMs - run.startedMs) / msOf(run.job));
        // A night, which takes a fifth of the time of a day of the same length, and then the day.
        times.progressed(run, share < 1 / 6 ? 3 * share : share === 1 ? 1 : 0.5 + 0.6 * (share - 1 / 6), nowMs);
        return share < 1 ? [run] : begin(nowMs);
      });
      estimates.push({
        atMs: nowMs,
        leftMs: times.leftMs(
          tasks.slice(begun).map(({ job }) => job),
          nowMs,
        ),
      });
    }
    for (const { atMs, leftMs } of estimates.filter((e) => e.atMs >= nowMs / 4 && e.atMs < 0.97 * nowMs)) {
      const ratio = leftMs! / (nowMs - atMs);
      assert.ok(ratio > 0.5 && ratio < 2, `after ${Math.round((100 * atMs) / nowMs)} %: ${ratio}`);
    }
  });
}

test('nothing is said before anything is known', () => {
  const times = new RunTimes(2);
  const [first] = jobs(1);
  times.started(first, 0);
  assert.equal(times.leftMs([], 10), undefined);
});
