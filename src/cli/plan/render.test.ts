import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Plan, PlannedMove, PlannedNode } from '../../engine/plan-document.ts';
import { type Layout, renderPlan } from './render.ts';

const PIPE: Layout = { width: 100, wide: false, paint: (_, text) => text };

function node(over: Partial<PlannedNode> = {}): PlannedNode {
  return {
    name: 'node-1',
    nodePool: 'general',
    instanceType: 'm5.large',
    zone: 'us-east-1a',
    capacityType: 'on-demand',
    centsPerHour: 9.6,
    utilization: 0.5,
    disruptionCost: 3,
    lifetimeRemaining: 1,
    candidate: true,
    alone: { decision: 'none', instanceTypes: [], savingsCentsPerHour: 0, requiredCentsPerHour: 0 },
    refusals: [],
    ...over,
  };
}

function move(over: Partial<PlannedMove> = {}): PlannedMove {
  return {
    kind: 'delete',
    method: 'single',
    wave: 1,
    nodes: ['node-1'],
    replacements: [],
    placements: [{ pod: 'shop/cart-1', to: 'node-2' }],
    savingsCentsPerHour: 9.6,
    requiredCentsPerHour: 0,
    disruptionCost: 3,
    ...over,
  };
}

function plan(nodes: readonly PlannedNode[], moves: readonly PlannedMove[] = []): Plan {
  const centsPerHour = nodes.reduce((sum, n) => sum + (n.centsPerHour ?? 0), 0);
  const savingsCentsPerHour = moves.reduce((sum, m) => sum + m.savingsCentsPerHour, 0);
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Plan',
    now: '2026-08-20T12:00:00Z',
    search: 'karpenter',
    totals: {
      nodes: nodes.length,
      pods: 1234,
      centsPerHour,
      plannedCentsPerHour: centsPerHour - savingsCentsPerHour,
      savingsCentsPerHour,
      evictions: moves.reduce((sum, m) => sum + m.placements.length, 0),
      disruptionCost: 0,
      evaluated: nodes.length,
      loadMs: 1,
      elapsedMs: 2,
    },
    moves,
    nodes,
  };
}

test('the first line is the money', () => {
  const [first] = renderPlan(plan([node(), node({ name: 'node-2', centsPerHour: 192.4 })], [move()]), PIPE).split('\n');
  assert.equal(first, '2 nodes, 1,234 pods: $2.02/h now, $1.92/h planned, saves $0.096/h (4.8 %)');
});

test('a plan without moves says so in the first line', () => {
  const [first] = renderPlan(plan([node()]), PIPE).split('\n');
  assert.equal(first, '1 node, 1,234 pods: $0.096/h now, nothing to do');
});

test('a replacement names the cheapest type, where it may start and its price', () => {
  const replacement = {
    nodePool: 'general',
    instanceTypes: ['t3a.medium', 't3.medium', 'm5.large'],
    capacityTypes: ['spot'],
    zones: ['*'],
    centsPerHour: 1.5,
  };
  const text = renderPlan(plan([node()], [move({ kind: 'replace', replacements: [replacement] })]), PIPE);
  assert.match(
    text,
    /1\. replace 1 node by one t3a\.medium or 2 other types \(spot, pool general, \$0\.015\/h\): node-1/,
  );
});

test('a node that goes is not among those that stay, and the most expensive stays first', () => {
  const nodes = [node(), node({ name: 'small', centsPerHour: 1 }), node({ name: 'dear', centsPerHour: 500 })];
  const stays = renderPlan(plan(nodes, [move()]), PIPE).split('NODES THAT STAY')[1];
  assert.doesNotMatch(stays, /node-1/);
  assert.ok(stays.indexOf('dear') < stays.indexOf('small'));
});

test('every refusal is shown; a node without a price has a question mark', () => {
  const refusals = [
    { code: 'unpriced', message: 'no price for x9.large' },
    { code: 'pod-blocks', message: 'shop/cart-1 must not be disrupted' },
  ];
  const text = renderPlan(plan([node({ centsPerHour: null, refusals })]), PIPE);
  assert.match(text, /\?\s+50%\s+no price for x9\.large; shop\/cart-1 must not be/);
});

test('a sum without the nodes whose price is not known says so', () => {
  const unpriced = node({ name: 'odd', centsPerHour: null });
  const third = (nodes: readonly PlannedNode[]) => renderPlan(plan(nodes), PIPE).split('\n')[2];
  assert.equal(third([node()]), '');
  assert.equal(third([node(), unpriced]), 'No price in the catalog for 1 of 2 nodes: counted as free.');
});

test('no line is wider than asked, whatever the names', () => {
  const long = 'a-very-long-name-'.repeat(9);
  const refusals = [{ code: 'x', message: `the pod ${long} says no because ${long}` }];
  const nodes = [node({ name: long, nodePool: long, instanceType: long, refusals })];
  const moves = [move({ nodes: Array.from({ length: 60 }, (_, i) => `${long.slice(0, 40)}${i}`) })];
  for (const line of renderPlan(plan(nodes, moves), PIPE).split('\n')) {
    // A command to copy is whole.
    if (line.startsWith('decant explain node'))
      assert.equal(line, `decant explain node ${long}: what would change that`);
    else assert.ok(line.length <= 100, `${line.length}: ${line}`);
  }
});

test('a long table is cut and says so; wide shows all of it and where pods go', () => {
  const nodes = Array.from({ length: 80 }, (_, i) => node({ name: `node-${i}` }));
  const layout = { ...PIPE, width: Number.POSITIVE_INFINITY };
  const text = renderPlan(plan(nodes, [move()]), layout);
  assert.match(text, /and 29 cheaper nodes: -o wide shows all/);
  const wide = renderPlan(plan(nodes, [move()]), { ...layout, wide: true });
  assert.match(wide, /^node-79 /m);
  assert.match(wide, /shop\/cart-1 → node-2/);
});

test('nodes go by the part of their name that is their own, if no other has it, and pods by where they go', () => {
  const host = (name: string) => `${name}.eu-west-1.compute.internal`;
  const nodes = ['ip-10-0-0-1', 'ip-10-0-0-2', 'ip-10-0-0-3'].map((name) => node({ name: host(name) }));
  const twins = [node({ name: 'a.zone-1' }), node({ name: 'a.zone-2' }), node({ name: '10.0.0.7' })];
  const placements = [
    { pod: 'shop/cart-1', to: host('ip-10-0-0-2') },
    { pod: 'shop/cart-2', to: host('ip-10-0-0-3') },
    { pod: 'shop/cart-3', to: host('ip-10-0-0-2') },
  ];
  const text = renderPlan(plan([...nodes, ...twins], [move({ nodes: [host('ip-10-0-0-1')], placements })]), PIPE);
  assert.match(text, /^1\. delete 1 node: ip-10-0-0-1$/m);
  assert.match(text, /^ {3}pods move: shop\/cart-1, shop\/cart-3 → ip-10-0-0-2; shop\/cart-2 → ip-10-0-0-3$/m);
  assert.match(text, /^ip-10-0-0-2 /m);
  for (const { name } of twins) assert.ok(text.includes(`\n${name} `), name);
  assert.match(text, /^decant explain node 10\.0\.0\.7: what would change that$/m);
});

test('on a terminal of 80 columns nothing runs over its edge', () => {
  const nodes = [node(), node({ name: 'node-2', centsPerHour: null }), node({ name: 'node-3', centsPerHour: null })];
  const lines = renderPlan(plan(nodes), { ...PIPE, width: 80 }).split('\n');
  assert.ok(lines.some((line) => line.startsWith('No price in the catalog')));
  for (const line of lines) assert.ok(line.length <= 80, line);
});

test('sums of which nothing is known are said to be unknown', () => {
  const unpriced = node({ name: 'node-2', centsPerHour: null });
  const first = (made: Plan) => renderPlan(made, PIPE).split('\n')[0];
  assert.match(first(plan([unpriced])), /: unknown price now, nothing to do$/);
  assert.match(first(plan([])), /: no nodes now, nothing to do$/);
  assert.match(
    first(plan([node(), unpriced], [move()])),
    /: \$0\.096\/h now, unknown price planned, saves \$0\.096\/h/,
  );
  assert.match(first(plan([node()], [move()])), /: \$0\.096\/h now, \$0\.000\/h planned/);
});

test('prices of Karpenter have an age, also if they are newer than the dump', () => {
  const aged = (asOf: string) => {
    const prices = { source: 'karpenter', asOf, nodesBySource: {}, unpricedVcpuPercent: 0, warnings: [] };
    return renderPlan({ ...plan([node()]), prices }, PIPE);
  };
  assert.match(aged('2026-08-20T11:20:00Z'), /^Prices: karpenter, 40 min old\.$/m);
  assert.match(aged('2026-08-21T12:00:00Z'), /^Prices: karpenter, 24 h newer than the cluster's state\.$/m);
});

test('a move of nodes without a price does not claim to save nothing', () => {
  const savings = (over: Partial<PlannedMove>) => renderPlan(plan([node()], [move(over)]), PIPE);
  assert.match(
    savings({ savingsCentsPerHour: 0, unpricedNodes: 1 }),
    /\n {3}saves what is not known \(no price\), 1 pod/,
  );
  assert.match(
    savings({ nodes: ['node-1', 'odd'], unpricedNodes: 1 }),
    /\n {3}saves \$0\.096\/h and the price of 1 node that is not known, /,
  );
});

test('of a node that is not of Karpenter, nothing but that is said', () => {
  const refusals = [
    { code: 'not-managed', message: 'node is not managed by Karpenter' },
    { code: 'no-node-pool-label', message: 'node does not have the label' },
  ] as PlannedNode['refusals'];
  const text = renderPlan(plan([node({ refusals })]), PIPE);
  assert.match(text, /node is not managed by Karpenter$/m);
  assert.doesNotMatch(text, /label/);
});
