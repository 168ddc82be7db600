import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { MUTANTS } from './mutants.ts';

test('each mutant still has its place in the controller', () => {
  for (const { file, find, what } of MUTANTS)
    assert.equal(readFileSync(file, 'utf8').split(find).length, 2, `${file}: ${what}: must occur once: ${find}`);
});
