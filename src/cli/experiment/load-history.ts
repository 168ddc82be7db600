import { statSync } from 'node:fs';
import { InputError, inputError } from '../../config/input-error.ts';
import type { PodTemplate } from '../../engine/cluster/objects.ts';
import { parseTimestamp } from '../../kube/decode/timestamp.ts';
import { STDIN, textOf } from '../../kube/read/input-paths.ts';
import { loadCluster } from '../../kube/read/load.ts';
import { type RecordedChange, readChanges } from '../../lab/history/recorded-change.ts';
import { lengthMsOf, recordedFigures, replayed } from '../../lab/history/replay.ts';
import { type ImportedInput, importedCluster } from '../../lab/imported-cluster.ts';
import { type InputOptions, loadInput } from '../input/load-input.ts';

/** A history that `decant record` wrote, as a simulation that starts with its cluster and replays its load. Throws InputError. */
export async function loadHistory(file: string, options: InputOptions): Promise<ImportedInput> {
  const changes = await recordedChanges(file);
  const { cluster, notices } = await loadInput({ ...options, file: [file] });
  const imported = importedCluster(cluster, {});
  return {
    scenario: replayed(imported.scenario, changes, await templatesIn(changes)),
    notices: [...notices, ...imported.notices],
    recorded: recordedFigures(changes),
  };
}

const LEAST_MS = 60_000;

/** The changes of a history. Throws InputError. */
export async function recordedChanges(file: string): Promise<readonly RecordedChange[]> {
  const reading = readChanges(await textOf(file), file);
  if ('problems' in reading) throw inputError(reading.problems);
  if (reading.changes.length === 0)
    throw new InputError(`${file}: not a history: allowed: a file written by decant record`);
  const lengthMs = lengthMsOf(reading.changes);
  if (lengthMs < LEAST_MS)
    throw new InputError(`${file}: a history of ${lengthMs / 1000} s: allowed: one of a minute or longer`);
  return reading.changes;
}

export interface EarlierHistory {
  readonly startMs: number;
  readonly changes: readonly RecordedChange[];
}

/** A history that can be continued; undefined: there is none. */
export async function earlierHistory(file: string): Promise<EarlierHistory | undefined> {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const text = await textOf(file);
  const startMs = parseTimestamp(/^\{"now":"([^"]+)"/.exec(text)?.[1] ?? '');
  const reading = readChanges(text, file);
  if ('problems' in reading) throw inputError(reading.problems);
  // A file from another source is not overwritten.
  const { changes } = reading;
  return startMs === undefined || changes.length === 0 || !text.endsWith('\n') ? undefined : { startMs, changes };
}

/** Whether `decant record` wrote the file; ConsolidationCommands are a history too. */
export async function isRecorded(file: string): Promise<boolean> {
  if (file === STDIN || !statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
  const reading = readChanges(await textOf(file), file);
  return 'problems' in reading || reading.changes.length > 0;
}

/** Decoded as every PodTemplate is. */
async function templatesIn(changes: readonly RecordedChange[]): Promise<ReadonlyMap<string, PodTemplate>> {
  const given = changes.flatMap(({ templates = {} }) => Object.entries(templates));
  if (given.length === 0) return new Map();
  const documents = given.map(([, template], i) => JSON.stringify({ ...template, metadata: { name: `t${i}` } }));
  const stdin = (async function* () {
    yield Buffer.from(documents.join('\n'));
  })();
  const { objects } = await loadCluster(['-'], { stdin, nowMs: 0 });
  const byName = new Map(objects.podTemplates.map((template) => [template.name, template]));
  return new Map(
    given.flatMap(([workload], i) => {
      const { labels, requests, constraints } = byName.get(`t${i}`) ?? {};
      if (labels === undefined || requests === undefined || constraints === undefined) return [];
      return [[workload, { labels, requests, constraints }]];
    }),
  );
}
