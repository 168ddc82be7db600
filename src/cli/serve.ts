import { once } from 'node:events';
import { basename } from 'node:path';
import { readSwitches } from '../config/switches.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import { Dashboard } from '../web/server/dashboard.ts';
import { switchSettings } from '../web/server/settings-view.ts';
import { snapshotSource } from '../web/server/snapshot-source.ts';
import { subjectOf } from '../web/server/subject.ts';
import { EXIT } from './exit.ts';
import { type ListenOptions, serveDashboard } from './listen-options.ts';
import { type InputOptions, loadInput, tell } from './load-input.ts';
import { planRules } from './make-plan.ts';
import type { PlanningOptions } from './plan-options.ts';

export interface ServeOptions extends InputOptions, PlanningOptions, ListenOptions {}

export async function serveCommand(options: ServeOptions): Promise<number> {
  const { cluster, notices } = await loadInput(options);
  const source = await sourceOf(cluster, notices, options);
  const { url, close } = await serveDashboard(new Dashboard(source), options);
  tell(notices);
  process.stdout.write(`${url}\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await close();
  return EXIT.ok;
}

async function sourceOf(cluster: ClusterObjects, notices: readonly string[], options: ServeOptions) {
  const { rules, search, maxReplacements } = await planRules(cluster, options);
  const compat = options.compat !== undefined;
  const reading = readSwitches({ flags: options.flags, env: process.env, compat: options.compat });
  const origins = { flags: options.flags, env: process.env, compat, flagIs: 'flag' } as const;
  return snapshotSource(subjectOf(cluster, rules, { search, maxReplacements, work: options.workBudget }), {
    name: nameOf(options),
    notices,
    compat,
    switches: 'switches' in reading ? switchSettings(reading.switches, origins) : [],
  });
}

function nameOf({ file, context }: ServeOptions): string {
  if (file === undefined) return context ?? 'the cluster of the kubeconfig';
  return file.map((path) => basename(path)).join(', ');
}
