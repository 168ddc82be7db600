// Two replicas. The leader is stopped (SIGSTOP) in the middle of a command, for longer than its Lease, and then goes on
// with what it knew.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cluster } from './cluster.ts';
import { DecantRun } from './decant-run.ts';
import { History } from './history.ts';
import { type Asked, HttpProxy } from './http-proxy.ts';
import { assertLaws } from './laws.ts';
import { clientOf, installDecant } from './live.ts';
import { consolidated, oversizedNode } from './oversized-node.ts';

const POOL = 'paused';
const FLAGS = ['--mode', 'act'];
/** Of the Lease, after it goes on: enough for anything that it had begun. */
const QUESTIONS = 4;

const isLease = ({ path }: Asked) => path.includes('/leases');
const isWrite = (asked: Asked) => asked.method !== 'GET' && !isLease(asked) && !asked.path.includes('/selfsubject');

test('a leader that slept past its Lease writes nothing of what it had begun', async (t) => {
  await using cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
  const firstClaim = await oversizedNode(cluster, POOL);
  await using history = await History.record(await clientOf(cluster));
  await using proxy = await HttpProxy.start(cluster);

  await using sleeper = await DecantRun.start(cluster, { flags: FLAGS, kubeconfig: proxy.kubeconfig });
  await sleeper.until('it leads', () => sleeper.said(/^became leader$/));
  // The second write of the command says that it is validated. Taints and a new node would follow at once.
  let saves = 0;
  proxy.faultOf = ({ method, path }) => {
    if (method !== 'GET' && path.includes('/consolidationcommands') && ++saves === 2) sleeper.process.kill('SIGSTOP');
    return undefined;
  };
  await using other = await DecantRun.start(cluster, { flags: FLAGS });
  await sleeper.until('it sleeps', () => saves === 2);
  await other.until('the other leads', () => other.said(/^became leader$/), { timeoutMs: 120_000 });
  await consolidated(cluster, firstClaim, [sleeper, other]);
  assert.ok(other.said(/^command done/));

  const before = proxy.asked.length;
  const since = () => proxy.asked.slice(before);
  sleeper.process.kill('SIGCONT');
  await sleeper.until('it knows that it leads no more', () => sleeper.said(/^lost leadership$/));
  await sleeper.until('it asks who leads', () => since().filter(isLease).length >= QUESTIONS);
  assert.deepEqual(since().filter(isWrite), []);
  t.diagnostic(`${since().length} requests after it went on, ${since().filter(isLease).length} about the Lease`);
  assert.equal(sleeper.process.exitCode, null);
  await sleeper.until('it is ready to take over', async () => (await sleeper.get('/readyz')).status === 200);
  await history.stop();
  assertLaws(history, { atLeastReady: { [POOL]: 0 }, mostLeaving: 1 });
});
