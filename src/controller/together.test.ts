import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ClusterSketch, cluster } from '../../test/build/cluster.ts';
import { is } from '../../test/build/constraints.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { LARGE } from '../../test/build/instance-type.ts';
import { type MachineSketch, machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pendingPod, pod } from '../../test/build/pod.ts';
import { podDisruptionBudget } from '../../test/build/pod-disruption-budget.ts';
import { rules } from '../../test/build/policy.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import { MINUTE_MS, NOW_MS } from '../../test/build/units.ts';
import { CAPACITY_TYPE, DISRUPTED_TAINT, ON_DEMAND } from '../engine/cluster/well-known.ts';
import { IncrementalCluster } from '../engine/pass/incremental-cluster.ts';
import type { Command } from './command.ts';
import { finalCheck } from './final-check.ts';
import type { PassContext } from './pass-context.ts';
import { revalidate } from './validation.ts';

const FIGURES = { savingsCentsPerHour: 20, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 0 };

/** Deletes these nodes, whatever is on them. */
function deletionOf(id: string, nodes: readonly string[], sketch: Partial<Command> = {}): Command {
  return {
    id,
    phase: 'waiting',
    decidedMs: NOW_MS - 15_000,
    phaseMs: NOW_MS - 15_000,
    nodes: nodes.map((node) => ({ node, nodeClaim: `claim-${node}`, nodePool: 'default', centsPerHour: 20, pods: 9 })),
    replacements: [],
    workloads: {},
    predicted: FIGURES,
    ...sketch,
  };
}

function contextOf(sketch: ClusterSketch): PassContext {
  return {
    objects: cluster(sketch),
    rules: rules(),
    incremental: new IncrementalCluster(),
    mayAct: () => true,
  };
}

const launching = (id: string, nodes: readonly string[]) => deletionOf(id, nodes, { phase: 'launching' });
const TWO_AT_ONCE = [nodePool('default', { budgets: [{ nodes: '2' }] })];

describe('validation', () => {
  const verdicts = (due: readonly Command[], underWay: readonly Command[], sketch: ClusterSketch) =>
    revalidate({ due, waiting: due, underWay }, contextOf(sketch)).map((c) => c.reason ?? c.phase);
  const machines = ['a', 'b', 'c'].map((name) => machine(name));

  test('commands share a budget among themselves', () => {
    const due = ['a', 'b', 'c'].map((name) => deletionOf(name, [name]));
    assert.deepEqual(verdicts(due, [], { machines, nodePools: TWO_AT_ONCE }), ['launching', 'launching', 'budget']);
  });

  test('and with those that were let through before', () => {
    const due = [deletionOf('3', ['c'])];
    const underWay = [launching('1', ['a']), launching('2', ['b'])];
    assert.deepEqual(verdicts(due, underWay, { machines, nodePools: TWO_AT_ONCE }), ['budget']);
    assert.deepEqual(verdicts(due, underWay.slice(1), { machines, nodePools: TWO_AT_ONCE }), ['launching']);
  });

  test('room is given away once', () => {
    const pods = ['a', 'b'].map((name) => pod(`on-${name}`, { on: name, cpu: 2500 }));
    const due = ['a', 'b'].map((name) => deletionOf(name, [name]));
    // A second pod would need a new node, and the command was to launch none.
    assert.deepEqual(verdicts(due, [], { machines, pods }), ['launching', 'too-many-replacements']);
  });

  test('no pod goes to a node that is about to be removed', () => {
    const pods = [pod('p', { on: 'a', cpu: 2500 })];
    const others = machines.slice(0, 2);
    assert.deepEqual(verdicts([deletionOf('1', ['a'])], [], { machines: others, pods }), ['launching']);
    const both = [deletionOf('1', ['a']), deletionOf('2', ['b'])];
    assert.deepEqual(verdicts(both, [], { machines: others, pods }), ['too-many-replacements', 'launching']);
  });

  test('a node that pods on their way count on stays', () => {
    const pods = [pod('p', { on: 'a', cpu: 2500 })];
    const underWay = [launching('1', ['a'])];
    const due = [deletionOf('2', ['b'])];
    assert.deepEqual(verdicts(due, underWay, { machines: machines.slice(0, 2), pods }), ['pods-arriving']);
    // With a third node there is room for both.
    assert.deepEqual(verdicts(due, underWay, { machines, pods }), ['launching']);
    // Unless that is going too.
    assert.deepEqual(verdicts(due, [...underWay, launching('3', ['c'])], { machines, pods }), ['pods-arriving']);
  });
});

/** Something else deletes node a; its pod fits on the empty node b, and on c where there is one. */
const deletedByOthers = (others: readonly string[]): ClusterSketch => ({
  machines: [machine('a', { deleting: true }), ...others.map((name) => machine(name))],
  pods: [pod('p', { on: 'a', cpu: 2500 })],
  nodePools: [nodePool('default', { budgets: [{ nodes: '3' }], limits: { cpu: 1 } })],
});

describe('a node that pods of a node need which something else deletes', () => {
  test('stays at validation', () => {
    const due = [deletionOf('1', ['b'])];
    const reasons = (others: readonly string[]) =>
      revalidate({ due, waiting: due, underWay: [] }, contextOf(deletedByOthers(others))).map(
        (c) => c.reason ?? c.phase,
      );
    assert.deepEqual(reasons(['b']), ['pods-arriving']);
    assert.deepEqual(reasons(['b', 'c']), ['launching']);
  });

  test('and at the final check', () => {
    const command = launching('1', ['b']);
    const kinds = (others: readonly string[]) =>
      finalCheck(
        { ready: [{ command, nodes: command.nodes }], waiting: [], underWay: [] },
        contextOf(deletedByOthers(others)),
      );
    assert.deepEqual(kinds(['b']), [{ kind: 'hold', reason: 'pods-arriving' }]);
    assert.equal(kinds(['b', 'c'])[0].kind, 'go');
  });
});

describe('the final check', () => {
  test('waits while pods that are being evicted count on the node', () => {
    const deleted = machine('a', { deleting: true });
    const tainted = machine('b', { taints: [DISRUPTED_TAINT] });
    const scene = contextOf({ machines: [deleted, tainted], pods: [pod('p', { on: 'a', cpu: 2500 })] });
    const command = launching('2', ['b']);
    const underWay = [deletionOf('1', ['a'], { phase: 'draining', drainingMs: NOW_MS - 1000 })];
    const ready = [{ command, nodes: command.nodes }];
    assert.deepEqual(finalCheck({ ready, waiting: [], underWay }, scene), [{ kind: 'hold', reason: 'pods-arriving' }]);
  });

  test('waits for a budget', () => {
    const machines = ['a', 'b', 'c'].map((name) => machine(name, { deleting: name === 'a' }));
    const command = launching('2', ['b', 'c']);
    const scene = contextOf({ machines, nodePools: TWO_AT_ONCE });
    const ready = [{ command, nodes: command.nodes }];
    assert.deepEqual(finalCheck({ ready, waiting: [], underWay: [] }, scene), [{ kind: 'hold', reason: 'budget' }]);
  });

  test('gives a budget away once', () => {
    const machines = ['a', 'b', 'c'].map((name) => machine(name));
    const ready = ['a', 'b', 'c'].map((name) => {
      const command = launching(name, [name]);
      return { command, nodes: command.nodes };
    });
    const kinds = finalCheck({ ready, waiting: [], underWay: [] }, contextOf({ machines, nodePools: TWO_AT_ONCE }));
    assert.deepEqual(
      kinds.map((v) => v.kind),
      ['go', 'go', 'hold'],
    );
  });

  test('gives a new node to the command that it was launched for, and not to an older one that was held', () => {
    const machines = ['a', 'b', 'new'].map((name) => machine(name));
    const pods = ['a', 'b'].map((name) => pod(`on-${name}`, { on: name, cpu: 2500 }));
    const replacing = (id: string, node: string, nodeClaim: string, phaseMs: number) =>
      deletionOf(id, [node], {
        phase: 'launching',
        phaseMs,
        replacements: [{ nodeClaim, nodePool: 'default', centsPerHour: 1, requirements: [], requests: {} }],
      });
    const old = replacing('1', 'a', 'claim-taken', NOW_MS - 120_000);
    const recent = replacing('2', 'b', 'claim-new', NOW_MS - 60_000);
    const ready = [old, recent].map((command) => ({ command, nodes: command.nodes }));
    const kinds = finalCheck({ ready, waiting: [], underWay: [] }, contextOf({ machines, pods })).map((v) => v.kind);
    assert.deepEqual(kinds, ['hold', 'go']);
  });

  test('puts no pods on the new node of a command that does not pass', () => {
    const machines = ['a', 'b', 'new'].map((name) => machine(name));
    const draining = deletionOf('1', ['a'], { phase: 'draining', drainingMs: NOW_MS - 1000 });
    const replacing = deletionOf('2', ['b'], {
      phase: 'launching',
      replacements: [{ nodeClaim: 'claim-new', nodePool: 'default', centsPerHour: 1, requirements: [], requests: {} }],
    });
    const ready = [draining, replacing].map((command) => ({ command, nodes: command.nodes }));
    const kinds = (doNotDisrupt: string | undefined) => {
      const pods = [pod('on-a', { on: 'a', cpu: 2500 }), pod('on-b', { on: 'b', cpu: 2500, doNotDisrupt })];
      return finalCheck({ ready, waiting: [], underWay: [] }, contextOf({ machines, pods })).map((v) => v.kind);
    };
    assert.deepEqual(kinds('true'), ['refuse', 'refuse']);
    assert.deepEqual(kinds(undefined), ['refuse', 'hold']);
  });
});

describe('the new node of a command that does not pass', () => {
  /** Command 1 drains a, whose pod needs as much as command 2 has launched a node for; b's pod may not be disrupted. */
  const abandoned = async (others: readonly string[], state: MachineSketch['state'] = 'ready') => {
    const port = new FakeCluster({
      machines: [...['a', 'b', ...others].map((name) => machine(name)), machine('new', { state })],
      pods: [pod('on-a', { on: 'a', cpu: 2500 }), pod('on-b', { on: 'b', cpu: 2500, doNotDisrupt: 'true' })],
      nodePools: [nodePool('default', { budgets: [{ nodes: '3' }] })],
    });
    const replacements = [
      { nodeClaim: 'claim-new', nodePool: 'default', centsPerHour: 1, requirements: [], requests: {} },
    ];
    const draining = deletionOf('1', ['a'], { phase: 'draining', drainingMs: NOW_MS - 1000 });
    const phaseMs = state === 'ready' ? NOW_MS : NOW_MS - 11 * MINUTE_MS;
    for (const command of [draining, { ...launching('2', ['b']), phaseMs, launchedMs: phaseMs, replacements }])
      await port.act({ kind: 'save-command', command });
    await port.act({ kind: 'delete-node-claim', command: '1', nodeClaim: 'claim-a' });
    const controller = controllerOn(port);
    await controller.reconcile();
    const { phase, reason } = port.commands[1];
    const goes = port.objects.nodeClaims.some((c) => c.name === 'claim-new' && c.terminating);
    port.advanceTo(NOW_MS + 60_000);
    return { phase, reason, goes, unplaced: port.unplacedPods.length };
  };

  test('stays if pods of another drain have no place without it', async () => {
    const undone = { phase: 'abandoned', reason: 'pod-annotation', unplaced: 0 };
    assert.deepEqual(await abandoned([]), { ...undone, goes: false });
    assert.deepEqual(await abandoned(['c']), { ...undone, goes: true });
  });

  test('goes if it was not up in time, whoever waits for it', async () => {
    assert.deepEqual(await abandoned([], 'starting'), {
      phase: 'abandoned',
      reason: 'timeout',
      goes: true,
      unplaced: 1,
    });
  });
});

describe('two nodes of one command', () => {
  /** A pod on a, a larger one on b, and one node that has room for both and one that has room for the smaller one. */
  const sketchOf = (large: number): ClusterSketch => {
    const free = [large, 1000];
    return {
      nodePools: TWO_AT_ONCE,
      machines: ['a', 'b', 'roomy', 'full'].map((name) => machine(name, { type: LARGE })),
      pods: [
        pod('small', { on: 'a', cpu: 900, memory: 1 }),
        pod('large', { on: 'b', cpu: 2000, memory: 1 }),
        ...['roomy', 'full'].map((on, i) =>
          pod(`used-${on}`, { on, cpu: LARGE.allocatable.cpu - free[i], memory: 1, doNotDisrupt: 'true' }),
        ),
      ],
    };
  };
  const draining = (large: number) => {
    const command = launching('1', ['a', 'b']);
    const question = { ready: [{ command, nodes: command.nodes }], waiting: [], underWay: [] };
    return finalCheck(question, contextOf(sketchOf(large))).map((v) => v.kind === 'go' && v.nodes.map((n) => n.node));
  };

  test('drain together only if their pods fit in any order', () => {
    assert.deepEqual(draining(2900), [['a', 'b']]);
    assert.deepEqual(draining(2800), [['a']], 'the small pod may take the room of the large one');
  });

  test('and otherwise one after the other', async () => {
    const port = new FakeCluster(sketchOf(2800));
    await port.act({ kind: 'save-command', command: launching('1', ['a', 'b']) });
    const controller = controllerOn(port);
    const terminating = () => port.objects.nodeClaims.filter((c) => c.terminating).map((c) => c.nodeName);
    assert.deepEqual([...(await controller.reconcile()).held], [['1', 'pods-arriving']]);
    assert.deepEqual(terminating(), ['a']);
    port.advanceTo(NOW_MS + 10_000);
    assert.deepEqual([...(await controller.reconcile()).held], [['1', 'pods-arriving']]);
    assert.deepEqual(terminating(), ['a']);
    port.advanceTo(NOW_MS + 30_000);
    await controller.reconcile();
    assert.deepEqual(terminating(), ['b']);
    port.advanceTo(NOW_MS + 60_000);
    await controller.reconcile();
    assert.deepEqual([port.commands[0].phase, port.unplacedPods], ['done', []]);
  });
});

test('a node that goes because it is empty and one that is underutilized share a budget', () => {
  const machines = ['a', 'b', 'c'].map((name) => machine(name));
  const command = launching('1', ['a', 'b']);
  const kinds = (nodes: string) =>
    finalCheck(
      { ready: [{ command, nodes: command.nodes }], waiting: [], underWay: [] },
      contextOf({
        machines,
        pods: [pod('p', { on: 'a', cpu: 100 })],
        nodePools: [nodePool('default', { budgets: [{ nodes }] })],
      }),
    ).map((v) => (v.kind === 'go' ? v.kind : v.reason));
  assert.deepEqual(kinds('1'), ['budget']);
  assert.deepEqual(kinds('2'), ['go']);
});

test('the last look gives what a PodDisruptionBudget allows away once', () => {
  const web = { cpu: 100, labels: { app: 'web' } };
  const machines = ['a', 'b', 'c'].map((name) => machine(name));
  const pods = ['a', 'b'].map((name) => pod(`on-${name}`, { on: name, ...web }));
  const ready = ['a', 'b'].map((name) => {
    const command = launching(name, [name]);
    return { command, nodes: command.nodes };
  });
  const verdicts = (disruptionsAllowed: number) => {
    const podDisruptionBudgets = [podDisruptionBudget('guard', 'web', { disruptionsAllowed })];
    return finalCheck({ ready, waiting: [], underWay: [] }, contextOf({ machines, pods, podDisruptionBudgets })).map(
      (v) => (v.kind === 'go' ? v.kind : v.reason),
    );
  };
  assert.deepEqual(verdicts(1), ['go', 'pod-disruption-budget']);
  assert.deepEqual(verdicts(2), ['go', 'go']);
});

describe('a new pass, while commands are under way', () => {
  const pool = (name: string) =>
    nodePool(name, { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)], disruption: { consolidateAfter: '0s' } });

  test('no command begins in a pool before its open commands drain', async () => {
    const port = new FakeCluster({
      nodePools: [pool('default'), pool('other')],
      machines: [machine('a'), machine('b'), machine('c', { pool: 'other' })],
      pods: [pod('p', { on: 'b', doNotDisrupt: 'true' }), pod('q', { on: 'c', doNotDisrupt: 'true' })],
    });
    const controller = controllerOn(port);
    await controller.reconcile();
    port.objects = { ...port.objects, pods: port.objects.pods.filter((p) => p.name !== 'p') };
    port.advanceTo(NOW_MS + 10_000);
    const report = await controller.reconcile();
    assert.deepEqual([report.pass?.proposals.length, port.commands.length], [0, 1]);
  });

  test('a node that is about to go takes nothing in', async () => {
    const port = new FakeCluster({
      // The heavier pool launches, and the other has nothing to do with the command.
      nodePools: [{ ...pool('left'), weight: 10 }, pool('right')],
      machines: [machine('a', { pool: 'left', type: LARGE }), machine('b', { pool: 'right' })],
      pods: [pod('p', { on: 'a', cpu: 3000 }), pod('q', { on: 'b', cpu: 2500, doNotDisrupt: 'true' })],
    });
    const controller = controllerOn(port);
    await controller.reconcile();
    assert.deepEqual(
      port.commands.map((c) => c.nodes.map((n) => n.node)),
      [['a']],
    );
    port.changePod('q', () => ({ doNotDisrupt: undefined }));
    port.advanceTo(NOW_MS + 10_000);
    const report = await controller.reconcile();
    assert.deepEqual(report.pass?.proposals, []);
  });

  test('whether the first was written down is known before a second begins', async () => {
    const port = new FakeCluster(
      {
        nodePools: ['left', 'right'].map((name) => ({ ...pool(name), templateLabels: { side: name } })),
        machines: ['left', 'right'].map((side) => machine(side, { pool: side, type: LARGE, labels: { side } })),
        pods: ['left', 'right'].map((side) => pod(`on-${side}`, { on: side, cpu: 3000, nodeSelector: { side } })),
      },
      { fateOf: (_, index) => (index === 0 ? 'unanswered' : 'done') },
    );
    const controller = controllerOn(port);
    const report = await controller.reconcile();
    assert.deepEqual([report.failures.length, port.asked.length], [1, 1]);
    port.advanceTo(NOW_MS + 10_000);
    await controller.reconcile();
    assert.deepEqual(port.commands.map((c) => c.nodes[0].node).sort(), ['left', 'right']);
  });
});

describe('after a removal, while a pod is pending', () => {
  const removal = deletionOf('0', ['gone'], { phase: 'done', phaseMs: NOW_MS, drainingMs: NOW_MS });

  test('commands that have waited wait on, and those that are ready too', async () => {
    for (const phase of ['waiting', 'launching'] as const) {
      const port = new FakeCluster({ machines: [machine('a')], pods: [pendingPod('huge', { cpu: 100_000 })] });
      await port.act({ kind: 'save-command', command: removal });
      await port.act({ kind: 'save-command', command: deletionOf('1', ['a'], { phase }) });
      const controller = controllerOn(port);
      const report = await controller.reconcile();
      assert.deepEqual([...report.held], [['1', 'stabilization']]);
      port.advanceTo(NOW_MS + 5 * 60_000);
      await controller.reconcile();
      assert.equal(port.commands.find((c) => c.id === '1')?.phase, 'draining', phase);
    }
  });

  test('but not for ever', async () => {
    const port = new FakeCluster({ machines: [machine('a')], pods: [pendingPod('huge', { cpu: 100_000 })] });
    await port.act({ kind: 'save-command', command: removal });
    await port.act({ kind: 'save-command', command: deletionOf('1', ['a'], { phaseMs: NOW_MS - 11 * 60_000 }) });
    await controllerOn(port).reconcile();
    const { phase, reason } = port.commands.find((c) => c.id === '1') ?? {};
    assert.deepEqual([phase, reason], ['abandoned', 'stabilization']);
  });
});
