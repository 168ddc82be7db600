import type { Scenario } from '../simulator/scenario.ts';
import type { SimNode } from '../simulator/sim-node.ts';
import { type PolicyClusterOptions, policyCluster } from './policy-cluster.ts';
import { hindsightRun } from './run-hindsight.ts';
import { FIGURES, forEach, type Job, MAX_STEPS, type RunSummary } from './run-summary.ts';

const DAY_HOURS = 24;
/** For a short run; a longer one has one per hour. */
const LEAST_STEPS = 96;

/** One run of a policy, from the start of the workload. The same job gives the same summary on every machine. */
export async function runOne(
  job: Job,
  workload: Scenario,
  progressed: (share: number) => void = () => {},
): Promise<RunSummary> {
  const { maxCost } = job.policy;
  if (maxCost !== undefined) return hindsightRun(job, workload, maxCost, (each, on, how) => simulated(each, on, how));
  return simulated(job, workload, {}, progressed);
}

async function simulated(
  { policy, seed, days }: Job,
  workload: Scenario,
  options: Pick<PolicyClusterOptions, 'timing'>,
  progressed: (share: number) => void = () => {},
): Promise<RunSummary> {
  const { attended } = policyCluster(workload, policy, { seed, ...options });
  const { world, ledger } = attended.cluster;
  const hours = days * DAY_HOURS;
  const steps = Math.min(MAX_STEPS, Math.max(LEAST_STEPS, Math.round(hours)));
  const timeline = {
    stepHours: hours / steps,
    nodes: [] as number[],
    dollarsPerHour: [] as number[],
    evictions: [] as number[],
  };
  let pods = 0;
  await attended.run(days, steps, (share) => {
    const nodes = [...world.nodes.values()];
    timeline.nodes.push(nodes.length);
    timeline.dollarsPerHour.push(Math.round(nodes.reduce((sum, { price }) => sum + price, 0) * 1e4) / 1e4);
    timeline.evictions.push(ledger.summary().evictions);
    pods += podsOn(nodes);
    progressed(share);
    return false;
  });
  const summary = ledger.summary();
  return { ...forEach(FIGURES, (name) => summary[name]), pods: pods / steps, timeline };
}

/** DaemonSets aside. */
function podsOn(nodes: readonly SimNode[]): number {
  let pods = 0;
  for (const node of nodes) for (const { state } of node.pods) if (state.app.kind !== 'DaemonSet') pods++;
  return pods;
}
