import { readFileSync, statSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { coldStart } from './cold-start.ts';
import { run } from './fresh-process.ts';
import { inputFile } from './generate/cached-input.ts';
import { parameterKey } from './generate/parameters.ts';
import type { Measured, Task } from './measures/measure.ts';
import type { Result } from './result.ts';
import { summarize } from './statistics.ts';
import type { Oracle, StockTime } from './stock.ts';
import type { MeasureName, Workload } from './workloads.ts';

export interface RunOptions {
  readonly quick: boolean;
  /** Instead of what is usual for the size. */
  readonly runs?: number;
  readonly oracle?: Oracle;
}

const DOCKERFILE = readFileSync(join(import.meta.dirname, '..', 'Dockerfile'), 'utf8');
/** Node's flags in the image. */
const IMAGE_FLAGS = /^ENTRYPOINT .*$/m.exec(DOCKERFILE)?.[0].match(/--[\w-]+=\w+/g) ?? [];
const CHILD = fileURLToPath(import.meta.resolve('./child.ts'));

export async function measureWorkload(workload: Workload, options: RunOptions): Promise<Result> {
  const { name, measure, input, command, pass, goal } = workload;
  const file = workload.file === undefined ? await inputFile(input) : join(import.meta.dirname, '..', workload.file);
  const before = loadavg()[0];
  const task: Task = { file, input, command, pass, ...repetitions(workload, options) };
  const measured = await measureInFreshProcess(measure, task);
  const stock = await stockTime(workload, options, file, Number(measured.facts.examined ?? measured.facts.nodes));
  return {
    name,
    measure,
    quick: options.quick,
    goal,
    input: workload.file ?? parameterKey(input),
    inputMb: statSync(file).size / 1e6,
    facts: measured.facts,
    runs: measured.samples.length,
    wallMs: summarize(measured.samples.map((s) => s.wallMs)),
    cpuMs: summarize(measured.samples.map((s) => s.cpuMs)),
    firstMs: measured.first?.wallMs,
    peakMb: measured.peakMb,
    stock,
    machine: {
      node: process.version,
      cores: availableParallelism(),
      loadAverage: [before, loadavg()[0]],
      at: new Date().toISOString(),
    },
  };
}

/** Enough for a steady median; large clusters are steady with fewer. */
function repetitions({ measure, input }: Workload, { quick, runs }: RunOptions): Pick<Task, 'warmUps' | 'runs'> {
  if (quick) return { warmUps: 1, runs: runs ?? 3 };
  const large = input.nodes >= 3000;
  if (measure === 'load') return { warmUps: 0, runs: runs ?? 5 };
  if (measure === 'cold-start') return { warmUps: 2, runs: runs ?? 11 };
  // Memory is compared between the fifth pass and the fiftieth.
  if (measure === 'controller') return { warmUps: 5, runs: runs ?? 45 };
  return large ? { warmUps: 2, runs: runs ?? 7 } : { warmUps: 8, runs: runs ?? 21 };
}

async function measureInFreshProcess(measure: MeasureName, task: Task): Promise<Measured> {
  if (measure === 'cold-start') return coldStart(task);
  if (measure !== 'load' && task.pass !== 'first') return inChild(measure, task);
  // Each in a process of its own, as one that has just started.
  const each: Measured[] = [];
  for (let i = 0; i < task.runs; i++) each.push(await inChild(measure, task));
  return {
    samples: each.flatMap((m) => m.samples),
    peakMb: Math.max(...each.map((m) => m.peakMb)),
    facts: each[0].facts,
  };
}

async function inChild(measure: MeasureName, task: Task): Promise<Measured> {
  const flags = measure === 'controller' ? IMAGE_FLAGS : [];
  const { stdout } = await run(process.execPath, [...flags, CHILD, measure, JSON.stringify(task)], import.meta.dirname);
  return JSON.parse(stdout);
}

async function stockTime(
  { measure, goal, stockMs }: Workload,
  { quick, oracle }: RunOptions,
  file: string,
  examined: number,
): Promise<StockTime | undefined> {
  if (goal.timesFaster === undefined && measure !== 'controller') return undefined;
  if (oracle !== undefined) return measure === 'multi-node' ? oracle.multiNode(file) : oracle.everyNode(file, examined);
  // The known figures are about clusters of the whole size.
  return quick || stockMs === undefined ? undefined : { ms: stockMs, source: 'known figure, not measured in this run' };
}
