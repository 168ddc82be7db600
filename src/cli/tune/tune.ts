import { inputError } from '../../config/input-error.ts';
import { NONE } from '../../lab/built-in-policies.ts';
import { type Comparison, compared } from '../../lab/comparison.ts';
import { type Experiment, jobsOf } from '../../lab/experiment.ts';
import { firstSeedOf, type Half } from '../../lab/held-out.ts';
import type { NamedPolicy } from '../../lab/named-policy.ts';
import { scenarioUnder } from '../../lab/policy-cluster.ts';
import { gridPolicies } from '../../lab/policy-grid.ts';
import type { Job, JobResult } from '../../lab/run-summary.ts';
import { type Tuning, tuningOf } from '../../lab/tuning.ts';
import { byCost } from '../../lab/tuning-document.ts';
import type { TuningGoal } from '../../lab/tuning-goal.ts';
import { nextSettings, START, settingName, settingsToCome, type TunedSetting } from '../../lab/tuning-search.ts';
import { hasImportedCluster, loadImportedCluster, refuseImportOptions } from '../experiment/imported-cluster.ts';
import { policyNamed } from '../experiment/policies.ts';
import { ProgressBar } from '../experiment/progress.ts';
import { JobThreads, tasksOf } from '../experiment/threads.ts';
import { scenarioOf, type WorkloadSource, workloadsOf } from '../experiment/workloads.ts';
import { UsageError } from '../flags/usage-error.ts';
import { tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { Interrupt } from '../output/progress.ts';
import { complain, print, styled } from '../output/terminal-text.ts';
import type { TuneOptions } from './flags.ts';

export async function tuneCommand(options: TuneOptions): Promise<number> {
  const { maxEvictionsPerPodDay, keepSavings, workload, history, karpenterLog } = options;
  if (maxEvictionsPerPodDay === undefined && keepSavings === undefined) {
    throw new UsageError('no goal: give --max-evictions-per-pod-day, --keep-savings or both');
  }
  const sources = [workload, history, karpenterLog].filter((each) => each !== undefined).length;
  if (sources + Number(hasImportedCluster(options)) !== 1) {
    throw new UsageError('give exactly one of -w, -f or --context, --history, --karpenter-log');
  }
  const wish: TuningGoal = {
    ...(maxEvictionsPerPodDay === undefined ? {} : { maxEvictionsPerPodDay }),
    ...(keepSavings === undefined ? {} : { keepSavings }),
  };
  if (history !== undefined || karpenterLog !== undefined) {
    const { tuneByHistory } = await import('./by-history.ts');
    return tuneByHistory(wish, options);
  }
  const { source, days } = await sourceOf(options);
  const tuning = await new TuningRun(source, wish, { ...options, days }).result();
  if (tuning === undefined) {
    complain('stopped before any setting was simulated');
    return EXIT.no;
  }
  print(await format(tuning, options.output));
  return tuning.granted && !tuning.stopped ? EXIT.ok : EXIT.no;
}

async function sourceOf(options: TuneOptions): Promise<{ readonly source: WorkloadSource; readonly days: number }> {
  const found = hasImportedCluster(options) ? await loadImportedCluster(options) : undefined;
  if (found === undefined) refuseImportOptions(options);
  const [source] = await workloadsOf(options.workload === undefined ? undefined : [options.workload], found);
  tell(found?.notices ?? []);
  return { source, days: options.days ?? found?.recorded?.days ?? 1 };
}

type RunOptions = TuneOptions & { readonly days: number };

/** Simulations, round by round, on threads. */
class TuningRun {
  private readonly workload: WorkloadSource;
  private readonly wish: TuningGoal;
  private readonly options: RunOptions;
  private readonly policies: NamedPolicy[] = [];
  private readonly summaries = new Map<string, Omit<JobResult, 'job'>>();
  private readonly interrupt = new Interrupt();
  private readonly bar: ProgressBar;
  private readonly threads: JobThreads;
  private done = 0;

  constructor(workload: WorkloadSource, wish: TuningGoal, options: RunOptions) {
    this.workload = workload;
    this.wish = wish;
    this.options = options;
    this.bar = new ProgressBar((options.settings + 6) * options.seeds, false);
    this.threads = new JobThreads({ data: [workload], count: options.workers });
  }

  async result(): Promise<Tuning | undefined> {
    const { options } = this;
    const current = this.budgeted(await policyNamed(options.current, '--current'));
    const base = this.budgeted(await policyNamed(options.base, '--base'));
    if (base.controller !== 'decant') {
      throw new UsageError(
        `--base ${options.base}: allowed: a policy with controller decant, whose settings can be tuned`,
      );
    }
    try {
      await this.search(current, base);
      await this.holdOut(current);
    } finally {
      this.interrupt.end();
      this.bar.clear();
      await this.threads.close();
    }
    return this.tuning(current);
  }

  private async search(current: NamedPolicy, base: NamedPolicy): Promise<void> {
    const most = this.options.settings;
    const tried: TunedSetting[] = [];
    const before = current.name === NONE.name ? [NONE] : [NONE, current];
    let next = START;
    let best: TunedSetting | undefined = START[START.length >> 1];
    while (best !== undefined && next.length > 0 && tried.length < most && !this.interrupt.signal.aborted) {
      const batch = next.slice(0, most - tried.length);
      const first = tried.length === 0 ? before : [];
      tried.push(...batch);
      const toCome = settingsToCome(tried, best, batch, most);
      const likeBest = Array<NamedPolicy>(toCome + 1).fill(policyOf(best, base));
      await this.simulate([...first, ...batch.map((setting) => policyOf(setting, base))], [...before, ...likeBest]);
      const name = this.tuning(current)?.best.row.policy.name;
      best = tried.find((setting) => settingName(setting) === name);
      next = best === undefined ? [] : nextSettings(tried, best);
    }
  }

  /** Runs the reported policies on held-out seeds. */
  private async holdOut(current: NamedPolicy): Promise<void> {
    const tuning = this.tuning(current);
    if (tuning === undefined || this.interrupt.signal.aborted) return;
    const cheapest = byCost(tuning.outcomes)[0];
    const names = new Set([NONE, current, tuning.best.row.policy, cheapest.row.policy].map(({ name }) => name));
    const policies = this.policies.filter(({ name }) => names.has(name));
    await this.run(this.experiment(policies, 'report'));
  }

  /** `later`: policies that are expected to be simulated after these. */
  private async simulate(policies: readonly NamedPolicy[], later: readonly NamedPolicy[]): Promise<void> {
    const scenario = await scenarioOf(this.workload);
    for (const policy of policies) scenarioUnder(scenario, policy);
    this.policies.push(...policies);
    await this.run(this.experiment(policies, 'choose'), jobsOf(this.experiment(later, 'choose')));
  }

  private async run(experiment: Experiment, later: readonly Job[] = []): Promise<void> {
    const jobs = jobsOf(experiment);
    const total = this.done + jobs.length + later.length;
    const show = (done: number, underWay: number, left: (later: readonly Job[]) => number | undefined) =>
      this.bar.show(this.done + done, underWay, () => left(later), total);
    const { results } = await this.threads.run(tasksOf(jobs), this.interrupt.signal, show);
    this.done += results.length;
    for (const { job, ...rest } of results) this.summaries.set(keyOf(jobs[job]), rest);
  }

  private experiment(policies: readonly NamedPolicy[], half: Half): Experiment {
    const { name, digest, blocks } = this.workload;
    const { seeds, days } = this.options;
    return { workloads: [{ name, digest, blocks }], policies, firstSeed: firstSeedOf(half, 1, seeds), seeds, days };
  }

  private tuning(current: NamedPolicy): Tuning | undefined {
    const { seeds, days } = this.options;
    const { wish } = this;
    const chosen = this.compared('choose');
    if (chosen === undefined) return undefined;
    return tuningOf({
      workload: this.workload.name,
      days,
      seeds,
      wish,
      blocks: chosen.blocks,
      stopped: this.interrupt.signal.aborted,
      rows: chosen.workloads[0].rows,
      heldOutRows: this.compared('report')?.workloads[0].rows ?? [],
      none: NONE,
      current,
    });
  }

  private compared(half: Half): Comparison | undefined {
    const experiment = this.experiment(this.policies, half);
    const results = jobsOf(experiment).flatMap((job, i) => {
      const known = this.summaries.get(keyOf(job));
      return known === undefined ? [] : [{ ...known, job: i }];
    });
    return results.length === 0 ? undefined : compared(experiment, results);
  }

  private budgeted(policy: NamedPolicy): NamedPolicy {
    return policy.controller === 'decant' ? { work: this.options.workBudget, ...policy } : policy;
  }
}

function keyOf({ policy, seed }: { readonly policy: NamedPolicy; readonly seed: number }): string {
  return `${policy.name}/${seed}`;
}

function policyOf(setting: TunedSetting, base: NamedPolicy): NamedPolicy {
  const { threshold, grace, utilization } = setting;
  const grid = gridPolicies({ threshold, grace, utilization }, base);
  if ('problems' in grid) throw inputError(grid.problems);
  return { ...grid.policies[0], name: settingName(setting) };
}

async function format(tuning: Tuning, output: TuneOptions['output']): Promise<string> {
  if (output === 'html') {
    const { tuningReport } = await import('./html.ts');
    return tuningReport(tuning);
  }
  if (output === 'text') {
    const { renderTuning } = await import('./render.ts');
    return renderTuning(tuning, { paint: styled });
  }
  const { tuningDocument } = await import('../../lab/tuning-document.ts');
  return documentText(tuningDocument(tuning), output);
}
