import type { Job } from '../../lab/run-summary.ts';

/** A simulation. Its work is processor time of a warm thread: the same on a busy machine. */
export interface Run {
  readonly job: Job;
  readonly startedMs: number;
  /** Work of its thread before it; undefined until the simulation begins. */
  before: number | undefined;
  /** Of the simulated time; 1: done. */
  share: number;
  work: number;
  /** When it was last heard of, and the processor time of its thread until then. */
  heardMs: number;
  workedMs: number;
  /** Share of the simulated time, and the work that it took. */
  readonly pace: [share: number, work: number][];
}

/** Below this share, the pace of a run says little. */
const LEAST_SHARE = 0.02;
/** At this share of a run, its own pace counts as much as what was expected. */
const OWN_SHARE = 0.05;
/** A new thread does a quarter less in this much processor time, until its code is compiled. */
const COLD_MS = 3000;
/** Time of each thread over which the speed of the machine is measured. */
const WINDOW_MS = 8000;
const ROUNDS = 8;

/**
 * Estimates how long simulations will take: their work, by the time that a unit of work took lately. Runs of one experiment
 * differ by factors of hundreds, but about by a factor for the workload and one for the policy: both are fitted to the runs
 * so far.
 */
export class RunTimes {
  private readonly threads: number;
  private readonly runs: Run[] = [];
  /** Of the slowest thread, from its first job to the beginning of the simulation. */
  private startMs = 0;
  /** What each report told: time, and processor time in it. */
  private readonly reports: { readonly tookMs: number; readonly workedMs: number }[] = [];

  constructor(threads: number) {
    this.threads = threads;
  }

  started(job: Job, nowMs: number): Run {
    const run: Run = {
      ...{ job, startedMs: nowMs, before: undefined },
      ...{ share: 0, work: 0, heardMs: nowMs, workedMs: 0, pace: [[0, 0]] },
    };
    this.runs.push(run);
    return run;
  }

  /** `share` is 0 when the simulation begins. `workedMs`: processor time of its thread since that was started. */
  progressed(run: Run, share: number, nowMs: number, workedMs: number): void {
    const worked = workedMs - Math.min(workedMs, COLD_MS) / 4;
    if (run.before === undefined) {
      run.before = worked;
      this.startMs = Math.max(this.startMs, nowMs - run.startedMs);
    } else {
      this.reports.push({ tookMs: nowMs - run.heardMs, workedMs: workedMs - run.workedMs });
      run.work = worked - run.before;
      run.share = share;
      run.pace.push([share, run.work]);
    }
    run.heardMs = nowMs;
    run.workedMs = workedMs;
  }

  /** Until the runs under way and these have ended; undefined as long as nothing is known. */
  leftMs(waiting: readonly Job[], nowMs: number): number | undefined {
    const runs = this.shares();
    const expected = this.expectedWork(runs);
    if (expected === undefined) return undefined;
    const msPerWork = this.msPerWork();
    const free = runs.flatMap(({ run, share }) => {
      if (run.share === 1) return [];
      const sinceMs = nowMs - run.heardMs;
      if (run.before === undefined) return Math.max(0, this.startMs - sinceMs) + expected(run.job) * msPerWork;
      const weight = share < LEAST_SHARE ? 0 : share / (share + OWN_SHARE);
      const byPace = weight === 0 ? 1 : run.work / share;
      const wholeMs = byPace ** weight * expected(run.job) ** (1 - weight) * msPerWork;
      // The step under way ends now at the earliest.
      const next = this.workShare(run, run.share * (1 + 1 / Math.max(1, run.pace.length - 1)));
      return Math.max((1 - share) * wholeMs - sinceMs, (1 - next) * wholeMs);
    });
    while (free.length < this.threads) free.push(0);
    for (const job of waiting) {
      const next = free.indexOf(Math.min(...free));
      free[next] += expected(job) * msPerWork;
    }
    return Math.max(...free);
  }

  /** The work of a whole run of a job; undefined as long as nothing is known. */
  expectedWork(runs = this.shares()): ((job: Job) => number) | undefined {
    const known = runs.filter(({ run, share }) => Math.min(run.share, share) >= LEAST_SHARE);
    if (known.length === 0) return undefined;
    return fitted(known.map(({ run, share }) => ({ job: run.job, work: run.work / share, weight: share })));
  }

  private shares(): readonly { readonly run: Run; readonly share: number }[] {
    return this.runs.map((run) => ({ run, share: this.workShare(run, run.share) }));
  }

  /** Lately: the machine may be busier than before. */
  private msPerWork(): number {
    let [tookMs, workedMs] = [0, 0];
    for (let i = this.reports.length - 1; i >= 0 && (tookMs < this.threads * WINDOW_MS || workedMs === 0); i--) {
      tookMs += this.reports[i].tookMs;
      workedMs += this.reports[i].workedMs;
    }
    return workedMs === 0 ? 1 : tookMs / workedMs;
  }

  /**
   * Share of a run's work at a share of its simulated time: nights are simulated faster than days. Between what it would be
   * at an even pace, and what it was in a run of the workload that has ended, with the same policy if there is one.
   */
  private workShare({ job }: Run, share: number): number {
    if (share >= 1) return 1;
    const ended = this.runs.filter((run) => run.share === 1 && run.job.workload === job.workload);
    const most = () => ended.reduce((a, b) => (b.work > a.work ? b : a));
    if (ended.length === 0) return share;
    const { pace, work } = ended.findLast((run) => run.job.policy.name === job.policy.name) ?? most();
    const after = pace.findIndex(([s]) => s > share);
    const [[s0, w0], [s1, w1]] = [pace[after - 1], pace[after]];
    const then = work === 0 ? share : (w0 + ((w1 - w0) * (share - s0)) / (s1 - s0)) / work;
    return Math.sqrt(then * share);
  }
}

interface Known {
  readonly job: Job;
  /** Of the whole run. */
  readonly work: number;
  readonly weight: number;
}

/** The work of a job: as in runs of its workload under its policy, otherwise by the factors of both. */
function fitted(known: readonly Known[]): (job: Job) => number {
  const observed = known.map(({ job, work, weight }) => ({
    workload: job.workload,
    policy: job.policy.name,
    pair: pairOf(job),
    // Logarithms, because the factors multiply.
    log: Math.log(Math.max(1, work)),
    weight,
  }));
  const ofPair = means(observed, 'pair', ({ log }) => log);
  let [ofWorkload, ofPolicy] = [new Map<string, number>(), new Map<string, number>()];
  for (let round = 0; round < ROUNDS; round++) {
    ofWorkload = means(observed, 'workload', ({ log, policy }) => log - (ofPolicy.get(policy) ?? 0));
    ofPolicy = means(observed, 'policy', ({ log, workload }) => log - (ofWorkload.get(workload) ?? 0));
  }
  const unknown = [ofWorkload, ofPolicy].map((logs) => {
    const factors = [...logs.values()].map(Math.exp);
    return Math.log(factors.reduce((sum, factor) => sum + factor, 0) / factors.length);
  });
  return (job) => {
    const byFactors = (ofWorkload.get(job.workload) ?? unknown[0]) + (ofPolicy.get(job.policy.name) ?? unknown[1]);
    return Math.exp(ofPair.get(pairOf(job)) ?? byFactors);
  };
}

function pairOf({ workload, policy }: Job): string {
  return `${workload}\n${policy.name}`;
}

interface Observed {
  readonly workload: string;
  readonly policy: string;
  readonly pair: string;
  readonly log: number;
  readonly weight: number;
}

function means(observed: readonly Observed[], by: 'workload' | 'policy' | 'pair', of: (one: Observed) => number) {
  const groups = [...Map.groupBy(observed, (one) => one[by])];
  return new Map(
    groups.map(([name, own]) => {
      const weight = own.reduce((sum, one) => sum + one.weight, 0);
      return [name, own.reduce((sum, one) => sum + one.weight * of(one), 0) / weight];
    }),
  );
}
