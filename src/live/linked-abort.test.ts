import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { LinkedAbort } from './linked-abort.ts';

test('it aborts with the other signal, and not the other way round', () => {
  const other = new AbortController();
  const [linked, alone] = [new LinkedAbort(other.signal), new LinkedAbort(other.signal)];
  alone.abort();
  assert.ok(!other.signal.aborted && !linked.signal.aborted);
  other.abort(new Error('over'));
  assert.match(String(linked.signal.reason), /over/);
  assert.ok(new LinkedAbort(other.signal).signal.aborted);
});

test('unlinked, it leaves nothing behind', () => {
  const other = new AbortController();
  const linked = new LinkedAbort(other.signal);
  assert.equal(getEventListeners(other.signal, 'abort').length, 1);
  linked.unlink();
  assert.equal(getEventListeners(other.signal, 'abort').length, 0);
  other.abort();
  assert.ok(!linked.signal.aborted);
});
