import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupHosts, groupLaunches } from './host-groups.ts';
import { withFewerClasses } from './moving-pods.ts';

const amounts = (...list: readonly number[]) => Float64Array.from(list);

test('classes much alike become one that asks for the least of each', () => {
  const moving = {
    classes: [
      { amounts: amounts(1000, 512, 1), pods: 3, reach: 0, limit: -1 },
      { amounts: amounts(1001, 510, 1), pods: 4, reach: 0, limit: -1 },
      { amounts: amounts(1000, 512, 1), pods: 5, reach: 1, limit: -1 },
    ],
    ofRow: new Map([[7, new Set([0, 1, 2])]]),
  };
  const merged = withFewerClasses(moving, 2);
  assert.deepEqual(merged.classes, [
    { amounts: amounts(1000, 510, 1), pods: 7, reach: 0, limit: -1 },
    { amounts: amounts(1000, 512, 1), pods: 5, reach: 1, limit: -1 },
  ]);
  assert.deepEqual([...(merged.ofRow.get(7) ?? [])], [0, 1]);
  assert.equal(withFewerClasses(moving, 3), moving);
});

const CLASSES = [{ amounts: amounts(10, 5, 1), pods: 1000 }];
const HERE = [0];

test('hosts much alike become a group with the most room of each', () => {
  const hosts = [
    { price: 1, count: 1, capacity: amounts(1000, 2000, 20), zone: '', charges: [], classes: HERE },
    { price: 1, count: 1, capacity: amounts(990, 2010, 20), zone: '', charges: [], classes: HERE },
    { price: 2, count: 1, capacity: amounts(1000, 2000, 20), zone: '', charges: [], classes: HERE },
  ];
  assert.deepEqual(groupHosts(hosts, CLASSES, 2), [
    { price: 1, count: 2, capacity: amounts(1000, 2010, 20), zone: '', charges: [], classes: [0] },
    { price: 2, count: 1, capacity: amounts(1000, 2000, 20), zone: '', charges: [], classes: [0] },
  ]);
  assert.equal(groupHosts(hosts, CLASSES, 3).length, 3);
});

test('room that no pod can use is left out', () => {
  const [group] = groupHosts(
    [{ price: 1, count: 1, capacity: amounts(1009, 1e6, 50), zone: '', charges: [], classes: HERE }],
    CLASSES,
    9,
  );
  assert.deepEqual(group.capacity, amounts(1000, 5000, 50));
  assert.deepEqual(
    groupHosts([{ price: 1, count: 1, capacity: amounts(9, 9, 9), zone: '', charges: [], classes: HERE }], CLASSES, 9),
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
