import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compare } from './compare.ts';
import { UNSEEN_TIE } from './difference.ts';
import type { RecordedAnswer, RecordedCommand, RecordedNode } from './recorded-answer.ts';
import type { StockAnswer, StockCommand } from './stock-answer.ts';

const NO_OP: RecordedCommand = { decision: 'no-op' };

function replace(node: string, zone: string, ...types: string[]): RecordedCommand {
  const instanceTypes = types.map((name, i) => ({ name, price: i }));
  const claim = { nodePool: 'a', capacityTypes: ['spot'], zones: [zone], pods: ['default/p'], instanceTypes };
  return { decision: 'replace', nodes: [node], replacements: [claim], savings: 1 };
}

function remove(...nodes: string[]): RecordedCommand {
  return { decision: 'delete', nodes, savings: 1 };
}

function node(name: string, nodePool: string, ratio: number, alone: RecordedNode['alone']): RecordedNode {
  const shouldDisrupt = { empty: false, multi: true, single: true };
  const costs = { price: ratio * 2, disruptionCost: 1, rescheduleDisruptionCost: 2, savingsRatio: ratio };
  return { name, nodePool, candidate: true, ...costs, shouldDisrupt, alone };
}

function answer(
  nodes: RecordedNode[],
  single: RecordedCommand[] = [NO_OP],
  multi: RecordedCommand[] = [NO_OP],
): RecordedAnswer {
  const seen = (list: RecordedCommand[]) => ({ command: list[0] ?? NO_OP, stable: list.length === 1, distinct: list });
  const budgets = { Underutilized: { a: 1, b: 1 }, Empty: { a: 1, b: 1 } };
  const nodePoolTotals = { a: { cost: 3, disruptionCost: 4 } };
  return {
    budgets,
    nodePoolTotals,
    nodes,
    methods: { empty: seen([NO_OP]), multi: seen(multi), single: seen(single) },
  };
}

function ours(c: RecordedCommand): StockCommand {
  return { nodes: [], replacements: [], savings: 0, ...c } as StockCommand;
}

/** Our answer as it would be if we agreed in everything. */
function agreeing(a: RecordedAnswer): StockAnswer {
  const nodes = (a.nodes ?? []).map((n) => {
    const { alone, ...rest } = n;
    const mine = { ...rest, nodePool: n.nodePool ?? '', shouldDisrupt: n.shouldDisrupt ?? {} };
    return alone === undefined ? mine : { ...mine, alone: ours(alone) };
  });
  const { empty, multi, single } = a.methods;
  const methods = { empty: ours(empty.command), multi: ours(multi.command), single: ours(single.command) };
  return { nodes, budgets: a.budgets, nodePoolTotals: a.nodePoolTotals, methods };
}

const fields = (a: RecordedAnswer, mine: StockAnswer) =>
  compare(a, mine).map((d) => `${d.where} ${d.field}${d.tie ? ' tie' : ''}`);

test('an equal answer has no differences', () => {
  const a = answer(
    [node('n1', 'a', 2, replace('n1', 'z1', 'x', 'y')), node('n2', 'a', 1, NO_OP)],
    [replace('n1', 'z1', 'x', 'y')],
  );
  assert.deepEqual(compare(a, agreeing(a)), []);
});

test('each field of a node is compared', () => {
  const a = answer([node('n1', 'a', 2, remove('n1'))]);
  const mine = agreeing(a);
  const [n] = mine.nodes;
  const changed = { ...n!, price: 5, shouldDisrupt: { empty: true, multi: true, single: true }, alone: ours(NO_OP) };
  assert.deepEqual(fields(a, { ...mine, nodes: [changed] }), [
    'n1 price',
    'n1 shouldDisrupt.empty',
    'n1 alone.decision',
  ]);
  assert.deepEqual(fields(a, { ...mine, nodes: [{ ...n!, candidate: false }] }), ['n1 candidate']);
  assert.deepEqual(fields(a, { ...mine, nodes: [] }), ['n1 present']);
});

test('types are a set; zones count only where Karpenter is sure of them', () => {
  const sure = answer([node('n1', 'a', 2, replace('n1', 'z1', 'x', 'y'))]);
  const swapped = agreeing(answer([node('n1', 'a', 2, replace('n1', 'z2', 'y', 'x'))]));
  assert.deepEqual(fields(sure, swapped), ['n1 alone.zones']);
  const unsure = answer([node('n1', 'a', 2, { ...replace('n1', 'z1', 'x', 'y'), unstable: true, others: [NO_OP] })]);
  assert.deepEqual(fields(unsure, swapped), []);
  assert.deepEqual(fields(unsure, agreeing(answer([node('n1', 'a', 2, NO_OP)]))), []);
  const other = agreeing(answer([node('n1', 'a', 2, replace('n1', 'z1', 'x'))]));
  assert.deepEqual(fields(unsure, other), ['n1 alone.instanceTypes']);
});

test('any answer that a run gave is right', () => {
  const a = answer([], [remove('n1'), remove('n2')], [remove('n1', 'n2'), NO_OP]);
  const mine = agreeing(a);
  const methods = { ...mine.methods, single: ours(remove('n2')), multi: ours(NO_OP) };
  assert.deepEqual(fields(a, { ...mine, methods }), []);
});

test('single-node: another pool may have come first, a worse node of the same pool may not', () => {
  const nodes = [node('n1', 'a', 3, remove('n1')), node('n2', 'a', 2, remove('n2')), node('n3', 'b', 1, remove('n3'))];
  const a = answer(nodes, [remove('n1')]);
  const choose = (c: RecordedCommand) => ({ ...agreeing(a), methods: { ...agreeing(a).methods, single: ours(c) } });
  assert.deepEqual(fields(a, choose(remove('n3'))), [`method single ${UNSEEN_TIE} tie`]);
  assert.deepEqual(fields(a, choose(remove('n2'))), ['method single command.nodes']);
});

test('emptiness: equals may stand for each other, a worse node may not', () => {
  const empty = (name: string, ratio: number): RecordedNode => ({
    ...node(name, 'a', ratio, undefined),
    shouldDisrupt: { empty: true, multi: false, single: false },
  });
  const a = answer([empty('n1', 2), empty('n2', 2), empty('n3', 1)]);
  const recorded = { ...a, methods: { ...a.methods, empty: { command: remove('n1'), stable: true } } };
  const mine = agreeing(recorded);
  const choose = (...names: string[]) => ({ ...mine, methods: { ...mine.methods, empty: ours(remove(...names)) } });
  assert.deepEqual(fields(recorded, choose('n2')), [`method empty ${UNSEEN_TIE} tie`]);
  assert.deepEqual(fields(recorded, choose('n3')), ['method empty command.nodes tie']);
  assert.deepEqual(fields(recorded, choose('n1', 'n2')), ['method empty command.nodes tie']);
});

test('multi-node: a difference where savings ratios tie says so', () => {
  const even = answer([node('n1', 'a', 2, NO_OP), node('n2', 'a', 2, NO_OP)], [NO_OP], [remove('n1', 'n2')]);
  const mine = { ...agreeing(even), methods: { ...agreeing(even).methods, multi: ours(NO_OP) } };
  assert.deepEqual(fields(even, mine), ['method multi command.decision tie']);
  const uneven = answer([node('n1', 'a', 2, NO_OP), node('n2', 'a', 1, NO_OP)], [NO_OP], [remove('n1', 'n2')]);
  assert.deepEqual(fields(uneven, mine).at(-1), 'method multi command.decision');
});

test('budgets and totals are compared, and pools that only one side knows', () => {
  const a = answer([]);
  const mine = agreeing(a);
  const budgets = { ...mine.budgets, Empty: { a: 2, b: 1 } };
  const nodePoolTotals = { a: { cost: 3.1, disruptionCost: 4 }, c: { cost: 0, disruptionCost: 0 } };
  assert.deepEqual(fields(a, { ...mine, budgets, nodePoolTotals }), [
    'budget Empty a',
    'totals a cost',
    'totals c present',
  ]);
});
