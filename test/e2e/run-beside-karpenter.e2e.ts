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
  // A command may begin at any moment, for the last of the nodes that Karpenter has launched.
  await cluster.until(
    'nothing is under way, no node will expire, none is tainted, and each has pods',
    async () => {
      const [commands, claims, nodes, pods] = await Promise.all([
        cluster.list('consolidationcommands'),
        cluster.list('nodeclaims'),
        cluster.list('nodes'),
        cluster.list('pods', '-n', 'default'),
      ]);
      const used = new Set(pods.map(({ spec }) => spec.nodeName));
      const isTainted = (node: (typeof nodes)[number]) =>
        node.spec.taints?.some(({ key }) => key === 'karpenter.sh/disrupted') === true;
      return (
        commands.length > 0 &&
        commands.every(({ status }) => /Done|Abandoned/.test(status.phase)) &&
        claims.every(
          ({ metadata, spec }) => metadata.deletionTimestamp === undefined && spec.expireAfter !== LIFETIME,
        ) &&
        nodes.every((node) => used.has(node.metadata.name) && !isTainted(node)) &&
        pods.length === 2 * PODS
      );
    },
    { timeoutMs: 240_000, onTimeout: () => run.text.slice(-6000) },
  );
  assert.equal(run.lines.filter(({ level }) => level === 'error').length, 0);
  await history.stop();
  assertLaws(history, { atLeastReady: Object.fromEntries(POOLS.map((name) => [name, PODS - 1])) });
});
