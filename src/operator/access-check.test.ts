import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApi } from '../../test/build/fake-api.ts';
import { ApiError } from '../live/api-client.ts';
import { type Access, accessInWords, accessMissing, accessNeeded } from './access-check.ts';

const inShort = ({ verb, group, resource, subresource }: Access) =>
  [verb, group, resource, ...(subresource === undefined ? [] : [subresource])].join(' ');

test('observe needs no write but events, status and the Lease', () => {
  const needed = accessNeeded({ mode: 'observe', leaseNamespace: 'ops' });
  assert.deepEqual(needed.filter(({ verb }) => !['list', 'watch', 'get'].includes(verb)).map(inShort), [
    'patch decant.sh consolidationpolicies status',
    'create events.k8s.io events',
    'create coordination.k8s.io leases',
    'update coordination.k8s.io leases',
  ]);
  assert.ok(accessNeeded({ mode: 'observe' }).every(({ resource }) => resource !== 'leases'));
  assert.ok(accessNeeded({ mode: 'act', writes: false }).every(({ verb }) => verb === 'list' || verb === 'watch'));
});

test('act may change nodes, NodeClaims and the journal, and never reads a Secret', () => {
  const needed = accessNeeded({ mode: 'act' }).map(inShort);
  for (const access of ['patch  nodes', 'create karpenter.sh nodeclaims', 'delete karpenter.sh nodeclaims'])
    assert.ok(needed.includes(access), access);
  assert.ok(needed.every((access) => !access.includes('secrets')));
  assert.equal(new Set(needed).size, needed.length);
});

test('what is missing is named, grouped by what it is about', async () => {
  const api = new FakeApi(({ body }) => {
    const { resource, verb } = (body as { spec: { resourceAttributes: Access } }).spec.resourceAttributes;
    return { status: { allowed: !['pods', 'leases'].includes(resource) || verb === 'update' } };
  });
  const needed = accessNeeded({ mode: 'act', leaseNamespace: 'ops' });
  const missing = await accessMissing(api, needed);
  assert.equal(api.asked.length, needed.length);
  assert.equal(accessInWords(missing), 'list, watch pods; get, create leases.coordination.k8s.io in namespace ops');
});

test('no answer is no "no"', async () => {
  const api = new FakeApi(() => {
    throw new ApiError('refused', { status: 0, reason: 'Unreachable' });
  });
  await assert.rejects(accessMissing(api, accessNeeded({ mode: 'observe' })), { reason: 'Unreachable' });
});
