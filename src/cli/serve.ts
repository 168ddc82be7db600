import { once } from 'node:events';
import { Dashboard } from '../web/server/dashboard.ts';
import { EXIT } from './exit.ts';
import { type FileSourceOptions, fileSource } from './file-source.ts';
import { type ListenOptions, serveDashboard } from './listen-options.ts';
import { loadInput, tell } from './load-input.ts';
import { print } from './terminal-text.ts';

export type ServeOptions = FileSourceOptions & ListenOptions;

export async function serveCommand(options: ServeOptions): Promise<number> {
  const input = await loadInput(options);
  const { source } = await fileSource(input, options);
  const { url, close } = await serveDashboard(new Dashboard(source), options);
  tell(input.notices);
  print(`${url}\n`);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await close();
  return EXIT.ok;
}
