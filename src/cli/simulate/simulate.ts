import { closeSync, openSync, writeSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { InputError } from '../../config/input-error.ts';
import { reasonOf } from '../../kube/read/input-paths.ts';
import type { ImportedInput } from '../../lab/imported-cluster.ts';
import { policyCluster } from '../../lab/policy-cluster.ts';
import type { SimulatedCluster } from '../../simulator/simulated-cluster.ts';
import { hasImportedCluster, loadImportedCluster, refuseImportOptions } from '../experiment/imported-cluster.ts';
import { descriptionOf, loadWorkload } from '../experiment/load-workload.ts';
import { policyNamed } from '../experiment/policies.ts';
import { libraryNames } from '../experiment/workload-library.ts';
import { UsageError } from '../flags/usage-error.ts';
import { tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { Interrupt, leftInWords, ProgressLine, TimeLeft } from '../output/progress.ts';
import { table } from '../output/table.ts';
import { outputWidth, print, printAs } from '../output/terminal-text.ts';
import type { SimulateOptions } from './flags.ts';
import type { SimulationRecord } from './record.ts';
import { type LedgerOfRun, renderLedger } from './render.ts';

/** Steps for progress and Ctrl-C: a minute of a large cluster may take seconds. */
const STEPS_PER_DAY = 24 * 60;
/** Points of the timeline, per day and at least. */
const POINTS_PER_DAY = 24;
const POINTS = 480;

/** The result as JSON or YAML. */
interface SimulationDocument extends LedgerOfRun {
  readonly apiVersion: 'decant.sh/v1alpha1';
  readonly kind: 'Simulation';
}

export async function simulateCommand(options: SimulateOptions): Promise<number> {
  if (options.list) return printLibrary(options.output);
  const policy = await policyNamed(options.policy, '--policy');
  const { scenario, notices, recorded } = await workloadOf(options);
  const days = options.days ?? recorded?.days ?? 1;
  const events = options.events === undefined ? undefined : openForEvents(options.events);
  const [interrupt, progress, timeLeft, startedMs] = [
    new Interrupt(),
    new ProgressLine(),
    new TimeLeft(),
    performance.now(),
  ];
  try {
    const { attended, controller } = policyCluster(scenario, policy, {
      seed: options.seed,
      ...(events === undefined ? {} : { log: events.write }),
      reported: (report) => record?.reported(report),
    });
    const record = await recordFor(options, attended.cluster, controller !== undefined);
    tell(notices);
    const points = Math.max(Math.ceil(days * POINTS_PER_DAY), POINTS);
    const steps = record === undefined ? Math.ceil(days * STEPS_PER_DAY) : points;
    await attended.run(days, steps, async (share) => {
      record?.passed();
      if (await interrupt.pause()) {
        const elapsedMs = performance.now() - startedMs;
        const leftMs = timeLeft.estimateMs(share, elapsedMs);
        if (elapsedMs > QUIET_MS) progress.show(progressText(share, leftMs));
      }
      return interrupt.signal.aborted;
    });
    progress.clear();
    const summary = attended.cluster.ledger.summary();
    const document: SimulationDocument = {
      apiVersion: 'decant.sh/v1alpha1',
      kind: 'Simulation',
      workload: scenario.name,
      policy: policy.name,
      seed: options.seed,
      days: summary.hours / 24,
      ...summary,
    };
    printAs(options.output, await format(document, options.output, record));
  } finally {
    interrupt.end();
    progress.clear();
    events?.close();
  }
  return EXIT.ok;
}

async function printLibrary(output: SimulateOptions['output']): Promise<number> {
  if (output === 'html') throw new UsageError('-o html is for a simulation; --list runs none');
  const items = await Promise.all(
    libraryNames().map(async (name) => ({ name, description: await descriptionOf(name) })),
  );
  if (output === 'text') {
    const rows = items.map(({ name, description }) => [name, description]);
    print(`${table(['WORKLOAD', 'WHAT HAPPENS'], rows, outputWidth(120), 4).join('\n')}\n`);
  } else print(await documentText({ apiVersion: 'decant.sh/v1alpha1', kind: 'WorkloadList', items }, output));
  return EXIT.ok;
}

function openForEvents(file: string): { readonly write: (line: string) => void; readonly close: () => void } {
  const asked = <T>(question: () => T): T => {
    try {
      return question();
    } catch (error) {
      throw new InputError(`--events ${file}: ${reasonOf(error)}`);
    }
  };
  const opened = asked(() => openSync(file, 'w'));
  return { write: (line) => asked(() => writeSync(opened, `${line}\n`)), close: () => closeSync(opened) };
}

async function workloadOf(options: SimulateOptions): Promise<ImportedInput> {
  const { workload } = options;
  if (hasImportedCluster(options)) {
    if (workload !== undefined)
      throw new UsageError('give one of -w, --history, or a cluster with -f, --kubeconfig or --context');
    return loadImportedCluster(options);
  }
  if (workload === undefined)
    throw new UsageError(
      'no workload: give -w with a workload of the library (decant simulate --list) or a file, or a cluster with -f or --context',
    );
  refuseImportOptions(options);
  return { scenario: await loadWorkload(workload), notices: [] };
}

async function recordFor({ output }: SimulateOptions, cluster: SimulatedCluster, ours: boolean) {
  if (output !== 'html') return undefined;
  const { SimulationRecord } = await import('./record.ts');
  return new SimulationRecord(cluster, ours);
}

async function format(
  document: SimulationDocument,
  output: SimulateOptions['output'],
  record: SimulationRecord | undefined,
): Promise<string> {
  if (record !== undefined) {
    const { simulationReport } = await import('./html.ts');
    return simulationReport(document, record);
  }
  return output === 'json' || output === 'yaml' ? documentText(document, output) : renderLedger(document);
}

/** Shorter runs show no progress. */
const QUIET_MS = 1000;

function progressText(share: number, leftMs: number | undefined): string {
  return `${'█'.repeat(Math.round(share * 30)).padEnd(30, '░')} ${Math.round(share * 100)} %${leftInWords(leftMs)} (Ctrl-C to stop)`;
}
