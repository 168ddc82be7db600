import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packing } from '../../../../test/build/packing.ts';
import { firstMoves } from './first-moves.ts';
import { allNodes, nodeInWords } from './node-facts.ts';
import { countedReasons } from './reasons.ts';
import { type Order, orderText, tableOrder, turned, wanted } from './table-order.ts';

const NODES = allNodes(
  packing([
    {
      name: 'full',
      centsPerHour: 40,
      refusal: 'utilization',
      reason: 'utilization 90 % is above the threshold of 75 %',
    },
    {
      name: 'fuller',
      centsPerHour: 30,
      refusal: 'utilization',
      reason: 'utilization 95 % is above the threshold of 75 %',
    },
    {
      name: 'dear',
      centsPerHour: 50,
      refusal: 'pod-disruption-budget',
      reason: 'PodDisruptionBudget a/b',
      pool: 'web',
    },
    { name: 'unknown', centsPerHour: null, refusal: 'unpriced', reason: 'no price' },
    { name: 'waiting', decision: 'keep', reason: 'not planned' },
    { name: 'good', decision: 'blocked', reason: 'no cheaper node fits its pods' },
    { name: 'leaving', decision: 'delete', move: 3 },
  ]),
);

test('why nodes stay: by kind, most money first; what leaves is not among them', () => {
  assert.deepEqual(
    countedReasons(NODES).map(({ title, nodes, centsPerHour }) => [title, nodes, centsPerHour]),
    [
      ['well used', 2, 70],
      ['PodDisruptionBudget', 1, 50],
      ['not planned', 1, 10],
      ['nothing to gain', 1, 10],
      ['no price known', 1, 0],
    ],
  );
});

test('the first moves, in order, each with the nodes that leave in it', () => {
  const nodes = allNodes(
    packing([
      { name: 'c', decision: 'replace', move: 12 },
      { name: 'a', decision: 'delete', move: 2 },
      { name: 'b', decision: 'replace', move: 12 },
      { name: 'new-1', decision: 'new', move: 12 },
      { name: 'd', decision: 'delete', move: 30 },
      { name: 'e', decision: 'protected' },
    ]),
  );
  assert.deepEqual(
    firstMoves(nodes, 2).map(({ number, kind, nodes: members }) => [number, kind, ...members.map(({ name }) => name)]),
    [
      [2, 'delete', 'a'],
      [12, 'replace', 'c', 'b'],
    ],
  );
});

test('a node in words', () => {
  assert.equal(
    nodeInWords(NODES[3]),
    'unknown, t, spot, z, no price known, 50 % used, 0 pods: not a candidate, no price',
  );
  assert.equal(nodeInWords(NODES[6]), 'leaving, t, spot, z, $0.100/h, 50 % used, 0 pods: deleted, by move 3');
});

test('a table is found through and sorted', () => {
  const names = (find: string, order: Order) => wanted(NODES, find, order).map(({ name }) => name);
  const byPrice: Order = { column: 'centsPerHour', descending: true };
  assert.deepEqual(names('UTIL above', byPrice), ['full', 'fuller']);
  assert.deepEqual(names('UTIL 95', byPrice), ['fuller'], 'all words, wherever they stand');
  assert.deepEqual(names('web', byPrice), ['dear']);
  assert.deepEqual(names('', byPrice), ['dear', 'full', 'fuller', 'good', 'leaving', 'waiting', 'unknown']);
  assert.deepEqual(names('', turned(byPrice, 'centsPerHour'))[0], 'unknown');
  assert.deepEqual(turned(byPrice, 'name'), { column: 'name', descending: false });
  assert.deepEqual(names('', { column: 'decision', descending: false })[0], 'leaving');
});

test('the order of the table in an address', () => {
  for (const order of [
    { column: 'pods', descending: true },
    { column: 'name', descending: false },
    { column: 'centsPerHour', descending: false },
  ] as const)
    assert.deepEqual(tableOrder(orderText(order) ?? null), order);
  const byPrice: Order = { column: 'centsPerHour', descending: true };
  assert.equal(orderText(byPrice), undefined);
  for (const text of [null, '', '-', 'no-such-column']) assert.deepEqual(tableOrder(text), byPrice);
});
