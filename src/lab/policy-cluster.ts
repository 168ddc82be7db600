import { inputError } from '../config/input-error.ts';
import { Controller } from '../controller/controller.ts';
import type { MoveTiming } from '../controller/forgone-savings.ts';
import type { ControllerOptions } from '../controller/options.ts';
import type { ReconcileReport } from '../controller/report.ts';
import { ControlledCluster } from '../simulator/controlled-cluster.ts';
import type { Scenario } from '../simulator/scenario.ts';
import { SimulatedCluster, type SimulationOptions } from '../simulator/simulated-cluster.ts';
import { type NamedPolicy, policySettings, SIMULATED_WORK } from './named-policy.ts';
import { poolUnderPolicy } from './pool-under-policy.ts';

export interface PolicyClusterOptions
  extends Omit<SimulationOptions, 'consolidation'>,
    Pick<ControllerOptions, 'yieldToOthers' | 'clock'> {
  /** Called after every reconciliation of Decant's controller. */
  readonly reported?: (report: ReconcileReport) => void;
  /** Other than the controller's own. */
  readonly timing?: (cluster: SimulatedCluster) => MoveTiming;
}

export interface PolicyCluster {
  readonly attended: ControlledCluster;
  /** undefined if Karpenter or nothing consolidates. */
  readonly controller: Controller | undefined;
}

/** The cluster of a workload, with the policy's controller. */
export function policyCluster(workload: Scenario, policy: NamedPolicy, options: PolicyClusterOptions): PolicyCluster {
  const { yieldToOthers, clock, reported, timing, ...simulation } = options;
  const consolidation = policy.controller === 'stock' ? 'stock' : 'none';
  const cluster = new SimulatedCluster(scenarioUnder(workload, policy), { ...simulation, consolidation });
  if (policy.controller !== 'decant') return { attended: new ControlledCluster(cluster), controller: undefined };
  const controller = controllerFor(cluster, policy, { yieldToOthers, clock, timing: timing?.(cluster) });
  const reconcile = async (): Promise<ReconcileReport> => {
    const report = await controller.reconcile();
    reported?.(report);
    return report;
  };
  return { attended: new ControlledCluster(cluster, { reconcile }), controller };
}

/** The same controller as on Kubernetes; nothing else consolidates here, so the interlock is off. */
export function controllerFor(
  cluster: SimulatedCluster,
  { switches, search, work = SIMULATED_WORK }: NamedPolicy,
  more: Pick<ControllerOptions, 'yieldToOthers' | 'clock' | 'timing'> = {},
): Controller {
  const reading = policySettings(switches);
  if ('problems' in reading) throw inputError(reading.problems);
  return new Controller(cluster, { mode: 'act', settings: reading.settings, search, work, interlock: false, ...more });
}

/** The workload with the policy's fields in every NodePool. Throws InputError if they contradict. */
export function scenarioUnder(scenario: Scenario, policy: NamedPolicy): Scenario {
  const nodePools = scenario.nodePools.map((pool) => {
    const reading = poolUnderPolicy(pool, policy);
    if ('problems' in reading) throw inputError(reading.problems);
    return reading.pool;
  });
  return { ...scenario, nodePools };
}
