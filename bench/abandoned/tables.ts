import { count, markdown } from '../policies/figures.ts';
import type { AbandonedRun } from './runs.ts';

/** Abandoned commands by policy: on the workloads that were written, and on these with the traces. */
export function abandonedByPolicy(runs: readonly AbandonedRun[]): string {
  const rows = [...Map.groupBy(runs, ({ policy }) => policy)].flatMap(([policy, all]) => {
    const written = all.filter(({ workload }) => !workload.startsWith('azure-'));
    const parts = written.length === all.length || written.length === 0 ? [all] : [written, all];
    return parts.map((part) => [`\`${policy}\`, ${nameOf(part, part !== written)}`, ...figuresOf(part)]);
  });
  return markdown(['policy', 'commands', 'abandoned', 'after a replacement was launched'], rows).join('\n');
}

/** And by workload, with the most frequent reasons. */
export function abandonedByWorkload(runs: readonly AbandonedRun[]): string {
  const policies = [...Map.groupBy(runs, ({ policy }) => policy)];
  const workloads = [...new Set(runs.map(({ workload }) => workload))];
  const rows = workloads.map((workload) => [
    workload,
    ...policies.flatMap(([, all]) => {
      const own = all.filter((run) => run.workload === workload);
      return [...figuresOf(own), reasonsOf(own)];
    }),
  ]);
  const columns = policies.flatMap(([policy]) => [`${policy}: commands`, 'abandoned', 'after a launch', 'reasons']);
  return markdown(['workload', ...columns], rows).join('\n');
}

function nameOf(runs: readonly AbandonedRun[], isAll: boolean): string {
  const { size } = new Set(runs.map(({ workload }) => workload));
  return isAll ? `all ${size} workloads` : `the ${size} written workloads`;
}

function figuresOf(runs: readonly AbandonedRun[]): readonly string[] {
  const sum = (key: 'commands' | 'abandoned' | 'afterLaunch') => runs.reduce((total, run) => total + run[key], 0);
  const commands = sum('commands');
  const share = (n: number) => `${count(n)} (${commands === 0 ? '0.0' : ((100 * n) / commands).toFixed(1)} %)`;
  return [count(commands), share(sum('abandoned')), share(sum('afterLaunch'))];
}

const MOST_REASONS = 3;

function reasonsOf(runs: readonly AbandonedRun[]): string {
  const total = new Map<string, number>();
  for (const [reason, n] of runs.flatMap(({ reasons }) => Object.entries(reasons))) {
    if (n > 0) total.set(reason, (total.get(reason) ?? 0) + n);
  }
  const most = [...total].sort((a, b) => b[1] - a[1]).slice(0, MOST_REASONS);
  return most.map(([reason, n]) => `${n} ${reason}`).join(', ');
}
