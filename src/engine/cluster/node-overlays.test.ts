import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instanceType } from '../../../test/build/instance-type.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { GIB } from '../../../test/build/units.ts';
import type { NodeOverlayObject } from './node-overlay-object.ts';
import { overlaidTypes } from './node-overlays.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, NODE_POOL, ON_DEMAND } from './well-known.ts';

const TYPE = instanceType('m', { cpu: 2000, memory: 8 * GIB, price: 0.096 });
const OTHER = instanceType('c', { cpu: 4000, memory: 8 * GIB, price: 0.17 });
const POOLS = [nodePool('db'), nodePool('web')];

function overlay(name: string, sketch: Partial<NodeOverlayObject>): NodeOverlayObject {
  return { name, weight: 0, requirements: [], ...sketch };
}

/** Prices of on-demand offerings by pool: `*` where all pools agree. */
function pricesOf(...overlays: readonly NodeOverlayObject[]): Record<string, number> {
  const types = overlaidTypes([TYPE, OTHER], POOLS, overlays).filter(({ name }) => name === 'm');
  return Object.fromEntries(
    types.flatMap(({ requirements, offerings }) => {
      const pools = requirements.find((r) => r.key === NODE_POOL)?.values ?? ['*'];
      const onDemand = offerings.find((o) => o.requirements.some((r) => r.values?.includes(ON_DEMAND)));
      return pools.map((pool) => [pool, Math.round((onDemand?.price ?? 0) * 1e6) / 1e6]);
    }),
  );
}

const onDemand = { key: CAPACITY_TYPE, operator: 'In', values: [ON_DEMAND] } as const;
const savingsPlan = overlay('savings-plan', { weight: 10, requirements: [onDemand], price: '-27.5%' });
const ofDb = { key: NODE_POOL, operator: 'In', values: ['db'] } as const;

test('without overlays, or if none applies, the list stays the same', () => {
  const types = [TYPE, OTHER];
  assert.equal(overlaidTypes(types, POOLS, []), types);
  const elsewhere = { key: INSTANCE_TYPE, operator: 'In', values: ['z'] } as const;
  assert.equal(overlaidTypes(types, POOLS, [overlay('a', { requirements: [elsewhere], price: '1' })]), types);
});

test('a price, an amount or a share, never below 0', () => {
  assert.deepEqual(pricesOf(savingsPlan), { '*': 0.0696 });
  assert.deepEqual(pricesOf(overlay('a', { price: '0.5' })), { '*': 0.5 });
  assert.deepEqual(pricesOf(overlay('a', { price: '+0.004' })), { '*': 0.1 });
  assert.deepEqual(pricesOf(overlay('a', { price: '-1' })), { '*': 0 });
});

test('only the heaviest counts, and pools may differ', () => {
  const licence = overlay('licence', { weight: 20, requirements: [ofDb], price: '+0.05' });
  assert.deepEqual(pricesOf(savingsPlan, licence), { db: 0.146, web: 0.0696 });
});

test('of two of equal weight the later in the alphabet counts, and the other is dropped everywhere', () => {
  const licence = overlay('licence', { weight: 10, requirements: [ofDb], price: '+0.05' });
  assert.deepEqual(pricesOf(savingsPlan, licence), { '*': 0.0696 });
  const zLicence = { ...licence, name: 'z-licence' };
  assert.deepEqual(pricesOf(savingsPlan, zLicence), { db: 0.146, web: 0.096 });
});

test('a label that the type lacks is met only by its absence', () => {
  const gpu = (operator: 'Exists' | 'DoesNotExist') =>
    overlay('a', { requirements: [{ key: 'gpu', operator }], price: '1' });
  assert.deepEqual(pricesOf(gpu('Exists')), { '*': 0.096 });
  assert.deepEqual(pricesOf(gpu('DoesNotExist')), { '*': 1 });
});

test('capacity goes on the whole type; what Karpenter reserves for itself is refused', () => {
  const fuse = overlay('fuse', { requirements: [ofDb], capacity: { 'smarter-devices/fuse': 20 } });
  const [db, web] = overlaidTypes([TYPE], POOLS, [fuse]);
  assert.deepEqual([db.capacity['smarter-devices/fuse'], db.allocatable['smarter-devices/fuse']], [20, 20]);
  assert.equal(web.capacity['smarter-devices/fuse'], undefined);
  const types = [TYPE];
  assert.equal(overlaidTypes(types, POOLS, [overlay('a', { capacity: { cpu: 1000 } })]), types);
});
