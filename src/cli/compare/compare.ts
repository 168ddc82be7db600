import { InputError, inputError } from '../../config/input-error.ts';
import { type Comparison, compared } from '../../lab/comparison.ts';
import { comparisonDocument } from '../../lab/comparison-document.ts';
import { type Experiment, jobsOf } from '../../lab/experiment.ts';
import { firstSeedOf, isInHalf } from '../../lab/held-out.ts';
import { scenarioUnder } from '../../lab/policy-cluster.ts';
import { jobsOfShard, readShard, type Shard } from '../../lab/shard.ts';
import { mergeShards, shardDocument } from '../../lab/shard-document.ts';
import { hasImportedCluster, loadImportedCluster, refuseImportOptions } from '../experiment/imported-cluster.ts';
import { policiesOf } from '../experiment/policies.ts';
import { ProgressBar } from '../experiment/progress.ts';
import { type JobsRun, runJobs, tasksOf } from '../experiment/threads.ts';
import { scenarioOf, type WorkloadSource, workloadsOf } from '../experiment/workloads.ts';
import { UsageError } from '../flags/usage-error.ts';
import { tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { Interrupt } from '../output/progress.ts';
import { complain, print, printAs, styled } from '../output/terminal-text.ts';
import type { CompareOptions } from './flags.ts';
import { printJob } from './job.ts';
import { readShards, writeShard } from './shards.ts';

export async function compareCommand(options: CompareOptions): Promise<number> {
  const { merge, shard: given, job, results: folder } = options;
  if (merge !== undefined) {
    if (given !== undefined || job)
      throw new UsageError('--merge reads shards that --shard wrote: give one of the two');
    return printMerged(merge, options.output);
  }
  if (folder !== undefined && given === undefined) throw new UsageError('--results is for --shard');
  const found = hasImportedCluster(options) ? await loadImportedCluster(options) : undefined;
  if (found === undefined) refuseImportOptions(options);
  const { half } = options;
  const all = await workloadsOf(options.workload, found);
  const workloads = half === undefined ? all : all.filter(({ name }) => isInHalf(name, half));
  if (workloads.length === 0) throw new UsageError(`--half ${half}: none of the workloads is in this half`);
  const policies = await policiesOf(options);
  await refuseMisfits(workloads, policies);
  tell(found?.notices ?? []);
  if (job) {
    print(printJob(options, workloads));
    return EXIT.ok;
  }
  const shard = given === undefined ? undefined : shardOf(given);
  const { recorded } = found ?? {};
  const experiment: Experiment = {
    workloads: workloads.map(({ name, digest, blocks }) => ({ name, digest, blocks })),
    policies,
    firstSeed: half === undefined ? options.seed : firstSeedOf(half, options.seed, options.seeds),
    seeds: options.seeds,
    days: options.days ?? recorded?.days ?? 1,
  };
  const run = await simulated(experiment, workloads, shard, options.workers);
  if (shard !== undefined) return finishShare(shard, experiment, run, options);
  if (run.stopped) return finishStopped(experiment, run, options);
  const comparison = compared(experiment, run.results);
  printAs(
    options.output,
    await format(recorded === undefined ? comparison : { ...comparison, recorded }, options.output),
  );
  return EXIT.ok;
}

function shardOf(given: string): Shard {
  const reading = readShard(given, process.env.JOB_COMPLETION_INDEX || undefined);
  if ('problems' in reading) throw inputError(reading.problems);
  return reading.shard;
}

/** Checks every pool under every policy before simulations that take hours. */
async function refuseMisfits(workloads: readonly WorkloadSource[], policies: Experiment['policies']): Promise<void> {
  for (const workload of workloads) {
    const scenario = await scenarioOf(workload);
    for (const policy of policies) scenarioUnder(scenario, policy);
  }
}

async function simulated(
  experiment: Experiment,
  workloads: readonly WorkloadSource[],
  shard: Shard | undefined,
  count: number,
): Promise<JobsRun> {
  const jobs = jobsOf(experiment);
  const tasks = tasksOf(jobs, jobsOfShard(shard ?? { index: 0, of: 1 }, jobs.length));
  const bar = new ProgressBar(tasks.length);
  const interrupt = new Interrupt();
  try {
    return await runJobs(tasks, { data: workloads, count }, interrupt.signal, (...done) => bar.show(...done));
  } finally {
    interrupt.end();
    bar.clear();
  }
}

async function finishShare(
  shard: Shard,
  experiment: Experiment,
  run: JobsRun,
  options: CompareOptions,
): Promise<number> {
  if (run.stopped) {
    complain('stopped: nothing written, because an incomplete shard cannot be merged');
    return EXIT.no;
  }
  const document = shardDocument(shard, experiment, run.results);
  if (options.results === undefined) print(`${JSON.stringify(document)}\n`);
  else await writeShard(options.results, document);
  return EXIT.ok;
}

async function finishStopped(experiment: Experiment, run: JobsRun, { output }: CompareOptions): Promise<number> {
  const jobs = jobsOf(experiment).length;
  complain(`stopped after ${run.results.length} of ${jobs} simulations`);
  if (run.results.length > 0) printAs(output, await format(compared(experiment, run.results), output));
  return EXIT.no;
}

async function printMerged(files: readonly string[], output: CompareOptions['output']): Promise<number> {
  const merging = mergeShards(await readShards(files));
  if ('problem' in merging) throw new InputError(merging.problem);
  printAs(output, await format(compared(merging.experiment, merging.results), output));
  return EXIT.ok;
}

async function format(comparison: Comparison, output: CompareOptions['output']): Promise<string> {
  if (output === 'json' || output === 'yaml') return documentText(comparisonDocument(comparison), output);
  if (output === 'html') {
    const { comparisonReport } = await import('./html.ts');
    return comparisonReport(comparison);
  }
  const { renderComparison } = await import('./render.ts');
  return renderComparison(comparison, { paint: styled });
}
