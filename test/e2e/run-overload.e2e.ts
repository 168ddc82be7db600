// An API server that answers everything with 429 for a minute, in the middle of a command, after it has ended every watch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './cluster.ts';
import { DecantRun } from './decant-run.ts';
import { HttpProxy } from './http-proxy.ts';
import { installDecant } from './live.ts';
import { consolidated, oversizedNode } from './oversized-node.ts';

const MINUTE_MS = 60_000;
const RETRY_AFTER_SECONDS = 5;
/** Each of 30 kinds, the Lease and a write ask once in that time. */
const MOST_PER_SECOND = 10;

test('429 for a minute: it asks seldom, stays alive, and goes on', async (t) => {
  await using cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
  const firstClaim = await oversizedNode(cluster, 'overload');
  await using proxy = await HttpProxy.start(cluster);
  // From the write on that says that the command is validated: taints and a new node would follow at once.
  let saves = 0;
  proxy.faultOf = ({ method, path }) => {
    if (method !== 'GET' && path.includes('/consolidationcommands')) saves++;
    return saves < 2 ? undefined : { status: 429, retryAfter: RETRY_AFTER_SECONDS };
  };
  await using run = await DecantRun.start(cluster, { flags: ['--mode', 'act'], kubeconfig: proxy.kubeconfig });
  await run.until('a command is being validated', () => saves >= 2);

  const before = proxy.asked.length;
  proxy.cutAll();
  await sleep(MINUTE_MS);
  const asked = proxy.asked.length - before;
  assert.equal((await run.get('/healthz')).status, 200, 'it is alive');
  assert.equal((await run.get('/readyz')).status, 503, 'it knows that it knows nothing');
  const [claim, ...others] = await cluster.list('nodeclaims');
  assert.deepEqual([claim.metadata.deletionTimestamp, others.length], [undefined, 0], 'nothing was done meanwhile');
  assert.ok(asked <= (MOST_PER_SECOND * MINUTE_MS) / 1000, `${asked} requests in a minute`);
  t.diagnostic(`${asked} requests in that minute`);

  proxy.faultOf = () => undefined;
  await consolidated(cluster, firstClaim, [run]);
  assert.equal(run.process.exitCode, null);
});
