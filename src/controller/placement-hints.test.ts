import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../test/build/cluster.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { instanceType, LARGE } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { pod } from '../../test/build/pod.ts';
import { rules } from '../../test/build/policy.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import { NOW_MS } from '../../test/build/units.ts';
import { IncrementalCluster } from '../engine/pass/incremental-cluster.ts';
import type { Command } from './command.ts';
import { finalCheck } from './final-check.ts';
import { revalidate } from './validation.ts';

const FIGURES = { savingsCentsPerHour: 40, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 3 };

/** Deletes the node that pods of 3, 2 and 2 cpu run on, which are planned to go there. */
function deletion(placements: NonNullable<Command['placements']>): Command {
  return {
    id: '1',
    phase: 'waiting',
    decidedMs: NOW_MS - 15_000,
    phaseMs: NOW_MS - 15_000,
    nodes: [{ node: 'old', nodeClaim: 'claim-old', nodePool: 'default', centsPerHour: 40, pods: 3 }],
    replacements: [],
    workloads: {},
    predicted: FIGURES,
    placements,
  };
}

/** Where the pods fit: nodes with this much free, in the order in which they are tried. */
function contextOf(free: Readonly<Record<string, number>>) {
  const moving = { 'uid-three': 3000, 'uid-two': 2000, 'uid-too': 2000 };
  const objects = cluster({
    nodePools: [nodePool('default', { limits: { cpu: 1 } })],
    machines: ['old', ...Object.keys(free)].map((name) => machine(name, { type: LARGE })),
    pods: [
      ...Object.entries(moving).map(([uid, cpu]) => pod(uid.slice(4), { on: 'old', cpu, memory: 1 })),
      ...Object.entries(free).map(([on, cpu]) =>
        pod(`on-${on}`, { on, cpu: LARGE.allocatable.cpu - cpu, memory: 1, doNotDisrupt: 'true' }),
      ),
    ],
  });
  return { objects, rules: rules(), incremental: new IncrementalCluster(), mayAct: () => true };
}

describe('validation and the final check ask whether the pods fit', () => {
  const answers = (free: Readonly<Record<string, number>>, placements: NonNullable<Command['placements']>) => {
    const command = deletion(placements);
    const [validated] = revalidate({ due: [command], waiting: [command], underWay: [] }, contextOf(free));
    const launching: Command = { ...command, phase: 'launching' };
    const ready = [{ command: launching, nodes: command.nodes }];
    const [last] = finalCheck({ ready, waiting: [], underWay: [] }, contextOf(free));
    return [validated.reason ?? validated.phase, last.kind === 'go' ? 'go' : last.reason];
  };
  const onOne = (three: string, others: string) => ({ 'uid-three': three, 'uid-two': others, 'uid-too': others });

  test('where they are planned to go, and where they fit first', () => {
    assert.deepEqual(answers({ a: 3000, b: 4000 }, onOne('a', 'b')), ['launching', 'go']);
  });

  test('where they fit first: kube-scheduler knows no plan', () => {
    // The largest takes the node that the others would need.
    assert.deepEqual(answers({ a: 4000, b: 3000 }, onOne('b', 'a')), ['pods-unplaceable', 'pods-unplaceable']);
  });

  test('where they are planned to go: other commands count on that', () => {
    assert.deepEqual(answers({ a: 3000, b: 4000 }, onOne('b', 'a')), ['plan-outdated', 'pods-unplaceable']);
  });
});

test('of two moves that save the same, the one with fewer new nodes is made', async () => {
  const free = instanceType('free', { cpu: 4000, price: 0 });
  const port = new FakeCluster({
    nodePools: [nodePool('default')],
    machines: [machine('a', { type: LARGE })],
    pods: [pod('p', { on: 'a', cpu: 3000 })],
    instanceTypes: [LARGE, free],
  });
  const controller = controllerOn(port);
  await controller.reconcile();
  assert.equal(port.commands[0].replacements.length, 1);
  const { node, claim } = machine('b', { type: free, doNotDisrupt: 'true' });
  assert.ok(node !== undefined && claim !== undefined);
  const { nodes, nodeClaims } = port.objects;
  port.objects = { ...port.objects, nodes: [...nodes, node], nodeClaims: [...nodeClaims, claim] };
  port.advanceTo(port.nowMs + 15_000);
  await controller.reconcile();
  assert.deepEqual([port.commands[0].phase, port.commands[0].replacements], ['draining', []]);
});
