// The CLI from a clone: the compiled JavaScript while it is as new as the sources (starts faster),
// the TypeScript sources otherwise. Installed, the package's bin is dist/cli/main.js itself.
import { readdirSync, statSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { oldNode } from './old-node.js';

if (oldNode !== undefined) {
  process.stderr.write(`decant: ${oldNode}; npm run -s decant -- … brings its own\n`);
  process.exit(2);
}
const root = join(import.meta.dirname, '..');

nodeModule.enableCompileCache(join(root, 'node_modules', '.cache', 'decant'));
await import(builtSince(newest(join(root, 'src'))) ? '../dist/cli/main.js' : '../src/cli/main.ts');

function builtSince(timeMs) {
  const stamp = statSync(join(root, 'dist', '.built'), { throwIfNoEntry: false });
  return stamp !== undefined && stamp.mtimeMs >= timeMs;
}

/** Folders count too: their time changes when a file in them is removed. */
function newest(folder) {
  let latest = statSync(folder).mtimeMs;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const time = entry.isDirectory() ? newest(path) : entry.name.endsWith('.test.ts') ? 0 : statSync(path).mtimeMs;
    if (time > latest) latest = time;
  }
  return latest;
}
