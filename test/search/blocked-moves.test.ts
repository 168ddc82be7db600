import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Trials } from '../../src/engine/search/trials.ts';
import { cluster } from '../build/cluster.ts';
import { instanceType } from '../build/instance-type.ts';
import { machine } from '../build/machine.ts';
import { pod } from '../build/pod.ts';
import { policy } from '../build/policy.ts';
import { runs } from '../build/runs.ts';
import { GIB } from '../build/units.ts';
import { onDemandPool } from './aws.ts';
import { rulesByPool } from './fleet-rules.ts';
import { planOf, problemOf } from './searched.ts';

/** Not sold any more, and each cheaper than what is: no node is replaced alone, and few pairs are. */
const OLD = [0.3, 0.35, 0.4, 0.45].map((price) => {
  const type = instanceType(`old-${price}`, { cpu: 2000, memory: 8 * GIB, price });
  return { ...type, offerings: type.offerings.map((o) => ({ ...o, available: false })) };
});
const SOLD = [
  instanceType('large', { cpu: 5000, memory: 20 * GIB, price: 0.85 }),
  instanceType('xlarge', { cpu: 8000, memory: 32 * GIB, price: 1.1 }),
];

const MACHINES = fc.array(
  fc.record({
    type: fc.constantFrom(...OLD),
    pool: fc.constantFrom('default', 'default', 'lenient', 'free'),
    pods: fc.array(fc.integer({ min: 1050, max: 1900 }), { minLength: 1, maxLength: 1 }),
  }),
  { minLength: 3, maxLength: 6 },
);

/** Not every group is tried. Without `noteBlockedGroups`, or with it for groups of one pool only, over a quarter of these nodes have a farther one. */
test('hardly any group of nodes that stay comes closer to its requirement than the blocked move that the plan reports', () => {
  let compared = 0;
  let missed = 0;
  fc.assert(
    fc.property(MACHINES, fc.constantFrom(15, 30, 60), (machines, savingsThresholdCents) => {
      const objects = cluster({
        machines: machines.map(({ type, pool }, i) => machine(`n${i}`, { type, pool })),
        pods: machines.flatMap(({ pods }, i) =>
          pods.map((cpu, k) => pod(`p${i}-${k}`, { on: `n${i}`, cpu, memory: 4 * cpu * 2 ** 20 })),
        ),
        instanceTypes: [...OLD, ...SOLD],
        nodePools: ['default', 'lenient', 'free'].map((name) => ({
          ...onDemandPool(name),
          budgets: [{ nodes: '100%' }],
        })),
      });
      const rules = rulesByPool({
        default: policy({ savingsThresholdCents }),
        lenient: policy({ savingsThresholdCents: savingsThresholdCents / 3 }),
        free: policy(),
      });
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
        if (!(shortfall <= requiredCentsPerHour - savingsCentsPerHour + 1e-6)) missed++;
        compared++;
      }
    }),
    runs(60),
  );
  assert.ok(compared > 50 && missed < compared / 10, `${missed} of ${compared} nodes`);
});
