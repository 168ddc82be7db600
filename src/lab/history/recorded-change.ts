import * as z from 'zod';
import { listOf, wholeNumberField } from '../../config/leaf-schemas.ts';
import { fieldPath } from '../../config/object-path.ts';
import type { Problem } from '../../config/problem.ts';
import { check } from '../../config/schema-problems.ts';

/**
 * What changed in a cluster since the line before. A history is a snapshot followed by such lines, so that whatever reads
 * snapshots reads the cluster at its start. Workloads are named as `workloadNames` names them; times are seconds since the start.
 */
export interface RecordedChange {
  readonly t: number;
  /** Wanted replicas. */
  readonly replicas?: Readonly<Record<string, number>>;
  /** Pods of Jobs and of workloads that the snapshot has no pods of: a PodTemplate of Kubernetes by workload. */
  readonly templates?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Pods of Jobs: number, workload, start (below 0: before the history). */
  readonly began?: readonly (readonly [number, string, number])[];
  /** Pods of Jobs that ended by themselves: number, seconds that they ran. Those evicted are not here. */
  readonly ended?: readonly (readonly [number, number])[];
  /** Pods of Jobs that were evicted, by number; the Job starts another. */
  readonly cut?: readonly number[];
  /** Nodes of NodePools: name, NodePool, instance type, zone, capacity type, dollars per hour. */
  readonly up?: readonly (readonly [string, string, string, string, string, number])[];
  readonly down?: readonly string[];
  /** Price changes: instance type, capacity type, factor. */
  readonly prices?: readonly (readonly [string, string, number])[];
  readonly evicted?: Readonly<Record<string, number>>;
  /** Pod-hours that evicted Jobs lost. */
  readonly lostHours?: number;
}

const API_VERSION = 'decant.sh/v1alpha1';
const KIND = 'RecordedChange';
const START = `{"apiVersion":"${API_VERSION}","kind":"${KIND}",`;

export function changeLine(change: RecordedChange): string {
  return `${START}${JSON.stringify(change).slice(1)}\n`;
}

const text = z.string('a string');
const amount = z.number('a number').min(0, 'a number of at least 0');
const counts = z.record(text, wholeNumberField(0), 'whole numbers by workload');
const number = wholeNumberField(0);
const schema = z.object({
  t: amount,
  replicas: counts.optional(),
  templates: z.record(text, z.record(text, z.unknown(), 'an object'), 'PodTemplates by workload').optional(),
  began: listOf(z.tuple([number, text, z.number('a number')], '[number, workload, start]'), 'starts').optional(),
  ended: listOf(z.tuple([number, amount], '[number, seconds]'), 'ends').optional(),
  cut: listOf(number, 'numbers').optional(),
  up: listOf(z.tuple([text, text, text, text, text, amount], '[name, …, dollars]'), 'nodes').optional(),
  down: listOf(text, 'names').optional(),
  prices: listOf(z.tuple([text, text, amount], '[type, capacity type, factor]'), 'factors').optional(),
  evicted: counts.optional(),
  lostHours: amount.optional(),
});

export type ChangesReading =
  | { readonly changes: readonly RecordedChange[] }
  | { readonly problems: readonly Problem[] };

/** The changes in a history; the lines before them are the snapshot's. */
export function readChanges(content: string, source: string): ChangesReading {
  const changes: RecordedChange[] = [];
  let at = content.startsWith(START) ? 0 : content.indexOf(`\n${START}`) + 1;
  if (at === 0 && !content.startsWith(START)) return { changes };
  for (let line = 1; at < content.length; line++) {
    const end = content.indexOf('\n', at);
    if (end < 0) break;
    const problems = take(content.slice(at, end), `${source}: change ${line}`, changes);
    if (problems.length > 0) return { problems };
    at = end + 1;
  }
  return { changes };
}

function take(line: string, object: string, changes: RecordedChange[]): readonly Problem[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [{ object, field: '', value: line.slice(0, 40), allowed: 'JSON' }];
  }
  const { apiVersion: _, kind: _kind, ...rest } = value as Record<string, unknown>;
  const checked = check<RecordedChange>(schema, rest);
  if ('problems' in checked) {
    return checked.problems.map(({ path, value: given, allowed }) => {
      const field = path.length === 0 ? '' : fieldPath('', path).slice(1);
      return { object, field, value: given, allowed };
    });
  }
  const change = checked.value;
  if (change.t < (changes.at(-1)?.t ?? 0))
    return [{ object, field: 't', value: change.t, allowed: 'a time not before that of the line before' }];
  changes.push(change);
  return [];
}
