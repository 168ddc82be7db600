// Karpenter goes on with what is its own, drift and expiration, while Decant consolidates the same pools.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Cluster } from './cluster.ts';
import { DecantRun } from './decant-run.ts';
import { History } from './history.ts';
import { assertLaws } from './laws.ts';
import { clientOf, installDecant } from './live.ts';
import { fillAndScaleDown, scenarioPods, scenarioPolicy, scenarioPool } from './scenario-pools.ts';
import { disruptionBudget } from './workloads.ts';

const PODS = 3;
/** As Karpenter writes it into NodeClaims. */
const LIFETIME = '75s';
const POOLS = ['drifting', 'expiring'];

let cluster: Cluster;
let run: DecantRun;
let history: History;
before(async () => {
  cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
  await cluster.apply(
    scenarioPool('drifting'),
    scenarioPool('expiring', { template: { expireAfter: LIFETIME } }),
    ...POOLS.map((name) => scenarioPolicy(name)),
    ...POOLS.map((name) => disruptionBudget(name, 1)),
    ...POOLS.map((name) => scenarioPods(name, 7)),
  );
  await fillAndScaleDown(cluster, { drifting: PODS, expiring: PODS });
  const expiring = (await cluster.list('nodeclaims')).filter(({ spec }) => spec.expireAfter === LIFETIME);
  assert.ok(expiring.length > 0, 'nodes expire');
  history = await History.record(await clientOf(cluster));
  run = await DecantRun.start(cluster, { flags: ['--mode', 'act'] });
});
after(async () => {
  await run?.[Symbol.asyncDispose]();
  await history?.[Symbol.asyncDispose]();
  await cluster?.plane.stop();
});

test('nodes that drift while a command is under way, and nodes that expire', async () => {
  await run.until('a command is confirmed', () => run.said(/^command confirmed/), { timeoutMs: 240_000 });
  const label = JSON.stringify({ spec: { template: { metadata: { labels: { generation: 'second' } } } } });
  // Those that come after the patch do not drift.
  const first = new Set((await cluster.list('nodeclaims')).map(({ metadata }) => metadata.name));
  await cluster.plane.kubectl(['patch', 'nodepool', 'drifting', '--type=merge', '-p', label]);
  await cluster.until(
    'every node is a new one, and those of the drifted pool have its label',
    async () => {
      const claims = (await cluster.list('nodeclaims')).filter(
        ({ metadata }) => metadata.deletionTimestamp === undefined,
      );
      const drifted = claims.filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === 'drifting');
      return (
        claims.every(({ metadata }) => !first.has(metadata.name)) &&
        drifted.length > 0 &&
        drifted.every(({ metadata }) => metadata.labels?.generation === 'second')
      );
    },
    { timeoutMs: 240_000, onTimeout: () => run.text.slice(-6000) },
  );
  await cluster.settled(2 * PODS, { timeoutMs: 240_000 });
});

test('every command ends, and leaves nothing behind', async () => {
  await cluster.plane.kubectl([
    'patch',
    'nodepool',
    'expiring',
    '--type=merge',
    '-p',
    JSON.stringify({ spec: { template: { spec: { expireAfter: 'Never' } } } }),
  ]);
  await cluster.until(
    'all is quiet, and no node is left that will expire',
    async () => {
      const commands = await cluster.list('consolidationcommands');
      const claims = await cluster.list('nodeclaims');
      return (
        commands.length > 0 &&
        commands.every(({ status }) => /Done|Abandoned/.test(status.phase)) &&
        claims.every(({ metadata, spec }) => metadata.deletionTimestamp === undefined && spec.expireAfter !== LIFETIME)
      );
    },
    { timeoutMs: 240_000, onTimeout: () => run.text.slice(-6000) },
  );
  await cluster.settled(2 * PODS);
  const nodes = await cluster.list('nodes');
  assert.deepEqual(
    nodes.flatMap(({ spec }) => spec.taints ?? []).filter(({ key }) => key === 'karpenter.sh/disrupted'),
    [],
  );
  // What a command left behind would be a node with nothing on it.
  const used = new Set((await cluster.list('pods', '-n', 'default')).map(({ spec }) => spec.nodeName));
  assert.ok(nodes.every(({ metadata }) => used.has(metadata.name)));
  assert.equal(run.lines.filter(({ level }) => level === 'error').length, 0);
  await history.stop();
  assertLaws(history, { atLeastReady: Object.fromEntries(POOLS.map((name) => [name, PODS - 1])) });
});
