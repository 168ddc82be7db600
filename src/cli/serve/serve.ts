import { once } from 'node:events';
import { Dashboard } from '../../web/server/dashboard.ts';
import { type FileSourceOptions, fileSource } from '../dashboard/file-source.ts';
import { type ListenOptions, type Served, serveDashboard } from '../dashboard/serve-dashboard.ts';
import { loadInput, tell } from '../input/load-input.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';
import { planRules } from '../plan/make-plan.ts';

export type ServeOptions = FileSourceOptions & ListenOptions;

export async function serveCommand(options: ServeOptions): Promise<number> {
  // A cluster as it would be at another time does not change.
  const isLive = options.file === undefined && options.now === undefined;
  return isLive ? serveLive(options) : serveOnce(options);
}

async function serveOnce(options: ServeOptions): Promise<number> {
  const input = await loadInput(options);
  const { source } = fileSource(input, await planRules(input.cluster, options), options);
  const served = await serveDashboard(new Dashboard(source), options);
  tell(input.notices, input.notes);
  await untilSignal(served);
  return EXIT.ok;
}

async function serveLive(options: ServeOptions): Promise<number> {
  const { followCluster } = await import('./follow.ts');
  const { source, stop } = await followCluster(options);
  try {
    await untilSignal(await serveDashboard(new Dashboard(source), options));
  } finally {
    await stop();
  }
  return EXIT.ok;
}

async function untilSignal({ url, close }: Served): Promise<void> {
  print(`${url}\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await close();
}
