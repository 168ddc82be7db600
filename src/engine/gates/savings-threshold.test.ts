import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { disruptionCost } from '../disruption/candidates.ts';
import { requiredSavings } from '../disruption/required-savings.ts';
import { refusalText } from '../refusal-text.ts';
import { assess } from './assessment.ts';
import { isEnough, savingsThreshold } from './savings-threshold.ts';

/** The savings-threshold document's own arithmetic: prices in dollars, costs in pods. */
function verdict(before: number, after: number, nodes: readonly { threshold: number; cost: number }[]) {
  const requiredCents = nodes.reduce((sum, n) => sum + n.threshold * n.cost, 0);
  const cost = nodes.reduce((sum, n) => sum + n.cost, 0);
  return savingsThreshold((before - after) * 100, {
    requiredCents,
    disruptionCost: cost,
    threshold: nodes[0].threshold,
  });
}

const FIVE_PODS = [{ threshold: 1, cost: 6 }];
const TWO_POOLS = [
  { threshold: 5, cost: 3 },
  { threshold: 1, cost: 11 },
];

for (const { name, refusal, numbers } of [
  {
    name: 'six tenths of a cent do not pay for five pods',
    refusal: verdict(0.086, 0.08, FIVE_PODS),
    numbers: [0.6, 6],
  },
  { name: 'neither do 4.8 cents', refusal: verdict(0.086, 0.038, FIVE_PODS), numbers: [4.8, 6] },
  { name: 'two pools ask for 26 cents together, 10 are saved', refusal: verdict(1, 0.9, TWO_POOLS), numbers: [10, 26] },
  {
    name: 'a pool at threshold 0 asks for nothing, the other still for 15',
    refusal: verdict(1, 0.9, [TWO_POOLS[0], { threshold: 0, cost: 11 }]),
    numbers: [10, 15],
  },
]) {
  test(`${name}: refused`, () => {
    assert.equal(refusal?.code, 'savings-below-threshold');
    const found =
      refusal?.code === 'savings-below-threshold' ? [refusal.savingsCentsPerHour, refusal.requiredCentsPerHour] : [];
    assert.deepEqual(
      found.map((x) => Math.round(x * 1e6) / 1e6),
      numbers,
    );
  });
}

test('six cents pay for five pods, also where floats make a little less of them', () => {
  assert.equal(verdict(0.086, 0.026, FIVE_PODS), undefined);
  assert.ok((0.7 - 0.64) * 100 < 6);
  assert.equal(verdict(0.7, 0.64, FIVE_PODS), undefined);
});

test('savings that count for less are refused with both figures', () => {
  const required = { requiredCents: 6, disruptionCost: 6, threshold: 1 };
  assert.deepEqual(savingsThreshold(10, required, 0.5), {
    code: 'savings-below-threshold',
    savingsCentsPerHour: 10,
    discountedCentsPerHour: 5,
    requiredCentsPerHour: 6,
    disruptionCost: 6,
    threshold: 1,
  });
  assert.equal(savingsThreshold(12, required, 0.5), undefined);
});

test('no saving is no saving, even with threshold 0', () => {
  assert.equal(verdict(1, 1, [{ threshold: 0, cost: 6 }])?.code, 'savings-below-threshold');
});

test('the refusal reads as in the document', () => {
  const refusal = verdict(0.086, 0.08, FIVE_PODS);
  assert.equal(
    refusal && refusalText(refusal),
    'consolidation blocked: savings 0.6 cents/hr below required 6.0 cents/hr (disruption_cost=6.0, threshold=1)',
  );
});

for (const [threshold, five, fifteen] of [
  [1, 6, 16],
  [5, 30, 80],
  [10, 60, 160],
]) {
  test(`at threshold ${threshold}, 5 pods need ${five} and 15 pods ${fifteen} cents`, () => {
    for (const [count, cents] of [
      [5, five],
      [15, fifteen],
    ]) {
      const pods = Array.from({ length: count }, (_, i) => pod(`p${i}`, { on: 'n' }));
      const c = compiled(cluster({ machines: [machine('n')], pods }));
      const assessment = assess(c, rowOf(c, 'n'), rules({ savingsThresholdCents: threshold }));
      assert.ok('candidate' in assessment);
      const required = requiredSavings([assessment.candidate]);
      assert.equal(required.requiredCents, cents);
      assert.equal(savingsThreshold(cents, required), undefined);
      assert.equal(savingsThreshold(cents - 0.01, required)?.code, 'savings-below-threshold');
    }
  });
}

for (const [name, count, priority, expected] of [
  ['no pods', 0, 0, 0],
  ['ten ordinary pods', 10, 0, 10],
  ['ten critical pods, each at the clamp', 10, 2_000_000_000, 100],
] as const) {
  test(`a node with ${name} costs ${expected} before the base cost, and 1 more with it`, () => {
    const pods = Array.from({ length: count }, (_, i) => pod(`p${i}`, { on: 'n', priority }));
    const c = compiled(cluster({ machines: [machine('n')], pods }));
    assert.equal(disruptionCost(c, rowOf(c, 'n'), 0), expected);
    assert.equal(disruptionCost(c, rowOf(c, 'n'), 1), expected + 1);
  });
}

test('raising the threshold never turns a refusal into a pass', () => {
  const amount = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(amount, amount, amount, amount, (savings, cost, low, extra) => {
      assert.ok(!isEnough(savings, (low + extra) * cost) || isEnough(savings, low * cost));
    }),
  );
});
