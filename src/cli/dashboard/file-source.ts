import { basename } from 'node:path';
import { planPrices } from '../../engine/plan-prices.ts';
import { currentContext } from '../../live/kubeconfig.ts';
import { type Subject, subjectOf } from '../../web/analysis/subject.ts';
import type { DashboardSource } from '../../web/server/dashboard-source.ts';
import { processSettings } from '../../web/server/settings-view.ts';
import { snapshotSource } from '../../web/server/snapshot-source.ts';
import type { PlanningOptions } from '../flags/planning.ts';
import type { Input, InputOptions } from '../input/load-input.ts';
import type { PlanRules } from '../plan/make-plan.ts';
import { clusterLab } from './lab-bench.ts';

export type FileSourceOptions = InputOptions & PlanningOptions;

/** A cluster that was read once, for a dashboard or a report. */
export function fileSource(
  { cluster, notices: given, notes }: Input,
  { rules, search, maxReplacements }: PlanRules,
  options: FileSourceOptions,
): { readonly subject: Subject; readonly source: DashboardSource } {
  const { compat, flags, workBudget: work } = options;
  const origins = { flags, env: process.env, compat: compat !== undefined, flagIs: 'flag' } as const;
  const prices = cluster.prices === undefined ? undefined : planPrices(cluster, cluster.prices);
  const notices = [...(prices?.warnings ?? []), ...given];
  const subject = subjectOf(cluster, rules, { search, maxReplacements, work });
  const source = snapshotSource(
    subject,
    {
      name: nameOf(options),
      notices,
      notes,
      ...(prices === undefined ? {} : { prices: prices.source }),
      compat: compat !== undefined,
      settings: processSettings(rules.settings, origins),
    },
    clusterLab(() => cluster),
  );
  return { subject, source };
}

function nameOf({ file, context, kubeconfig }: InputOptions): string {
  if (file === undefined) return context ?? currentContext(kubeconfig) ?? 'the cluster of this pod';
  return file.map((path) => basename(path)).join(', ');
}
