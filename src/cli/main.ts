#!/usr/bin/env node
// As a namespace: an older Node has no enableCompileCache, and would fail on the import instead of saying why.
import * as nodeModule from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(`decant: needs Node 22.18 or later, and this is ${process.versions.node}\n`);
  process.exit(2);
}
// Before anything else is loaded: with the cache, a start parses and compiles nothing twice.
nodeModule.enableCompileCache();
const { run } = await import('./program.ts');
await run(process.argv);
