import { basename } from 'node:path';
import { readSwitches } from '../config/switches.ts';
import { type Subject, subjectOf } from '../web/analysis/subject.ts';
import type { DashboardSource } from '../web/server/dashboard-source.ts';
import { switchSettings } from '../web/server/settings-view.ts';
import { snapshotSource } from '../web/server/snapshot-source.ts';
import type { Input, InputOptions } from './load-input.ts';
import { planRules } from './make-plan.ts';
import type { PlanningOptions } from './plan-options.ts';

export type FileSourceOptions = InputOptions & PlanningOptions;

/** A cluster that was read once, for a dashboard or a report. */
export async function fileSource(
  { cluster, notices }: Input,
  options: FileSourceOptions,
): Promise<{ readonly subject: Subject; readonly source: DashboardSource }> {
  const { rules, search, maxReplacements } = await planRules(cluster, options);
  const { compat, flags, workBudget: work } = options;
  const reading = readSwitches({ flags, env: process.env, compat });
  const origins = { flags, env: process.env, compat: compat !== undefined, flagIs: 'flag' } as const;
  const subject = subjectOf(cluster, rules, { search, maxReplacements, work });
  const source = snapshotSource(subject, {
    name: nameOf(options),
    notices,
    compat: compat !== undefined,
    switches: 'switches' in reading ? switchSettings(reading.switches, origins) : [],
  });
  return { subject, source };
}

function nameOf({ file, context }: InputOptions): string {
  if (file === undefined) return context ?? 'the cluster of the kubeconfig';
  return file.map((path) => basename(path)).join(', ');
}
