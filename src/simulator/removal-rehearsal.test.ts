import assert from 'node:assert/strict';
import { test } from 'node:test';
import { constrained } from '../../test/build/constraints.ts';
import { instanceType } from '../../test/build/instance-type.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { daemon, deployment, scenario } from '../../test/build/scenario.ts';
import { GIB } from '../../test/build/units.ts';
import { INSTANCE_TYPE, ZONE } from '../engine/cluster/well-known.ts';
import { NodeLifecycle } from './node-lifecycle.ts';
import { PodSizes } from './pod-sizes.ts';
import { QueuedPods } from './queued-pods.ts';
import { RemovalRehearsal } from './removal-rehearsal.ts';
import type { App } from './scenario.ts';
import type { SimNode } from './sim-node.ts';
import { World } from './world.ts';

const TYPES = [
  instanceType('lean', { cpu: 2000, memory: 2 * GIB, price: 0.1 }),
  instanceType('two', { cpu: 2000, price: 0.2 }),
  instanceType('four', { cpu: 4000, price: 0.4 }),
  instanceType('eight', { cpu: 8000, price: 0.8 }),
];

/** A cluster in the making. Pods are made oldest first. */
class Stage {
  private readonly world: World;
  private readonly lifecycle: NodeLifecycle;

  constructor(...apps: readonly App[]) {
    const nodePools = [nodePool('default', { consolidateAfterMs: 0 })];
    this.world = new World(scenario({ instanceTypes: TYPES, nodePools, apps }), 1);
    this.lifecycle = new NodeLifecycle(this.world);
  }

  coming(type: string): SimNode {
    const requirements = [{ key: INSTANCE_TYPE, operator: 'In' as const, values: [type] }];
    const order = { name: this.lifecycle.nextName('default'), nodePool: 'default', requirements, requests: {} };
    return this.lifecycle.launch(order) as SimNode;
  }

  ready(type: string): SimNode {
    const node = this.coming(type);
    this.world.nodeReady(node);
    return node;
  }

  leaving(type: string): SimNode {
    const node = this.ready(type);
    this.world.mark(node, true);
    return node;
  }

  run(name: string, node: SimNode): void {
    const state = this.world.apps.find(({ app }) => app.name === name);
    if (state !== undefined) this.world.bind(this.world.createPod(state), node);
  }

  fails(node: SimNode): boolean {
    const known = { sizes: new PodSizes(this.world), queued: new QueuedPods(this.world), pending: [] };
    return new RemovalRehearsal(this.world, known).fails([node], node.price);
  }
}

const web = deployment('web', { cpu: 1500 });

test('a pod that would have to rely on a node that is not ready fails the removal', () => {
  const stage = new Stage(web);
  const node = stage.ready('eight');
  stage.run('web', node);
  assert.equal(stage.fails(node), false);
  stage.coming('two');
  assert.equal(stage.fails(node), true);
});

test('what DaemonSets will ask for is not free, on nodes to come and on nodes to be bought', () => {
  for (const [type, fails] of [['eight', false] as const, ['four', true] as const]) {
    const stage = new Stage(web, daemon('agent', { cpu: 600 }));
    const node = stage.ready(type);
    stage.run('agent', node);
    stage.run('web', node);
    stage.coming('two');
    assert.equal(stage.fails(node), fails, type);
  }
});

test('of pods of one size the oldest chooses first', () => {
  for (const moverIsOlder of [true, false]) {
    const stage = new Stage(web);
    const node = stage.ready('eight');
    const leaving = stage.leaving('two');
    stage.run('web', moverIsOlder ? node : leaving);
    stage.run('web', moverIsOlder ? leaving : node);
    stage.coming('two');
    assert.equal(stage.fails(node), moverIsOlder);
  }
});

test('pods that have to leave anyway need room too, the largest first', () => {
  const stage = new Stage(web, deployment('big', { cpu: 3000 }));
  const node = stage.ready('four');
  stage.run('web', node);
  stage.ready('two');
  stage.run('big', stage.leaving('four'));
  assert.equal(stage.fails(node), true);
  stage.ready('four');
  assert.equal(stage.fails(node), false);
});

test('nodes are tried in the order of their names', () => {
  for (const types of [
    ['two', 'lean'],
    ['lean', 'two'],
  ]) {
    const stage = new Stage(web, deployment('hungry', { cpu: 1400, memory: 8 * GIB }));
    const node = stage.ready('two');
    stage.run('hungry', node);
    stage.run('web', stage.leaving('two'));
    for (const type of types) stage.ready(type);
    // On the first of them it takes the place of the one that needs the memory, or not.
    assert.equal(stage.fails(node), types[0] === 'two');
  }
});

test('where a pod goes that is spread is not known: the removal fails only if it does either way', () => {
  const topologySpread = [{ topologyKey: ZONE, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const }];
  const spread = deployment('spread', { cpu: 1500, constraints: constrained({ topologySpread }) });
  const stage = new Stage(web, spread);
  const node = stage.ready('eight');
  const leaving = stage.leaving('two');
  stage.run('spread', leaving);
  stage.run('web', node);
  stage.coming('two');
  assert.equal(stage.fails(node), false, 'the one that is spread may have taken the place that must not be relied on');
  stage.coming('two');
  assert.equal(stage.fails(node), true, 'there are two of these places');
});
