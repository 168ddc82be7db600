import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Before anything else is loaded: hundreds of test files load the same modules.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'decant'));
const { default: fc } = await import('fast-check');

/**
 * Properties are tried on the same cases every time, so that a change is judged by what it changed. Other
 * cases: `SEED=1 npm test`, or `SEED=random npm test` (fast-check prints the seed of a failure).
 */
const FIXED = 20261115;
const { SEED = String(FIXED) } = process.env;
if (SEED !== 'random') fc.configureGlobal({ seed: Number(SEED) });
