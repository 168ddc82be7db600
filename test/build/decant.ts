import { spawn } from 'node:child_process';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line in a process of its own, as in a pipe: no terminal, no colours. */
export function decant(
  args: readonly string[],
  stdin: string | Buffer = '',
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    // Never the cluster of the user who runs the tests.
    const surroundings = {
      ...process.env,
      FORCE_COLOR: undefined,
      KUBECONFIG: '/nowhere',
      XDG_CONFIG_HOME: '/nowhere',
    };
    const child = spawn(process.execPath, [MAIN, ...args], { env: { ...surroundings, ...env } });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => {}).end(stdin);
  });
}
