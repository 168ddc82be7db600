import { execFileSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';

/** Asks Karpenter's own code about a cluster, and writes its answer whole or not at all. */
export function askOracle(oracle: string, cluster: string, answer: string, runs: number): void {
  const part = `${answer}.part`;
  try {
    execFileSync(oracle, ['answer', '-runs', String(runs), '-o', part, cluster], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    renameSync(part, answer);
  } catch (error) {
    rmSync(part, { force: true });
    throw new Error(reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const stderr = (error as { stderr?: Buffer }).stderr?.toString() || String(error);
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, 3).join(' | ').slice(0, 400);
}
