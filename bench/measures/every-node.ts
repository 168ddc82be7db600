import { alone } from '../../src/engine/moves/alone.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { candidatesOf } from './candidates.ts';
import { compileAsStock, loadObjects } from './load-objects.ts';
import { type Facts, type Measured, peakMb, sampleOften, type Task } from './measure.ts';

/** Every run has a cluster that was compiled afresh, so that nothing is remembered from the run before. */
export async function everyNode(task: Task): Promise<Measured> {
  const objects = await loadObjects(task.file);
  const { value, ...sampled } = await sampleOften(task, () => compileAsStock(objects), evaluateEveryNode);
  return {
    ...sampled,
    peakMb: peakMb(),
    facts: { nodes: objects.nodes.length, pods: objects.pods.length, types: objects.instanceTypes.length, ...value },
  };
}

/** Verdicts by kind; counted inside the time, which also keeps the work from being optimised away. */
function evaluateEveryNode(cluster: CompiledCluster): Facts {
  const simulation = new Simulation(cluster);
  const { all, examined, totals } = candidatesOf(cluster);
  const verdicts: Record<string, number> = {};
  for (const candidate of all) {
    const verdict = alone(simulation, candidate, totals);
    const kind = 'move' in verdict ? verdict.move.kind : verdict.refusal.code;
    verdicts[kind] = (verdicts[kind] ?? 0) + 1;
  }
  return { evaluated: all.length, examined: examined.length, ...verdicts };
}
