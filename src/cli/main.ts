#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything else is loaded: with the cache, a start parses and compiles nothing twice.
enableCompileCache();
const { run } = await import('./program.ts');
await run(process.argv);
