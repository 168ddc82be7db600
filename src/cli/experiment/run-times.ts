import type { Job } from '../../lab/run-summary.ts';

export interface Run {
  readonly job: Job;
  readonly startedMs: number;
  /** Of the simulated time; 1: done. */
  share: number;
  elapsedMs: number;
  /** Share of the simulated time, and the time that it took. */
  readonly pace: [share: number, elapsedMs: number][];
}

/** Below this share, the pace of a run says little. */
const LEAST_SHARE = 0.02;
const ROUNDS = 8;

/**
 * Estimates how long simulations will take. Runs of one experiment differ by factors of hundreds, but about by a factor for
 * the workload and one for the policy: both are fitted to the runs so far.
 */
export class RunTimes {
  private readonly threads: number;
  private readonly runs: Run[] = [];
  /** By workload: a run that has ended. Nights are simulated faster than days. */
  private readonly paces = new Map<string, Run['pace']>();

  constructor(threads: number) {
    this.threads = threads;
  }

  started(job: Job, nowMs: number): Run {
    const run: Run = { job, startedMs: nowMs, share: 0, elapsedMs: 0, pace: [[0, 0]] };
    this.runs.push(run);
    return run;
  }

  progressed(run: Run, share: number, nowMs: number): void {
    run.share = share;
    run.elapsedMs = nowMs - run.startedMs;
    run.pace.push([share, run.elapsedMs]);
    if (share === 1) this.paces.set(run.job.workload, run.pace);
  }

  /** Of its time, as another run of the workload had used it at the same simulated time. */
  private shareOf({ job, share }: Run): number {
    const pace = this.paces.get(job.workload);
    if (pace === undefined || share === 1) return share;
    const after = pace.findIndex(([s]) => s > share);
    const [[s0, t0], [s1, t1]] = [pace[after - 1], pace[after]];
    return (t0 + ((t1 - t0) * (share - s0)) / (s1 - s0)) / pace[pace.length - 1][1];
  }

  /** Until the runs under way and these have ended; undefined as long as nothing is known. */
  leftMs(waiting: readonly Job[], nowMs: number): number | undefined {
    const runs = this.runs.map((run) => ({ ...run, share: this.shareOf(run) }));
    const known = runs.filter(({ share }) => share >= LEAST_SHARE);
    if (known.length === 0) return undefined;
    const expectedMs = fitted(known);
    const underWay = runs.filter(({ share }) => share < 1);
    const free = underWay.map((run) => {
      const share = run.share >= LEAST_SHARE ? run.share : 0;
      const byPace = share > 0 ? run.elapsedMs / share : 0;
      // The more of it is done, the more its own pace tells.
      const leftMs = (1 - share) * (share * byPace + (1 - share) * expectedMs(run.job));
      return Math.max(0, leftMs - (nowMs - run.startedMs - (share > 0 ? run.elapsedMs : 0)));
    });
    while (free.length < this.threads) free.push(0);
    for (const job of waiting) {
      const next = free.indexOf(Math.min(...free));
      free[next] += expectedMs(job);
    }
    return Math.max(...free);
  }
}

function fitted(known: readonly Run[]): (job: Job) => number {
  const observed = known.map(({ job, share, elapsedMs }) => ({
    workload: job.workload,
    policy: job.policy.name,
    // Logarithms, because the factors multiply.
    log: Math.log(Math.max(1, elapsedMs / share)),
    weight: share,
  }));
  let [ofWorkload, ofPolicy] = [new Map<string, number>(), new Map<string, number>()];
  for (let round = 0; round < ROUNDS; round++) {
    ofWorkload = means(observed, 'workload', ({ log, policy }) => log - (ofPolicy.get(policy) ?? 0));
    ofPolicy = means(observed, 'policy', ({ log, workload }) => log - (ofWorkload.get(workload) ?? 0));
  }
  const unknown = [ofWorkload, ofPolicy].map((logs) => {
    const factors = [...logs.values()].map(Math.exp);
    return Math.log(factors.reduce((sum, factor) => sum + factor, 0) / factors.length);
  });
  return ({ workload, policy }) =>
    Math.exp((ofWorkload.get(workload) ?? unknown[0]) + (ofPolicy.get(policy.name) ?? unknown[1]));
}

interface Observed {
  readonly workload: string;
  readonly policy: string;
  readonly log: number;
  readonly weight: number;
}

function means(observed: readonly Observed[], by: 'workload' | 'policy', of: (one: Observed) => number) {
  const groups = [...Map.groupBy(observed, (one) => one[by])];
  return new Map(
    groups.map(([name, own]) => {
      const weight = own.reduce((sum, one) => sum + one.weight, 0);
      return [name, own.reduce((sum, one) => sum + one.weight * of(one), 0) / weight];
    }),
  );
}
