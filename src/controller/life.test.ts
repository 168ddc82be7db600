import assert from 'node:assert/strict';
import { test } from 'node:test';
import { is } from '../../test/build/constraints.ts';
import { leftovers, watchLaws } from '../../test/build/controller-laws.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { LARGE, MEDIUM } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn, runToRest } from '../../test/build/run-controller.ts';
import { CAPACITY_TYPE, INITIALIZED, INSTANCE_TYPE, ON_DEMAND } from '../engine/cluster/well-known.ts';
import type { Action } from './cluster-port.ts';

/** On demand, and not too large a choice: prices are 10, 20 and 40 cents per hour. */
const POOL = nodePool('default', { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)] });

function story(port: FakeCluster): string[] {
  const startMs = port.nowMs;
  const out: string[] = [];
  port.watch((action) => out.push(`${(port.nowMs - startMs) / 1000} s: ${words(action)}`));
  return out;
}

function words(action: Action): string {
  switch (action.kind) {
    case 'save-command':
      return `${action.command.phase}${action.command.launchedMs === action.command.phaseMs && action.command.phase === 'launching' ? ', launched' : ''}`;
    case 'create-node-claim':
      return 'create';
    case 'delete-node-claim':
      return `delete ${action.nodeClaim}`;
    case 'steer-node':
      return `${action.steered ? 'keep pods off' : 'let pods onto'} ${action.node}`;
    case 'taint':
    case 'untaint':
      return `${action.kind} ${action.node}`;
    default:
      return action.kind;
  }
}

test('a node whose pods fit elsewhere: decided, validated after 15 s, tainted, deleted, gone', async () => {
  const port = new FakeCluster({
    nodePools: [POOL],
    machines: [machine('a'), machine('b')],
    pods: [pod('p', { on: 'a', cpu: 3000 }), pod('q', { on: 'b', cpu: 1000 })],
  });
  const told = story(port);
  const breaches = watchLaws(port);
  const reports = await runToRest(port);
  assert.deepEqual(told, [
    '0 s: waiting',
    '0 s: keep pods off b',
    '15 s: launching',
    '15 s: taint b',
    '15 s: draining',
    '15 s: delete claim-b',
    '45 s: done',
  ]);
  assert.deepEqual([...breaches, ...leftovers(port)], []);
  assert.deepEqual(
    reports.flatMap((r) => r.transitions.map((c) => c.phase)),
    ['waiting', 'launching', 'draining', 'done'],
  );
  const [command] = port.commands;
  assert.equal(command.predicted.savingsCentsPerHour, 20);
  assert.deepEqual(command.realised, command.predicted);
  assert.deepEqual(command.workloads, { 'ReplicaSet default/replicaset': 1 });
  assert.deepEqual(
    port.objects.pods.map((p) => p.nodeName),
    ['a', 'a'],
  );
});

test('a node for a cheaper one: that is up before the old one goes, and its price is what was realised', async () => {
  const port = new FakeCluster(
    {
      nodePools: [POOL],
      machines: [machine('a', { type: LARGE })],
      pods: [pod('p', { on: 'a', cpu: 3000 })],
    },
    { launchMs: () => 40_000 },
  );
  const told = story(port);
  const breaches = watchLaws(port);
  await runToRest(port);
  const claim = port.commands[0].replacements[0];
  assert.deepEqual(told, [
    '0 s: waiting',
    '0 s: keep pods off a',
    '15 s: launching',
    '15 s: taint a',
    '15 s: create',
    '15 s: launching, launched',
    '55 s: draining',
    '55 s: delete claim-a',
    '85 s: done',
  ]);
  assert.deepEqual([...breaches, ...leftovers(port)], []);
  assert.deepEqual(
    port.objects.nodeClaims.map((c) => [c.name, c.labels[INSTANCE_TYPE]]),
    [[claim.nodeClaim, 'medium']],
  );
  const { predicted, realised } = port.commands[0];
  assert.equal(predicted.savingsCentsPerHour, 20);
  assert.deepEqual(realised, predicted);
});

test('what was launched is what was asked for, with room for its pods', async () => {
  const port = new FakeCluster({
    nodePools: [POOL],
    machines: [machine('a', { type: LARGE })],
    pods: [pod('p', { on: 'a', cpu: 3000 }), pod('q', { on: 'a', cpu: 500 })],
  });
  await controllerOn(port).reconcile();
  const [{ requirements, requests, nodePool: pool, centsPerHour }] = port.commands[0].replacements;
  assert.deepEqual(
    requirements.find((r) => r.key === INSTANCE_TYPE),
    is(INSTANCE_TYPE, 'In', MEDIUM.name),
  );
  assert.deepEqual(
    requirements.find((r) => r.key === CAPACITY_TYPE),
    is(CAPACITY_TYPE, 'In', ON_DEMAND),
  );
  assert.deepEqual([requests.cpu, requests.pods, pool, centsPerHour], [3500, 2, 'default', 20]);
});

/** A large node whose pod needs a medium one, which has just come up. */
async function replacementUp() {
  const port = new FakeCluster({
    nodePools: [POOL],
    machines: [machine('a', { type: LARGE })],
    pods: [pod('p', { on: 'a', cpu: 3000 })],
  });
  const controller = controllerOn(port);
  await controller.reconcile();
  port.advanceTo(port.nowMs + 15_000);
  await controller.reconcile();
  port.advanceTo(port.nowMs + 60_000);
  return { port, controller };
}

test('names of new nodes are no longer than those that an API server makes up, whatever the pool is called', async () => {
  for (const [name, start] of [
    ['p'.repeat(63), `${'p'.repeat(48)}-`],
    [`${'p'.repeat(47)}.${'p'.repeat(15)}`, `${'p'.repeat(47)}-`],
  ]) {
    const port = new FakeCluster({
      nodePools: [{ ...POOL, name }],
      machines: [machine('a', { pool: name, type: LARGE })],
      pods: [pod('p', { on: 'a', cpu: 3000 })],
    });
    await controllerOn(port).reconcile();
    const [{ nodeClaim }] = port.commands[0].replacements;
    assert.ok(nodeClaim.startsWith(start) && nodeClaim.length <= 63, nodeClaim);
    assert.match(nodeClaim, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
  }
});

test('a price that rises while the node comes up is what was realised', async () => {
  const dear = { ...MEDIUM, offerings: MEDIUM.offerings.map((o) => ({ ...o, price: 0.25 })) };
  const { port, controller } = await replacementUp();
  port.objects = { ...port.objects, instanceTypes: [dear, LARGE] };
  await controller.reconcile();
  const [{ predicted, realised }] = port.commands;
  assert.equal(predicted.savingsCentsPerHour, 20);
  assert.equal(realised?.savingsCentsPerHour, 15);
});

test('a new node counts when its NodeClaim and its Node both say that it is initialized', async () => {
  const { port, controller } = await replacementUp();
  const [{ nodeClaim }] = port.commands[0].replacements;
  const up = { type: 'Initialized', changedMs: port.nowMs };
  port.changeClaim(nodeClaim, () => ({ conditions: [{ ...up, status: 'False' }] }));
  await controller.reconcile();
  assert.equal(port.commands[0].phase, 'launching');
  port.changeClaim(nodeClaim, () => ({ conditions: [{ ...up, status: 'True' }] }));
  port.changeNode(`node-${nodeClaim}`, ({ labels }) => ({ labels: { ...labels, [INITIALIZED]: 'false' } }));
  await controller.reconcile();
  assert.equal(port.commands[0].phase, 'launching');
  port.changeNode(`node-${nodeClaim}`, ({ labels }) => ({ labels: { ...labels, [INITIALIZED]: 'true' } }));
  await controller.reconcile();
  assert.equal(port.commands[0].phase, 'draining');
});

test('a new node is no candidate while the pods that it is for are on their way', async () => {
  const port = new FakeCluster({
    nodePools: [{ ...POOL, disruption: { consolidateAfter: '0s' } }],
    machines: [machine('a', { type: LARGE })],
    pods: [pod('p', { on: 'a', cpu: 3000 })],
  });
  const controller = controllerOn(port, { search: 'karpenter' });
  await controller.reconcile();
  port.advanceTo(port.nowMs + 15_000);
  await controller.reconcile();
  port.advanceTo(port.nowMs + 60_000);
  const report = await controller.reconcile();
  assert.equal(port.commands[0].phase, 'draining');
  assert.deepEqual(report.pass?.proposals, []);
});

test('nothing is done while not everything is known', async () => {
  const port = new FakeCluster({ nodePools: [POOL], machines: [machine('a')] });
  port.synced = false;
  const report = await controllerOn(port).reconcile();
  assert.deepEqual([report.idle, report.wakeAtMs, port.asked.length], [{ code: 'unsynced' }, undefined, 0]);
});
