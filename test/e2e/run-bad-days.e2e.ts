// `decant run` while things around it go wrong: the API server restarts, answers 409, 429, 500 or not at all; two
// replicas want the same Lease. In the end the work is done, and nothing is left behind.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './cluster.ts';
import { DecantRun, type DecantRunOptions } from './decant-run.ts';
import { History } from './history.ts';
import { type Fault, HttpProxy } from './http-proxy.ts';
import { assertLaws } from './laws.ts';
import { clientOf, installDecant } from './live.ts';
import { consolidated as isConsolidated, oversizedNode } from './oversized-node.ts';
import { scenarioPool } from './scenario-pools.ts';

const ACT = { flags: ['--mode', 'act'] };

let cluster: Cluster;
let firstClaim: string;
let days = 0;
const runs: DecantRun[] = [];

before(async () => {
  cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
});
after(() => cluster?.plane.stop());

beforeEach(async () => {
  firstClaim = await oversizedNode(cluster, `day-${++days}`);
});
afterEach(async () => {
  for (const run of runs.splice(0)) await run[Symbol.asyncDispose]();
  await cluster.plane.kubectl(['delete', `deployment/day-${days}`, '-n', 'default']);
  await cluster.plane.kubectl(['delete', `nodepool/day-${days}`, `consolidationpolicy/day-${days}`]);
  const gone = async () => (await cluster.list('nodeclaims')).length + (await cluster.list('nodes')).length === 0;
  await cluster.until('its nodes are gone', gone, { timeoutMs: 240_000 });
});

async function start(options: DecantRunOptions = ACT): Promise<DecantRun> {
  const run = await DecantRun.start(cluster, options);
  runs.push(run);
  return run;
}

const consolidated = () => isConsolidated(cluster, firstClaim, runs);

test('the API server is restarted in the middle of a command', async () => {
  const run = await start();
  // Not later: Karpenter's KWOK provider tries for a second or two to create the node of a claim, and never again.
  await run.until('a command is begun', () => run.said(/^command begun/));
  await cluster.plane.restart('kube-apiserver', 'SIGKILL');
  await consolidated();
  assert.equal(run.process.exitCode, null, 'it runs on');
  await run.until('it is ready again', async () => (await run.get('/readyz')).status === 200);
  assert.equal((await run.get('/healthz')).status, 200);
});

/** Each way of failing hits every third write of a command, and some reads. */
const FAULTS: readonly (readonly [name: string, fault: Fault])[] = [
  ['409', { status: 409 }],
  ['429 with Retry-After', { status: 429, retryAfter: 1 }],
  ['500', { status: 500 }],
  ['no answer, but done', 'unanswered'],
  ['no connection', 'cut'],
];

test('answers that are none', async (t) => {
  await using proxy = await HttpProxy.start(cluster);
  const run = await start({ ...ACT, kubeconfig: proxy.kubeconfig });
  let injected = 0;
  let writes = 0;
  proxy.faultOf = ({ method, path }) => {
    if (/leases|subjectaccess/.test(path) || method === 'GET') return undefined;
    if (++writes % 3 !== 1) return undefined;
    return FAULTS[injected++ % FAULTS.length][1];
  };
  await consolidated();
  assert.ok(injected >= FAULTS.length, `${injected} faults were injected into ${writes} writes`);
  t.diagnostic(`${injected} of ${writes} writes failed`);
  assert.equal(run.process.exitCode, null);
  const failed = await run.metric('decant_api_requests_total', { code: '500' });
  assert.ok((failed ?? 0) >= 1);
});

test('lists and watches that are cut again and again, or answered with garbage', async () => {
  await using proxy = await HttpProxy.start(cluster);
  const bad: readonly Fault[] = ['cut', { status: 200, body: '{"kind": "NodeLi\n' }, { status: 200, body: '{}' }];
  let reads = 0;
  let injected = 0;
  proxy.faultOf = ({ method }) => (method === 'GET' && ++reads % 10 === 0 ? bad[injected++ % bad.length] : undefined);
  const run = await start({ ...ACT, kubeconfig: proxy.kubeconfig });
  await consolidated();
  assert.ok(injected >= bad.length, `${injected} of ${reads} reads failed`);
  assert.equal(run.process.exitCode, null);
});

test('a type that the provider refuses is abandoned in time: nothing deleted, no taint, no NodeClaim left', async () => {
  const [large, small, phantom] = ['c-8x-amd64-linux', 'c-2x-amd64-linux', 'phantom'];
  // Decant believes in a type of which the provider has never heard, and finds it cheap.
  const sold = JSON.parse(readFileSync(cluster.plane.instanceTypes, 'utf8')) as { readonly name: string }[];
  const catalog = join(cluster.plane.folder, 'with-phantom.json');
  writeFileSync(catalog, JSON.stringify([...sold, { ...sold.find(({ name }) => name === small), name: phantom }]));
  await cluster.apply(scenarioPool(`day-${days}`, { instanceTypes: [large, phantom] }));
  await using history = await History.record(await clientOf(cluster));
  const run = await start({ flags: [...ACT.flags, '--launch-timeout', '20s'], catalog });
  await run.until('a new node is asked for', () => run.said(/^command confirmed/));
  const own = async () =>
    (await cluster.list('consolidationcommands')).find(({ spec }) => spec.nodes[0].nodeClaim === firstClaim);
  await cluster.until('the command is abandoned', async () => (await own())?.status.phase === 'Abandoned', {
    onTimeout: () => run.text.slice(-5000),
  });
  assert.equal((await own())?.status.reason, 'timeout');
  await cluster.until('its NodeClaim is gone', async () => (await cluster.list('nodeclaims')).length === 1);
  const [left] = await cluster.list('nodeclaims');
  assert.deepEqual([left.metadata.name, left.metadata.deletionTimestamp], [firstClaim, undefined]);
  await cluster.settled(1);
  await history.stop();
  assertLaws(history, { atLeastReady: { [`day-${days}`]: 1 }, mostLeaving: 1 });
});

test('of two replicas one acts; when it is killed, the other takes over in time', async () => {
  // The command stays open until the leader is dead.
  using stopped = cluster.stopMachines();
  const [a, b] = [await start(), await start()];
  const leads = (run: DecantRun) => run.metric('decant_leader');
  await a.until('one leads', async () => ((await leads(a)) ?? 0) + ((await leads(b)) ?? 0) === 1);
  const [leader, other] = (await leads(a)) === 1 ? [a, b] : [b, a];
  await leader.until('a command is confirmed', () => leader.said(/^command confirmed/));
  assert.equal(other.said(/^command/), false);
  await leader.stop('SIGKILL');
  stopped[Symbol.dispose]();
  await other.until('the other leads', () => other.said(/^became leader$/), { timeoutMs: 240_000 });
  await consolidated();
  assert.ok(other.said(/^command (done|abandoned)/));
});

test('a leader that is cut off from its Lease writes nothing until it has it again', async () => {
  await using proxy = await HttpProxy.start(cluster);
  let isCut = false;
  proxy.faultOf = ({ method, path }) => {
    isCut ||= method === 'POST' && path.includes('/consolidationcommands');
    return isCut && path.includes('/leases') ? 'cut' : undefined;
  };
  const run = await start({ flags: [...ACT.flags, '--validation-delay', '25s'], kubeconfig: proxy.kubeconfig });
  await run.until('it leads no more', () => run.said(/^lost leadership$/), { timeoutMs: 240_000 });
  const before = proxy.asked.length;
  // Longer than validation of the command would take.
  await sleep(20_000);
  const since = proxy.asked.slice(before).filter(({ method, path }) => method !== 'GET' && !path.includes('/leases'));
  assert.deepEqual(since, []);
  proxy.faultOf = () => undefined;
  await consolidated();
});

test('a signal ends it with the Lease given back; the API server need not even be there', async () => {
  const run = await start({ flags: ['--mode', 'observe'] });
  await run.until('it leads', () => run.said(/^became leader$/));
  assert.deepEqual(await run.stop('SIGTERM'), { code: 0, signal: null });
  assert.ok(run.said(/^shutting down$/));
  const claims = await cluster.list('nodeclaims');
  assert.deepEqual(
    claims.map(({ metadata }) => metadata.name),
    [firstClaim],
    'observe touches nothing',
  );
  const lease = ['get', 'lease', 'decant', '-n', 'kube-system', '-o', 'jsonpath={.spec.holderIdentity}'];
  assert.equal(await cluster.plane.kubectl(lease), '');
});

test('without the right to read pods it says so and ends with 2; without an API server with 3', async () => {
  const nobody = await cluster.plane.kubeconfigFor('nobody', { user: 'nobody' });
  const run = await start({ kubeconfig: nobody });
  assert.deepEqual(await run.exited, { code: 2, signal: null });
  assert.match(run.text, /^decant: the API server does not allow Decant to .*list, watch pods;.*\n$/);
  await using proxy = await HttpProxy.start(cluster);
  const { kubeconfig } = proxy;
  await proxy[Symbol.asyncDispose]();
  const alone = await start({ kubeconfig });
  assert.deepEqual(await alone.exited, { code: 3, signal: null });
  assert.match(alone.text, /^decant: http:\/\/127\.0\.0\.1:\d+: .*\n$/);
});
