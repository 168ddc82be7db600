import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { subject } from '../../../test/build/subject.ts';
import { AnalysisThread } from './analysis-thread.ts';

const SUBJECT = subject(cluster({ machines: [machine('a')] }));

test('a thread that died is replaced, and waiting requests fail', async () => {
  const failures: unknown[] = [];
  const thread = new AnalysisThread(
    () => {},
    (error) => failures.push(error),
  );
  try {
    await thread.analyse(SUBJECT);
    await (Reflect.get(thread, 'worker') as Worker).terminate();
    assert.equal(failures.length, 1);
    await thread.analyse(SUBJECT);
  } finally {
    await thread.close();
  }
  assert.equal(failures.length, 1);
});

test('requests beyond the limit are refused', async () => {
  const thread = new AnalysisThread(
    () => {},
    () => {},
  );
  const left = new AbortController();
  const asked = Array.from({ length: 300 }, () => thread.ask({ kind: 'plan' }, left.signal));
  left.abort();
  const settled = await Promise.allSettled(asked);
  await thread.close();
  const reasons = settled.map((each) =>
    each.status === 'rejected' ? (each.reason as { status: number }).status : 200,
  );
  assert.equal(reasons.filter((status) => status === 503).length, 300 - 256);
});
