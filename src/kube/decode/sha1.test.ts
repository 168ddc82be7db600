import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sha1 } from './sha1.ts';

test('the same as Node’s, at every length around a block', () => {
  for (let length = 0; length < 200; length++) {
    const text = 'Pod/default/wörk-'.repeat(20).slice(0, length);
    assert.equal(sha1(text), createHash('sha1').update(text).digest('hex'), `${length} characters`);
  }
});
