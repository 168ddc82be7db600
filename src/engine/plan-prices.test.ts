import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterSketch, cluster } from '../../test/build/cluster.ts';
import { instanceType, offering } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import type { NodeOverlayObject } from './cluster/node-overlay-object.ts';
import { NODE_POOL, ON_DEMAND, OS, WINDOWS } from './cluster/well-known.ts';
import { planPrices } from './plan-prices.ts';

const type = instanceType('small', { offerings: [offering('zone-a', ON_DEMAND, 0.5)] });
const [mine, other] = [nodePool('mine'), nodePool('other')];

function warnings(dollarsByPool: Readonly<Record<string, number>>, overlays: ClusterSketch['nodeOverlays'] = []) {
  const machines = [machine('a', { type, pool: 'mine' }), machine('b', { type, pool: 'other' })];
  const objects = cluster({ machines, instanceTypes: [type], nodePools: [mine, other] });
  return planPrices({ ...objects, nodeOverlays: overlays }, { name: 'karpenter', dollarsByPool }).warnings;
}

test('a sum that is more than 5 % away from Karpenter’s own is a warning with both figures', () => {
  assert.deepEqual(warnings({ mine: 0.5, other: 0.5 }), []);
  assert.deepEqual(warnings({ mine: 0.5, other: 0.46 }), []);
  assert.deepEqual(warnings({ mine: 0.5, other: 0.44 }), [
    'Karpenter counts $0.940/h for its nodes, these prices give $1.000/h',
  ]);
  assert.deepEqual(warnings({ mine: 1, other: 0.5 }), [
    'Karpenter counts $1.500/h for its nodes, these prices give $1.000/h',
  ]);
});

test('rows of a NodePool that no longer exists are left in Karpenter’s metrics and do not count', () => {
  assert.deepEqual(warnings({ mine: 0.5, other: 0.5, deleted: 9 }), []);
});

test('a NodeOverlay that Karpenter ignores is named', () => {
  const overlays = ['a', 'b'].map((name) => ({
    name,
    weight: 7,
    requirements: [],
    price: name === 'a' ? '+10%' : '+0%',
  }));
  assert.deepEqual(warnings({ mine: 0.5, other: 0.5 }, overlays), [
    'NodeOverlay a is in conflict or invalid: ignored, as in Karpenter',
  ]);
});

test('where the gate is unknown, NodeOverlays count except in compat', () => {
  const machines = [machine('a', { type, pool: 'mine' })];
  const nodeOverlays = [{ name: 'o', weight: 0, requirements: [], price: '0.4' }];
  const objects = { ...cluster({ machines, instanceTypes: [type], nodePools: [mine] }), nodeOverlays };
  assert.equal(planPrices(objects, { name: 'bundled' }, false).source, 'bundled + NodeOverlays');
  assert.equal(planPrices(objects, { name: 'bundled' }, true).source, 'bundled');
});

test('nodes without a price are counted, of NodePools or not', () => {
  const machines = [
    machine('a', { type, pool: 'mine' }),
    machine('fargate', { type, state: 'unmanaged', zone: 'mars-1a', without: [NODE_POOL] }),
    machine('w', { type, pool: 'mine', zone: 'mars-1a', labels: { [OS]: WINDOWS } }),
  ];
  const objects = cluster({ machines, instanceTypes: [type], nodePools: [mine] });
  assert.deepEqual(planPrices(objects, { name: 'karpenter' }).warnings, [
    'no price for 1 of 2 nodes of NodePools, 50.0 % of their vCPUs, such as small, mars-1a, on-demand, windows: counted as free',
    'no price for 1 node of no NodePool, such as fargate: counted as free',
    'no price for 1 node with Windows: only prices of Linux are known',
  ]);
});

test('Karpenter counts prices after its NodeOverlays, and so does the sum', () => {
  const requirements = [{ key: NODE_POOL, operator: 'In' as const, values: ['mine'] }];
  const overlay = { name: 'savings-plan', weight: 0, price: '-40%', requirements };
  assert.deepEqual(warnings({ mine: 0.3, other: 0.5 }, [overlay]), []);
  assert.equal(warnings({ mine: 0.5, other: 0.5 }, [overlay]).length, 1);
});

test('NodeOverlays that change prices are named as their source', () => {
  const machines = [machine('a', { type, pool: 'mine' })];
  const objects = cluster({ machines, instanceTypes: [type], nodePools: [mine] });
  const sources = (overlay: Partial<NodeOverlayObject>) => {
    const nodeOverlays = [{ name: 'o', weight: 0, requirements: [], ...overlay }];
    const { source, nodesBySource } = planPrices({ ...objects, nodeOverlays }, { name: 'bundled' });
    return [source, nodesBySource];
  };
  assert.deepEqual(sources({ price: '0.4' }), ['bundled + NodeOverlays', { overlay: 1 }]);
  assert.deepEqual(sources({ price: '-10%' }), ['bundled + NodeOverlays', { catalog: 1 }]);
  assert.deepEqual(sources({ capacity: { 'example.com/fuse': 1 } }), ['bundled', { catalog: 1 }]);
});
