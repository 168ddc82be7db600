import { consolidationBudgets } from '../../src/engine/disruption/budgets.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { largestPrefix } from '../../src/engine/search/stock/multi-node.ts';
import { candidatesOf } from './candidates.ts';
import { compileAsStock, loadObjects } from './load-objects.ts';
import { type Facts, type Measured, peakMb, sampleOften, type Task } from './measure.ts';

/** The whole pass, candidates and budgets included; Karpenter's figure is without those. */
export async function multiNodeSearch(task: Task): Promise<Measured> {
  const objects = await loadObjects(task.file);
  const { value, ...sampled } = await sampleOften(task, () => compileAsStock(objects), search);
  return { ...sampled, peakMb: peakMb(), facts: { nodes: objects.nodes.length, pods: objects.pods.length, ...value } };
}

function search(cluster: CompiledCluster): Facts {
  const { examined, totals } = candidatesOf(cluster);
  const budgets = consolidationBudgets(cluster.objects, cluster.rows);
  const move = largestPrefix({ simulation: new Simulation(cluster), budgets, totals }, examined);
  return { examined: examined.length, decision: move?.kind ?? 'no-op', removed: move?.candidates.length ?? 0 };
}
