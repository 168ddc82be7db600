import { once } from 'node:events';
import { Dashboard } from '../../web/server/dashboard.ts';
import { type FileSourceOptions, fileSource } from '../dashboard/file-source.ts';
import { type ListenOptions, serveDashboard } from '../dashboard/serve-dashboard.ts';
import { loadInput, tell } from '../input/load-input.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';
import { planRules } from '../plan/make-plan.ts';

export type ServeOptions = FileSourceOptions & ListenOptions;

export async function serveCommand(options: ServeOptions): Promise<number> {
  const input = await loadInput(options);
  const { source } = fileSource(input, await planRules(input.cluster, options), options);
  const { url, close } = await serveDashboard(new Dashboard(source), options);
  tell(input.notices, input.notes);
  print(`${url}\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await close();
  return EXIT.ok;
}
