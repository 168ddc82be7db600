import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ClusterSketch, cluster } from '../../test/build/cluster.ts';
import { instanceType, offering } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { NODE_POOL, ON_DEMAND } from './cluster/well-known.ts';
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
    'Karpenter counts $0.940/h for its nodes, these prices make it $1.000/h',
  ]);
  assert.deepEqual(warnings({ mine: 1, other: 0.5 }), [
    'Karpenter counts $1.500/h for its nodes, these prices make it $1.000/h',
  ]);
});

test('Karpenter counts prices after its NodeOverlays, and so does the sum', () => {
  const requirements = [{ key: NODE_POOL, operator: 'In' as const, values: ['mine'] }];
  const overlay = { name: 'savings-plan', weight: 0, price: '-40%', requirements };
  assert.deepEqual(warnings({ mine: 0.3, other: 0.5 }, [overlay]), []);
  assert.equal(warnings({ mine: 0.5, other: 0.5 }, [overlay]).length, 1);
});
