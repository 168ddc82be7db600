import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '..', '..');
const MAIN = join(ROOT, 'src', 'cli', 'main.ts');

export interface ServedProcess {
  readonly url: string;
  /** As Ctrl-C does. Returns its exit code. */
  stop(): Promise<number | null>;
}

/** A decant command that serves a dashboard, once it listens. */
export async function startDecant(args: readonly string[], port = 0): Promise<ServedProcess> {
  const child = spawn(process.execPath, [MAIN, ...args, '--port', String(port)], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const over = once(child, 'exit') as Promise<[number | null]>;
  const lines = createInterface(child.stdout);
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /https?:\/\/\S+/.exec(line);
      if (found !== null) resolve(found[0]);
    });
    over.then(([code]) => reject(new Error(`decant ${args.join(' ')} ended with ${code} before it listened`)));
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGINT');
      return (await over)[0];
    },
  };
}
