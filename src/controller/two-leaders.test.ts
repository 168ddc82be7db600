import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { podDisruptionBudget } from '../../test/build/pod-disruption-budget.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import { NOW_MS } from '../../test/build/units.ts';
import type { Action, ClusterPort } from './cluster-port.ts';
import type { Command } from './command.ts';

function deletionOf(id: string, node: string): Command {
  return {
    id,
    phase: 'launching',
    decidedMs: NOW_MS,
    phaseMs: NOW_MS,
    nodes: [{ node, nodeClaim: `claim-${node}`, nodePool: 'default', centsPerHour: 20, pods: 1 }],
    replacements: [],
    workloads: {},
    predicted: { savingsCentsPerHour: 20, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 1 },
  };
}

/** Two commands whose nodes may go, one at a time: each has a pod of a budget that allows one eviction. */
async function twoReady(): Promise<FakeCluster> {
  const port = new FakeCluster({
    nodePools: [nodePool('default', { budgets: [{ nodes: '100%' }] })],
    machines: ['a', 'b', 'c', 'd'].map((name) => machine(name)),
    pods: ['a', 'b'].map((on) => pod(`on-${on}`, { on, cpu: 500, labels: { app: 'web' } })),
    podDisruptionBudgets: [podDisruptionBudget('guard', 'web', { disruptionsAllowed: 1 })],
  });
  for (const [id, node] of [
    ['1', 'a'],
    ['2', 'b'],
  ]) {
    await port.act({ kind: 'save-command', command: deletionOf(id, node) });
    await port.act({ kind: 'taint', node });
  }
  return port;
}

const deletions = ({ asked }: FakeCluster) =>
  asked.flatMap((action) => (action.kind === 'delete-node-claim' ? [action.nodeClaim] : []));

test('no node goes by a check from before another leader’s command began to drain', async () => {
  const port = await twoReady();
  const other = (id: string) => port.commands.find((c) => c.id === id)!;
  const ours: ClusterPort = {
    view: () => port.view(),
    act: async (action: Action) => {
      const isIntention = action.kind === 'save-command' && action.command.phase === 'draining';
      if (isIntention && other('2').phase === 'launching')
        await port.act({ kind: 'save-command', command: { ...other('2'), phase: 'draining', drainingMs: NOW_MS } });
      await port.act(action);
    },
  };
  const controller = controllerOn(ours);
  const { wakeAtMs } = await controller.reconcile();
  assert.deepEqual(deletions(port), []);
  assert.equal(wakeAtMs, NOW_MS);
  // Both are checked in the same order by both leaders: the first goes.
  await controller.reconcile();
  assert.deepEqual(deletions(port), ['claim-a']);
});

test('a command of another leader that drains uses its budgets before its nodes are deleted', async () => {
  const port = await twoReady();
  const [first] = port.commands;
  // Its node was tainted and then stripped: it is not ready for the check.
  await port.act({ kind: 'save-command', command: { ...first, phase: 'draining', drainingMs: NOW_MS } });
  const ours: ClusterPort = {
    view: () => port.view(),
    act: (action) => (action.kind === 'taint' ? Promise.reject(new Error('lost')) : port.act(action)),
  };
  await port.act({ kind: 'untaint', node: 'a' });
  await controllerOn(ours).reconcile();
  assert.deepEqual(deletions(port), []);
});
