/** What a fresh process does for the benchmark: one measure of one file; the result is one line of JSON. */
import { controllerPass } from './measures/controller-pass.ts';
import { everyNode } from './measures/every-node.ts';
import { load } from './measures/load.ts';
import type { Measured, Task } from './measures/measure.ts';
import { multiNodeSearch } from './measures/multi-node.ts';
import type { MeasureName } from './workloads.ts';

const MEASURES: Record<Exclude<MeasureName, 'cold-start'>, (task: Task) => Promise<Measured>> = {
  'every-node': everyNode,
  'multi-node': multiNodeSearch,
  load,
  controller: controllerPass,
};

const [name, task] = process.argv.slice(2);
const measured = await MEASURES[name as keyof typeof MEASURES](JSON.parse(task));
process.stdout.write(`${JSON.stringify(measured)}\n`);
