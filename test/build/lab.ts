import type { Experiment } from '../../src/lab/experiment.ts';
import type { NamedPolicy } from '../../src/lab/named-policy.ts';
import type { Job, JobResult, RunSummary } from '../../src/lab/run-summary.ts';

export function namedPolicy(name: string, sketch: Partial<NamedPolicy> = {}): NamedPolicy {
  return { name, controller: 'decant', search: 'merged', disruption: {}, switches: {}, ...sketch };
}

export function experiment(sketch: Partial<Experiment> = {}): Experiment {
  return {
    workloads: [{ name: 'web', digest: 'one', blocks: [{ consolidateAfter: '30s' }] }],
    policies: [namedPolicy('none', { controller: 'none' }), namedPolicy('calm')],
    firstSeed: 1,
    seeds: 3,
    days: 1,
    ...sketch,
  };
}

export function runSummary(sketch: Partial<RunSummary> = {}): RunSummary {
  return {
    costDollars: 10,
    evictions: 0,
    lostPodHours: 0,
    reevictions: 0,
    nodeLifetimeP50Minutes: 60,
    nodeLifetimeP95Minutes: 600,
    pendingP95Seconds: 30,
    unavailablePodSeconds: 0,
    commands: 0,
    pods: 10,
    timeline: { stepHours: 12, nodes: [2, 2], dollarsPerHour: [0.5, 0.5], evictions: [0, 0] },
    ...sketch,
  };
}

/** A simulation that costs nothing: figures that differ by workload, policy and seed, and are the same every time. */
export function fakeRun({ workload, policy, seed, days }: Job): RunSummary {
  const chance = hash(`${workload}/${policy.name}/${seed}`);
  const evictions = policy.controller === 'none' ? 0 : chance % 100;
  return runSummary({
    costDollars: days * (10 + (chance % 997) / 100),
    evictions,
    reevictions: evictions >> 2,
    pendingP95Seconds: chance % 61,
    unavailablePodSeconds: evictions / 3,
    commands: evictions >> 1,
    timeline: { stepHours: days * 12, nodes: [3, 2], dollarsPerHour: [1.5, 1], evictions: [evictions >> 1, evictions] },
  });
}

export function results(jobs: readonly Job[], numbers: readonly number[] = jobs.map((_, i) => i)): JobResult[] {
  return numbers.map((job) => ({ job, summary: fakeRun(jobs[job]), elapsedMs: job }));
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return value;
}
