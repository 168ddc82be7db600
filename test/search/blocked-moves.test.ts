import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Trials } from '../../src/engine/search/trials.ts';
import { cluster } from '../build/cluster.ts';
import { instanceType } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { pod } from '../build/pod.ts';
import { policy } from '../build/policy.ts';
import { runs } from '../build/runs.ts';
import { GIB } from '../build/units.ts';
import { rulesByPool } from './fleet-rules.ts';
import { planOf, problemOf } from './searched.ts';

const TYPES = [
  [2, 0.1],
  [4, 0.18],
  [8, 0.34],
  [16, 0.66],
].map(([cores, price]) => instanceType(`cores-${cores}`, { cpu: cores * 1000, memory: cores * 4 * GIB, price }));

const MACHINES = fc.array(
  fc.record({
    type: fc.constantFrom(...TYPES),
    pods: fc.array(fc.integer({ min: 100, max: 1900 }), { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 3, maxLength: 6 },
);

test('no group of nodes that stay comes closer to its requirement than the blocked move that the plan reports', () => {
  let compared = 0;
  fc.assert(
    fc.property(MACHINES, fc.constantFrom(4, 8, 15, 25), (machines, savingsThresholdCents) => {
      const objects = cluster({
        machines: machines.map(({ type }, i) => machine(`n${i}`, { type })),
        pods: machines.flatMap(({ pods }, i) =>
          pods.map((cpu, k) => pod(`p${i}-${k}`, { on: `n${i}`, cpu, memory: 4 * cpu * 2 ** 20 })),
        ),
        instanceTypes: TYPES,
        nodePools: [nodePool('default', { budgets: [{ nodes: '100%' }] })],
      });
      const rules = rulesByPool({ default: policy({ savingsThresholdCents }) });
      const { moves, nodes } = planOf(objects, rules);
      if (moves.length > 0) return;
      const trials = new Trials(problemOf(objects, rules));
      const { candidates } = trials.problem;
      for (let group = 1; group < 2 ** candidates.length; group++)
        trials.attempt(
          candidates.filter((_, i) => (group & (1 << i)) !== 0),
          1,
        );
      for (const [{ name }, closest] of trials.blocked.without(new Set())) {
        const { requiredCentsPerHour, savingsCentsPerHour } = closest;
        const { refusals = [] } = nodes.find((n) => n.name === name) ?? {};
        const reported = refusals.find((r) => r.code === 'savings-below-threshold');
        // Not a number without a refusal.
        const shortfall = Number(reported?.requiredCentsPerHour) - Number(reported?.savingsCentsPerHour);
        assert.ok(shortfall <= requiredCentsPerHour - savingsCentsPerHour + 1e-6, `${name}: ${closest.nodes}`);
        compared++;
      }
    }),
    runs(60),
  );
  assert.ok(compared > 50, `${compared} nodes`);
});
