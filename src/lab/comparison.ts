import { NONE } from './built-in-policies.ts';
import { type Experiment, jobsOf } from './experiment.ts';
import type { RecordedFigures } from './history/replay.ts';
import type { NamedPolicy } from './named-policy.ts';
import { onParetoFront } from './pareto-front.ts';
import {
  DETAILS,
  type FIGURES,
  forEach,
  type Job,
  type JobResult,
  type RunSummary,
  type RunTimeline,
  SUMS,
} from './run-summary.ts';
import { type Estimate, estimate } from './statistics.ts';

/** Results of a comparison, complete or stopped early. */
export interface Comparison {
  readonly days: number;
  /** Distinct disruption blocks of the workloads' NodePools. */
  readonly blocks: readonly unknown[];
  readonly workloads: readonly ComparedWorkload[];
  /** Sums over all workloads; undefined for one workload. */
  readonly total?: readonly TotalRow[];
  /** The cluster's figures in the replayed history. */
  readonly recorded?: RecordedFigures;
}

export interface ComparedWorkload {
  readonly name: string;
  /** In the order of the policies. */
  readonly rows: readonly ComparedRow[];
}

/** Figures of one policy, on one workload or on all. */
export interface TotalRow extends Readonly<Record<(typeof SUMS)[number], Estimate>> {
  readonly policy: NamedPolicy;
  readonly cost: Estimate;
  /** Savings against `none`, as a share, seed by seed; undefined without `none`. */
  readonly savings?: Estimate;
  /** On the Pareto front of cost, evictions and lost pod-hours. */
  readonly onFront: boolean;
}

export interface ComparedRow extends TotalRow, Readonly<Record<(typeof DETAILS)[number], Estimate>> {
  readonly seeds: number;
  /** Mean number of pods. */
  readonly pods: Estimate;
  /** Of the first seed. */
  readonly timeline: RunTimeline;
  /** Of all seeds. */
  readonly elapsedMs: number;
}

interface Run {
  readonly job: Job;
  readonly summary: RunSummary;
  readonly elapsedMs: number;
}

/** Summarizes results; runs that were not made are left out. */
export function compared(experiment: Experiment, results: readonly JobResult[]): Comparison {
  const jobs = jobsOf(experiment);
  const runs = [...results]
    .sort((a, b) => a.job - b.job)
    .map(({ job, summary, elapsedMs }): Run => ({ job: jobs[job], summary, elapsedMs }));
  const byWorkload = Map.groupBy(runs, ({ job }) => job.workload);
  const workloads = experiment.workloads.flatMap(({ name }) => {
    const own = byWorkload.get(name);
    return own === undefined ? [] : [{ name, rows: rowsOf(experiment.policies, own) }];
  });
  const total = workloads.length < 2 ? undefined : totalOf(experiment, byWorkload);
  const blocks = new Map(experiment.workloads.flatMap((w) => w.blocks.map((block) => [JSON.stringify(block), block])));
  return { days: experiment.days, blocks: [...blocks.values()], workloads, ...(total === undefined ? {} : { total }) };
}

function rowsOf(policies: readonly NamedPolicy[], runs: readonly Run[]): readonly ComparedRow[] {
  const byPolicy = Map.groupBy(runs, ({ job }) => job.policy.name);
  const reference = costBySeed(byPolicy.get(NONE.name) ?? []);
  const rows = policies.flatMap((policy) => {
    const own = byPolicy.get(policy.name);
    return own === undefined ? [] : [rowOf(policy, own, reference)];
  });
  return withFront(rows);
}

function rowOf(policy: NamedPolicy, runs: readonly Run[], reference: ReadonlyMap<number, number>): ComparedRow {
  const of = (figure: Exclude<keyof RunSummary, 'timeline'>) => estimate(runs.map(({ summary }) => summary[figure]));
  return {
    policy,
    seeds: runs.length,
    cost: of('costDollars'),
    ...savingsOf(costBySeed(runs), reference),
    ...forEach([...SUMS, ...DETAILS, 'pods'], of),
    timeline: runs[0].summary.timeline,
    elapsedMs: runs.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0),
    onFront: false,
  };
}

/** Only seeds with a run on every workload, so that sums are comparable. */
function totalOf(
  { policies, workloads, firstSeed, seeds }: Experiment,
  byWorkload: ReadonlyMap<string, readonly Run[]>,
) {
  const sums = policies.map((policy) => {
    const bySeed = Array.from({ length: seeds }, (_, s) => {
      return workloads.flatMap(({ name }) => {
        return (byWorkload.get(name) ?? []).filter(
          ({ job }) => job.seed === firstSeed + s && job.policy.name === policy.name,
        );
      });
    });
    const complete = bySeed.filter((runs) => runs.length === workloads.length);
    const sum = (figure: (typeof FIGURES)[number]) =>
      complete.map((runs) => runs.reduce((total, { summary }) => total + summary[figure], 0));
    const cost = new Map(complete.map((runs, i) => [runs[0].job.seed, sum('costDollars')[i]]));
    return { policy, sum, cost };
  });
  const reference = sums.find(({ policy }) => policy.name === NONE.name)?.cost ?? new Map<number, number>();
  const rows = sums.flatMap(({ policy, sum, cost }): TotalRow[] => {
    if (cost.size === 0) return [];
    return [
      {
        policy,
        cost: estimate([...cost.values()]),
        ...savingsOf(cost, reference),
        ...forEach(SUMS, (figure) => estimate(sum(figure))),
        onFront: false,
      },
    ];
  });
  return rows.length === 0 ? undefined : withFront(rows);
}

function costBySeed(runs: readonly Run[]): ReadonlyMap<number, number> {
  return new Map(runs.map(({ job, summary }) => [job.seed, summary.costDollars]));
}

/** Seed by seed: policies see the same random events of a seed, so paired differences vary less. */
function savingsOf(cost: ReadonlyMap<number, number>, reference: ReadonlyMap<number, number>) {
  const shares = [...cost].flatMap(([seed, dollars]) => {
    const without = reference.get(seed);
    return without === undefined || without <= 0 ? [] : [1 - dollars / without];
  });
  return shares.length === 0 ? {} : { savings: estimate(shares) };
}

function withFront<T extends TotalRow>(rows: readonly T[]): readonly T[] {
  const front = onParetoFront(rows.map((row) => [row.cost.mean, row.evictions.mean, row.lostPodHours.mean]));
  return rows.map((row, i) => ({ ...row, onFront: front[i] }));
}
