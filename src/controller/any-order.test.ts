import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cluster, compiled } from '../../test/build/cluster.ts';
import { podsOf } from '../../test/build/constraints.ts';
import { LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { pod } from '../../test/build/pod.ts';
import { runs } from '../../test/build/runs.ts';
import { HOSTNAME } from '../engine/cluster/well-known.ts';
import { Simulation } from '../engine/scheduling/simulation.ts';
import { fitInAnyOrder } from './any-order.ts';

/** Whether pods of these sizes on nodes that go fit in any order on nodes with this much free. */
function fit(moving: readonly number[], free: readonly number[], labels = {}, constraints = {}): boolean {
  const capacity = LARGE.allocatable.cpu;
  const simulation = new Simulation(
    compiled(
      cluster({
        machines: [machine('old', { type: LARGE }), ...free.map((_, i) => machine(`n${i}`, { type: LARGE }))],
        pods: [
          ...moving.map((cpu, i) => pod(`m${i}`, { on: 'old', cpu, memory: 1, labels, ...constraints })),
          ...free.map((cpu, i) => pod(`used${i}`, { on: `n${i}`, cpu: capacity - cpu, memory: 1 })),
        ],
      }),
    ),
  );
  const row = simulation.cluster.rowOfNode.get('old') ?? -1;
  simulation.existing.exclude(row, true);
  const [first, ...others] = simulation.cluster.movableOfRow[row];
  return fitInAnyOrder(simulation, [first], others);
}

test('a pod fits in any order if the others cannot fill every node that it may use', () => {
  assert.ok(fit([500, 500], [1000]));
  assert.ok(fit([400, 600], [1000]), 'all of them fit on one node');
  assert.ok(fit([400, 600], [600, 400, 600]));
});

test('and not if they might, although there is an order in which all fit', () => {
  // 1,800 and 1,100 first on the nodes that 1,600 and 800 would need.
  assert.equal(fit([1600, 800, 1800, 1100], [2000, 1900, 1900]), false);
  assert.equal(fit([600, 500], [600, 500]), false, '500 may take the larger node');
  assert.equal(fit([500, 500], [999]), false);
});

test('pods that can use none of the same nodes do not matter', () => {
  const on = (node: string) => ({ nodeSelector: { [HOSTNAME]: node } });
  const moving = [pod('m', { on: 'old', cpu: 2000, ...on('a') }), pod('stuck', { on: 'old', cpu: 9000, ...on('b') })];
  const objects = cluster({ machines: ['old', 'a', 'b'].map((name) => machine(name)), pods: moving });
  const simulation = new Simulation(compiled(objects));
  const [own, other] = moving.map(({ uid }) => simulation.cluster.pods.findIndex((p) => p.uid === uid));
  assert.ok(fitInAnyOrder(simulation, [own], [other]));
  assert.ok(!fitInAnyOrder(simulation, [other], [other]));
});

test('pods with other constraints are left to simulations', () => {
  assert.ok(fit([600, 500], [600, 500], { app: 'web' }, { requiredAntiAffinity: [podsOf('web', HOSTNAME)] }));
});

test('if it says so, no order and no choice of nodes leaves a pod without a place', () => {
  const sizes = (max: number, minLength: number) => fc.array(fc.integer({ min: 1, max }), { minLength, maxLength: 5 });
  fc.assert(
    fc.property(sizes(4, 2), sizes(8, 1), fc.infiniteStream(fc.nat({ max: 999 })), (moving, free, choices) => {
      fc.pre(fit(moving, free));
      const left = [...free];
      const waiting = [...moving];
      while (waiting.length > 0) {
        const [cpu] = waiting.splice(choices.next().value % waiting.length, 1);
        const open = left.flatMap((each, i) => (each >= cpu ? [i] : []));
        assert.ok(open.length > 0);
        left[open[choices.next().value % open.length]] -= cpu;
      }
    }),
    runs(200),
  );
});
