import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import type { Budget } from '../cluster/objects.ts';
import { evaluate } from '../pass/evaluation.ts';
import { compile } from '../scheduling/compile.ts';
import { approved } from './approval.ts';

/** Whether a node that is nearly empty and one that is not may be deleted together. */
function mayGo(...budgets: readonly Budget[]): boolean {
  const objects = cluster({
    nodePools: [nodePool('default', { budgets })],
    machines: ['light', 'used', 'other'].map((name) => machine(name)),
    pods: [
      pod('light', { on: 'light', cpu: 100, memory: 0 }),
      pod('used', { on: 'used', cpu: 2000 }),
      pod('other', { on: 'other', cpu: 2000 }),
    ],
  });
  const by = rules({ emptiness: { enabled: true, emptyThreshold: 0.1 } });
  const { problem } = evaluate(compile(objects, by.settings), by);
  const candidates = problem.candidates.filter((c) => c.name !== 'other');
  return (
    approved(problem, { kind: 'delete', candidates, replacements: [], placements: [], savings: 0.4 }) !== undefined
  );
}

describe('a move fits the budgets of a pool', () => {
  test('if each of its nodes does, by reason, and all of them together', () => {
    assert.ok(mayGo({ nodes: '2' }));
    assert.ok(mayGo({ nodes: '1', reasons: ['Empty'] }, { nodes: '2', reasons: ['Underutilized'] }));
    assert.ok(mayGo({ nodes: '2', reasons: ['Empty'] }, { nodes: '1', reasons: ['Underutilized'] }));
  });

  test('and not otherwise: nodes that are going count for either reason', () => {
    assert.ok(!mayGo({ nodes: '1' }));
    assert.ok(!mayGo({ nodes: '1', reasons: ['Empty'] }, { nodes: '1', reasons: ['Underutilized'] }));
    assert.ok(!mayGo({ nodes: '0', reasons: ['Empty'] }));
    assert.ok(!mayGo({ nodes: '0', reasons: ['Underutilized'] }));
  });
});
