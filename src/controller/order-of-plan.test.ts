import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../test/build/cluster.ts';
import { machine } from '../../test/build/machine.ts';
import { rules } from '../../test/build/policy.ts';
import { NOW_MS } from '../../test/build/units.ts';
import { compile } from '../engine/scheduling/compile.ts';
import type { Command } from './command.ts';
import { bounded, orderOfPlan } from './order-of-plan.ts';

const FIGURES = { savingsCentsPerHour: 1, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 2 };

function command(id: string, node: string, sketch: Partial<Command> = {}): Command {
  return {
    id,
    phase: 'done',
    decidedMs: NOW_MS,
    phaseMs: NOW_MS,
    nodes: [{ node, nodeClaim: `claim-${node}`, nodePool: 'default', centsPerHour: 20, pods: 2 }],
    replacements: [],
    workloads: {},
    predicted: FIGURES,
    ...sketch,
  };
}

const launching = (nodeClaim: string): Command['replacements'] => [
  { nodeClaim, nodePool: 'default', requirements: [], requests: {}, centsPerHour: 5 },
];

describe('what the plan of the last commands does next', () => {
  const compiled = compile(cluster({ machines: ['x', 'c'].map((name) => machine(name)) }), rules().settings);

  test('is of the last command, with nodes that run by now under their names', () => {
    const journal = [
      command('1', 'a', { next: [{ stage: 1, nodes: ['old'], newNodes: 0 }], replacements: launching('claim-x') }),
      command('2', 'b', {
        next: [
          { stage: 1, nodes: ['c'], newNodes: 1, placements: { pod: 'new-1', other: 'new-1 of a' } },
          { stage: 2, nodes: ['new-1 of a', 'new-1 of c'], newNodes: 1 },
        ],
      }),
    ];
    assert.deepEqual(orderOfPlan(journal, compiled), [
      { stage: 1, nodes: ['c'], newNodes: 1, placements: { pod: 'new-1', other: 'x' } },
      { stage: 2, nodes: ['x', 'new-1 of c'], newNodes: 1, placements: {} },
    ]);
  });

  test('is nothing if the last command is of a plan that ends with it', () => {
    const before = command('1', 'a', { next: [{ stage: 1, nodes: ['c'], newNodes: 0 }] });
    assert.deepEqual(orderOfPlan([before, command('2', 'b')], compiled), []);
    assert.deepEqual(orderOfPlan([], compiled), []);
  });
});

test('a command remembers some hundred moves, and fewer destinations than pods there may be', () => {
  const placements = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`pod-${i}`, 'n']));
  const order = Array.from({ length: 300 }, () => ({ stage: 1, nodes: ['n'], newNodes: 0, placements }));
  const kept = bounded(order);
  assert.equal(kept.length, 200);
  assert.equal(kept.filter((move) => move.placements !== undefined).length, 1);
});
