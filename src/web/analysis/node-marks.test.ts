import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodeMarks } from './node-marks.ts';

test('nodes that are drifted, not ready, emptying, leaving or protected are marked, others not', () => {
  const names = ['plain', 'drifted', 'silent', 'emptying', 'leaving', 'kept'];
  const objects = cluster({
    machines: names.map((name) => machine(name, name === 'kept' ? { doNotDisrupt: 'true' } : {})),
  });
  const nodes = objects.nodes.map((node) => ({
    ...node,
    ...(node.name === 'silent' ? { ready: 'Unknown' } : { ready: 'True' }),
    ...(node.name === 'emptying' ? { steered: true } : {}),
    ...(node.name === 'leaving' ? { terminating: true } : {}),
  }));
  const nodeClaims = objects.nodeClaims.map((claim) =>
    claim.nodeName === 'drifted'
      ? { ...claim, conditions: [...claim.conditions, { type: 'Drifted', status: 'True', changedMs: 0 }] }
      : claim,
  );
  assert.deepEqual(Object.fromEntries(nodeMarks({ ...objects, nodes, nodeClaims })), {
    drifted: 'drifted',
    silent: 'not ready',
    emptying: 'emptying',
    leaving: 'leaving',
    kept: 'do-not-disrupt',
  });
});
