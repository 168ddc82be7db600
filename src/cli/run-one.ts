import { Controller } from '../controller/controller.ts';
import type { ControllerOptions } from '../controller/options.ts';
import { type NamedPolicy, policySwitches } from '../lab/named-policy.ts';
import { type Job, MOST_STEPS, type RunSummary } from '../lab/run-summary.ts';
import type { Scenario } from '../simulator/scenario.ts';
import type { SimNode } from '../simulator/sim-node.ts';
import { SimulatedCluster } from '../simulator/simulated-cluster.ts';
import { refusal } from './compare-policies.ts';
import { scenarioUnder } from './compare-workloads.ts';
import { ControlledCluster } from './controlled-cluster.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** Of a short run; a longer one has one for each hour. */
const LEAST_STEPS = 96;

/** One simulation, from the start of the workload. The same job gives the same summary on every machine. */
export async function runOne(
  { policy, seed, days }: Job,
  workload: Scenario,
  progressed: (share: number) => void = () => {},
): Promise<RunSummary> {
  const scenario = scenarioUnder(workload, policy);
  const consolidation = policy.controller === 'stock' ? 'stock' : 'none';
  const cluster = new SimulatedCluster(scenario, { seed, consolidation });
  const driven =
    policy.controller === 'decant' ? new ControlledCluster(cluster, controllerFor(cluster, policy)) : cluster;
  const hours = days * DAY_HOURS;
  const steps = Math.min(MOST_STEPS, Math.max(LEAST_STEPS, Math.round(hours)));
  const timeline = {
    stepHours: hours / steps,
    nodes: [] as number[],
    dollarsPerHour: [] as number[],
    evictions: [] as number[],
  };
  let pods = 0;
  for (let step = 1; step <= steps; step++) {
    await driven.advanceTo(scenario.startMs + Math.round((step * hours * HOUR_MS) / steps));
    const nodes = [...cluster.world.nodes.values()];
    timeline.nodes.push(nodes.length);
    timeline.dollarsPerHour.push(Math.round(nodes.reduce((sum, { price }) => sum + price, 0) * 1e4) / 1e4);
    timeline.evictions.push(cluster.ledger.summary().evictions);
    pods += podsOn(nodes);
    progressed(step / steps);
  }
  return summarised(cluster, pods / steps, timeline);
}

/** DaemonSets aside. */
function podsOn(nodes: readonly SimNode[]): number {
  let pods = 0;
  for (const node of nodes) for (const { state } of node.pods) if (state.app.kind !== 'DaemonSet') pods++;
  return pods;
}

function summarised({ ledger }: SimulatedCluster, pods: number, timeline: RunSummary['timeline']): RunSummary {
  const {
    costDollars,
    evictions,
    reevictions,
    nodeLifetimeP50Minutes,
    nodeLifetimeP95Minutes,
    pendingP95Seconds,
    unavailablePodSeconds,
    commands,
  } = ledger.summary();
  return {
    costDollars,
    evictions,
    reevictions,
    nodeLifetimeP50Minutes,
    nodeLifetimeP95Minutes,
    pendingP95Seconds,
    unavailablePodSeconds,
    commands,
    pods,
    timeline,
  };
}

/** The controller that also runs on Kubernetes; nobody else consolidates here, so that it need not look out for Karpenter. */
export function controllerFor(
  cluster: SimulatedCluster,
  { switches, search, work }: NamedPolicy,
  more: Pick<ControllerOptions, 'breathe' | 'clock'> = {},
): Controller {
  const reading = policySwitches(switches);
  if ('problems' in reading) throw refusal(reading.problems);
  return new Controller(cluster, { mode: 'act', switches: reading.switches, search, work, interlock: false, ...more });
}
