import { loadWorkload } from '../../src/cli/experiment/load-workload.ts';
import type { Command } from '../../src/controller/command.ts';
import { builtInPolicy } from '../../src/lab/built-in-policies.ts';
import { policyCluster } from '../../src/lab/policy-cluster.ts';

/** What became of the commands that the controller began in one simulation. */
export interface AbandonedRun {
  readonly workload: string;
  readonly policy: string;
  readonly seed: number;
  readonly days: number;
  readonly commands: number;
  readonly abandoned: number;
  /** Of these, those that had launched a replacement. */
  readonly afterLaunch: number;
  /** Abandoned commands by reason. */
  readonly reasons: Readonly<Record<string, number>>;
}

/** Pods placed in trials of one search, as in the lab. */
const WORK = 2000;

export async function abandonedRun(
  workload: string,
  policy: string,
  seed: number,
  days: number,
): Promise<AbandonedRun> {
  const named = builtInPolicy(policy);
  if (named === undefined) throw new Error(`no policy is called ${policy}`);
  const counted = { commands: 0, abandoned: 0, afterLaunch: 0 };
  const reasons: Record<string, number> = {};
  const count = ({ phase, reason, launchedMs }: Command) => {
    if (phase === 'waiting' && reason === undefined) counted.commands++;
    if (phase !== 'abandoned') return;
    counted.abandoned++;
    if (launchedMs !== undefined) counted.afterLaunch++;
    const why = `${reason}${launchedMs === undefined ? '' : ' (launched)'}`;
    reasons[why] = (reasons[why] ?? 0) + 1;
  };
  const { attended } = policyCluster(
    await loadWorkload(workload),
    { ...named, work: WORK },
    { seed, reported: ({ transitions }) => transitions.forEach(count) },
  );
  await attended.run(days, 1, () => false);
  return { workload, policy, seed, days, ...counted, reasons };
}
