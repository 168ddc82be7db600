import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupHosts, groupLaunches } from './host-groups.ts';

const amounts = (...list: readonly number[]) => Float64Array.from(list);

const CLASSES = [{ amounts: amounts(10, 5, 1), pods: 1000 }];
const HERE = [0];

test('equal hosts become a group', () => {
  const host = { price: 1, count: 1, capacity: amounts(1000, 2000, 20), zone: '', charges: [], classes: HERE };
  assert.deepEqual(groupHosts([host, { ...host, price: 2 }, host], CLASSES), [
    { ...host, count: 2, classes: [0] },
    { ...host, price: 2, classes: [0] },
  ]);
});

test('room that no pod can use is left out', () => {
  const [group] = groupHosts(
    [{ price: 1, count: 1, capacity: amounts(1009, 1e6, 50), zone: '', charges: [], classes: HERE }],
    CLASSES,
  );
  assert.deepEqual(group.capacity, amounts(1000, 5000, 50));
  assert.deepEqual(
    groupHosts([{ price: 1, count: 1, capacity: amounts(9, 9, 9), zone: '', charges: [], classes: HERE }], CLASSES),
    [],
  );
});

test('a launch that another is better than in every way is left out', () => {
  const launch = (price: number, cpu: number, classes = HERE) => {
    return { price, count: Infinity, capacity: amounts(cpu, 100, 9), zone: '', charges: [], classes };
  };
  const prices = (...launches: readonly ReturnType<typeof launch>[]) =>
    groupLaunches(launches, [...CLASSES, ...CLASSES]).map(({ price }) => price);
  assert.deepEqual(prices(launch(3, 30), launch(2, 30), launch(1, 20)), [1, 2]);
  assert.deepEqual(prices(launch(3, 30, [0, 1]), launch(2, 30)), [2, 3]);
});
