import { compileAsStock, loadObjects } from './load-objects.ts';
import { type Measured, peakMb, sample, type Task } from './measure.ts';

/** Once per process: who loads a cluster has just started. */
export async function load(task: Task): Promise<Measured> {
  const { sample: only, value } = await sample(async () => compileAsStock(await loadObjects(task.file)));
  return { samples: [only], peakMb: peakMb(), facts: { nodes: value.rows.length, pods: value.pods.length } };
}
