import { spawn } from 'node:child_process';
import { basename } from 'node:path';

const KEPT_OF_STDERR = 2000;

export interface Finished {
  readonly stdout: string;
  readonly wallMs: number;
}

/** Runs a command to its end; throws with what it said if it fails. Without `keepOutput` stdout goes nowhere. */
export function run(command: string, args: readonly string[], cwd: string, keepOutput = true): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const child = spawn(command, args, { cwd, stdio: ['ignore', keepOutput ? 'pipe' : 'ignore', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-KEPT_OF_STDERR);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const wallMs = performance.now() - startedMs;
      if (code === 0) resolve({ stdout, wallMs });
      else reject(new Error(`${basename(command)} exited with ${code}: ${essence(stderr)}`));
    });
  });
}

/** The line that names the error, if one does; else all. */
function essence(stderr: string): string {
  return stderr.split('\n').find((line) => /error:/i.test(line)) ?? stderr.trim();
}
