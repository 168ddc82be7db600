import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FakeApi } from '../../test/build/fake-api.ts';
import { logLines } from '../../test/build/log-lines.ts';
import { ApiError, type ApiRequest } from '../live/api-client.ts';
import { LeaderElector, leaseOf } from './leader-elector.ts';

/** A Lease as an API server keeps it: versions, conflicts, 404. */
class LeaseServer {
  lease: { metadata: { resourceVersion: string }; spec: Record<string, unknown> } | undefined;
  down = false;
  private version = 0;

  answer({ method, body }: ApiRequest): unknown {
    if (this.down) throw new ApiError('refused', { status: 0, reason: 'Unreachable' });
    const given = body as { metadata: { resourceVersion?: string }; spec: Record<string, unknown> } | undefined;
    if (method !== 'POST' && this.lease === undefined) throw new ApiError('none', { status: 404, reason: 'NotFound' });
    const conflict =
      (method === 'POST' && this.lease !== undefined) ||
      (method === 'PUT' && given?.metadata.resourceVersion !== this.lease?.metadata.resourceVersion);
    if (conflict) throw new ApiError('taken', { status: 409, reason: 'Conflict' });
    if (given !== undefined) this.lease = { metadata: { resourceVersion: `${++this.version}` }, spec: given.spec };
    return this.lease;
  }
}

/** Long enough that a machine that is busy with other things does not lose it. */
const QUICK = { leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 20 };

function elector(server: LeaseServer, identity: string) {
  const changes: boolean[] = [];
  const waiting: (() => void)[] = [];
  const api = new FakeApi((request) => server.answer(request));
  const own = new LeaderElector({
    client: api,
    namespace: 'kube-system',
    name: 'decant',
    identity,
    log: logLines().log,
    times: QUICK,
    clock: () => performance.now(),
    onChange: (leads) => {
      changes.push(leads);
      for (const go of waiting.splice(0)) go();
    },
  });
  const change = () => new Promise<void>((resolve) => waiting.push(resolve));
  return { own, api, changes, change };
}

test('one of two leads; when it stops, the other does', async () => {
  const server = new LeaseServer();
  const [a, b] = [elector(server, 'a'), elector(server, 'b')];
  const first = a.change();
  a.own.start();
  await first;
  b.own.start();
  await sleep(50);
  assert.deepEqual([a.own.isLeader(), b.own.isLeader()], [true, false]);
  assert.equal(server.lease?.spec.holderIdentity, 'a');
  assert.match(String(server.lease?.spec.renewTime), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  const second = b.change();
  await a.own.stop();
  assert.equal(server.lease?.spec.holderIdentity, '');
  await second;
  assert.deepEqual([a.own.isLeader(), b.own.isLeader()], [false, true]);
  assert.equal(server.lease?.spec.leaseTransitions, 1);
  await b.own.stop();
  assert.deepEqual(
    [a.changes, b.changes],
    [
      [true, false],
      [true, false],
    ],
  );
});

test('a leader that gets no answers leads no more, and leads again when it does', async () => {
  const server = new LeaseServer();
  const a = elector(server, 'a');
  const first = a.change();
  a.own.start();
  await first;
  const lost = a.change();
  server.down = true;
  await lost;
  assert.equal(a.own.isLeader(), false);
  const again = a.change();
  server.down = false;
  await again;
  await a.own.stop();
  assert.deepEqual(a.changes, [true, false, true, false]);
});

test('stopped before it ever led, it gives nothing back', async () => {
  const server = new LeaseServer();
  server.down = true;
  const a = elector(server, 'a');
  a.own.start();
  await a.own.stop();
  assert.ok(a.api.asked.every(({ method }) => method === 'GET'));
});

test('a Lease is read with care', () => {
  const lease = leaseOf(
    { metadata: { resourceVersion: '1' }, spec: { holderIdentity: 'x', leaseDurationSeconds: -3 } },
    15,
  );
  assert.deepEqual(lease, { resourceVersion: '1', holder: 'x', durationMs: 15, acquired: undefined, transitions: 0 });
  for (const answer of [undefined, null, {}, 'garbage', { metadata: { resourceVersion: '' } }])
    assert.throws(() => leaseOf(answer, 15), /not a Lease/);
});
