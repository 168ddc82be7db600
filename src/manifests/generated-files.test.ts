import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { generatedFiles } from './generated-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');

describe('what npm run -s generate would write is there', () => {
  for (const [path, text] of generatedFiles()) {
    test(path, () => assert.equal(readFileSync(join(ROOT, path), 'utf8'), text));
  }
});
