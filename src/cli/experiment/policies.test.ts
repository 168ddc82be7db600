import assert from 'node:assert/strict';
import { test } from 'node:test';
import { policiesOf } from './policies.ts';

const BASE = { base: 'rfc' };

async function names(options: Partial<Parameters<typeof policiesOf>[0]>): Promise<readonly string[]> {
  return (await policiesOf({ ...BASE, ...options })).map(({ name }) => name);
}

test('all that are built in, those named, or a grid; none is always among them', async () => {
  assert.deepEqual(await names({}), ['none', 'stock', 'balanced', 'rfc', 'calm']);
  assert.deepEqual(await names({ policies: ['calm', 'stock'] }), ['none', 'calm', 'stock']);
  assert.deepEqual(await names({ policies: ['calm', 'none'] }), ['calm', 'none']);
  assert.deepEqual(await names({ threshold: '1,2' }), ['none', 'threshold=1', 'threshold=2']);
  assert.deepEqual(await names({ policies: ['stock'], grace: '0' }), ['none', 'stock', 'grace=0']);
});

test('documents is an alias of rfc', async () => {
  assert.deepEqual(await names({ policies: ['documents'] }), ['none', 'rfc']);
  await assert.rejects(names({ policies: ['documents', 'rfc'] }), /two policies are named rfc/);
});

test('a grid is laid over its base', async () => {
  const [, policy] = await policiesOf({ base: 'calm', threshold: '3' });
  const [, calm] = await policiesOf({ ...BASE, policies: ['calm'] });
  assert.deepEqual(policy.switches, calm.switches);
  assert.deepEqual(policy.disruption, { ...calm.disruption, consolidationSavingsThresholdCents: '3' });
});

test('a work budget is for searches of ours that have none', async () => {
  const policies = await policiesOf({ ...BASE, workBudget: 100 });
  assert.deepEqual(
    policies.map(({ work }) => work),
    [undefined, undefined, undefined, 100, 100],
  );
});
