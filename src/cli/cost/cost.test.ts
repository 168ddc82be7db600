import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { decant } from '../../../test/build/decant.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/forty-nodes.json.gz');

test('groups and idle capacity add up to the cost of the nodes, as the plan has it', async () => {
  const [cost, plan] = await Promise.all([
    decant(['cost', '-f', EXAMPLE, '--by', 'workload', '-o', 'json']),
    decant(['plan', '-f', EXAMPLE, '--search', 'karpenter', '-o', 'json']),
  ]);
  const { totals, groups } = JSON.parse(cost.stdout);
  const sum = groups.reduce((all: number, g: { centsPerHour: number }) => all + g.centsPerHour, 0);
  assert.ok(Math.abs(sum + totals.idleCentsPerHour - totals.centsPerHour) < 1e-6);
  assert.ok(Math.abs(totals.centsPerHour - JSON.parse(plan.stdout).totals.centsPerHour) < 1e-6);
  assert.ok(groups.length > 10);
});

test('text has a line for idle capacity, and one for what is left out', async () => {
  const { stdout, code } = await decant(['cost', '-f', EXAMPLE, '--by', 'label:app', '--limit', '3']);
  assert.equal(code, 0);
  assert.match(stdout, /^40 nodes, 508 pods: \$8\.29\/h, \$6,052 a month\n/);
  assert.match(stdout, /^APP +PODS +CPU/m);
  assert.match(stdout, /^\(\d+ more\) /m);
  assert.match(stdout, /^\(idle\) /m);
});

test('a group that there is not is refused with what is allowed', async () => {
  const { code, stderr } = await decant(['cost', '-f', EXAMPLE, '--by', 'team']);
  assert.equal(code, 2);
  assert.match(stderr, /command line: --by: "team": allowed: namespace, workload, pool, node, or label:KEY/);
});
