import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const FILES = ['package.json', 'package-lock.json', 'dist', 'workloads', 'LICENSE', 'NOTICE'];

/** Makes the folder anew: what runs, built before, with the dependencies of the lockfile. The same on every platform. */
export function makeProductionFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of FILES) cpSync(join(root, file), join(folder, file), { recursive: true });
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  rmSync(join(folder, 'package-lock.json'));
}
