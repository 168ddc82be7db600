import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster, compiled, rowOf } from '../../test/build/cluster.ts';
import { is } from '../../test/build/constraints.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn, runUntil } from '../../test/build/run-controller.ts';
import { MINUTE_MS } from '../../test/build/units.ts';
import { CAPACITY_TYPE, NODE_POOL, ON_DEMAND } from '../engine/cluster/well-known.ts';
import { type Action, RejectedAction } from './cluster-port.ts';
import { workloadsOn } from './new-command.ts';

const owned = (name: string, kind: string, more: Parameters<typeof pod>[1] = {}) => ({
  ...pod(name, { on: 'a', ...more }),
  owners: [{ apiVersion: 'x/v1', kind, name: `of-${name}`, uid: `uid-${name}`, controller: true }],
});

describe('what a command says of workloads is bounded', () => {
  test('whatever their owners are called', () => {
    const c = compiled(cluster({ machines: [machine('a')], pods: [owned('p', 'K'.repeat(1 << 20))] }));
    const text = JSON.stringify(workloadsOn(c, [rowOf(c, 'a')]));
    assert.ok(text.length < 500, String(text.length));
    assert.match(text, /^\{"KKK.*… \(\d+ characters\)":1\}$/);
  });

  test('however many there are, and no pod is lost', () => {
    const pods = Array.from({ length: 3000 }, (_, i) => owned(`p-${i}`, 'Thing'));
    const c = compiled(cluster({ machines: [machine('a')], pods }));
    const workloads = workloadsOn(c, [rowOf(c, 'a')]);
    assert.equal(Object.keys(workloads).length, 2001);
    assert.equal(
      Object.values(workloads).reduce((sum, n) => sum + n, 0),
      3000,
    );
    assert.equal(workloads.others, 1000);
  });
});

/** Refuses to store some commands, as an API server does with what is too large. */
class Refusing extends FakeCluster {
  refuses: (action: Action) => boolean = () => false;

  override async act(action: Action): Promise<void> {
    if (this.refuses(action)) throw new RejectedAction('too large');
    return super.act(action);
  }
}

const POOL = (name: string) =>
  nodePool(name, { requirements: [is(CAPACITY_TYPE, 'In', ON_DEMAND)], disruption: { consolidateAfter: '0s' } });
const twoPools = () =>
  new Refusing({
    nodePools: [POOL('one'), POOL('two')],
    machines: [machine('a', { pool: 'one', type: LARGE }), machine('b', { pool: 'two', type: LARGE })],
    pods: ['one', 'two'].map((pool, i) =>
      pod(`p-${pool}`, { on: 'ab'[i], cpu: 3000, nodeSelector: { [NODE_POOL]: pool } }),
    ),
  });

describe('a command that cannot be stored', () => {
  test('does not keep the others of its pass from beginning', async () => {
    const port = twoPools();
    let first: string | undefined;
    port.refuses = (action) => {
      if (action.kind !== 'save-command') return false;
      first ??= action.command.id;
      return action.command.id === first;
    };
    const report = await controllerOn(port).reconcile();
    assert.equal(report.failures.length, 1);
    assert.equal(port.view()?.commands.length, 1);
  });

  test('as it was confirmed is abandoned after the timeout', async () => {
    const port = twoPools();
    port.refuses = (action) => action.kind === 'save-command' && action.command.phase === 'launching';
    const controller = controllerOn(port);
    await controller.reconcile();
    assert.ok((port.view()?.commands.length ?? 0) > 0);
    await runUntil(port, port.nowMs + 30 * MINUTE_MS, {}, controller);
    const old = port.view()?.commands.filter((c) => port.nowMs - c.decidedMs > 15 * MINUTE_MS) ?? [];
    assert.ok(old.length > 0);
    assert.deepEqual([...new Set(old.map((c) => `${c.phase} ${c.reason}`))], ['abandoned timeout']);
  });
});
