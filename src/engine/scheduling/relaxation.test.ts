import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { constrained, is, nodeWith, podsOf, spread, toleration, weighing } from '../../../test/build/constraints.ts';
import { constraints } from '../../../test/build/random/constraints.ts';
import type { PodConstraints } from '../cluster/objects.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';
import { TOLERATE_PREFERENCES } from '../selection/taints.ts';
import { relaxationSteps } from './relaxation.ts';

const soft = (name: string) => spread(name, ZONE, { whenUnsatisfiable: 'ScheduleAnyway' });
const term = (zone: string) => nodeWith(is(ZONE, 'In', zone));

/** How much of everything that can be given up is left. */
function left(c: PodConstraints): string {
  const softSpreads = c.topologySpread.filter((s) => s.whenUnsatisfiable === 'ScheduleAnyway').length;
  const minds = c.tolerations.includes(TOLERATE_PREFERENCES) ? 0 : 1;
  return [
    c.requiredNodeTerms?.length ?? 0,
    c.preferredAffinity.length,
    c.preferredAntiAffinity.length,
    c.preferredNodeTerms.length,
    softSpreads,
    minds,
  ].join();
}

describe('a pod gives up', () => {
  test('terms, affinity, anti-affinity, node preference, soft spread and PreferNoSchedule, in this order', () => {
    const everything = constrained({
      requiredNodeTerms: [term('a'), term('b')],
      preferredAffinity: [weighing(1, podsOf('web', ZONE))],
      preferredAntiAffinity: [weighing(1, podsOf('db', ZONE))],
      preferredNodeTerms: [weighing(1, term('c'))],
      topologySpread: [soft('web'), spread('web', HOSTNAME)],
    });
    assert.deepEqual(relaxationSteps(everything, true).map(left), [
      '2,1,1,1,1,1',
      '1,1,1,1,1,1',
      '1,0,1,1,1,1',
      '1,0,0,1,1,1',
      '1,0,0,0,1,1',
      '1,0,0,0,0,1',
      '1,0,0,0,0,0',
    ]);
  });

  test('the first of several required terms, and never the last one', () => {
    const steps = relaxationSteps(constrained({ requiredNodeTerms: [term('a'), term('b'), term('c')] }), false);
    assert.deepEqual(
      steps.map((s) => s.requiredNodeTerms?.map((t) => t.matchExpressions?.[0].values?.[0]).join()),
      ['a,b,c', 'b,c', 'c'],
    );
  });

  test('the heaviest preference first, and of equals the first', () => {
    const preferredNodeTerms = [weighing(1, term('light')), weighing(9, term('heavy')), weighing(9, term('as heavy'))];
    const steps = relaxationSteps(constrained({ preferredNodeTerms }), false);
    assert.deepEqual(
      steps.slice(1).map((s) => s.preferredNodeTerms.map((w) => w.term.matchExpressions?.[0].values?.[0]).join()),
      ['as heavy,light', 'light', ''],
    );
  });

  test('the first soft spread, whose slot the last spread takes', () => {
    const names = (c: PodConstraints) => c.topologySpread.map((s) => s.labelSelector?.matchLabels?.app).join();
    const topologySpread = [soft('one'), spread('hard', ZONE), soft('two'), soft('three')];
    const steps = relaxationSteps(constrained({ topologySpread }), false);
    assert.deepEqual(steps.map(names), ['one,hard,two,three', 'three,hard,two', 'two,hard', 'hard']);
  });

  test('its dislike of PreferNoSchedule only where pools have such taints, and only once', () => {
    assert.equal(relaxationSteps(constrained({}), false).length, 1);
    assert.deepEqual(relaxationSteps(constrained({}), true)[1].tolerations, [TOLERATE_PREFERENCES]);
    const tolerant = constrained({ tolerations: [toleration('', { effect: 'PreferNoSchedule' })] });
    assert.equal(relaxationSteps(tolerant, true).length, 1);
  });

  test('one thing a step, until only requirements are left', () => {
    fc.assert(
      fc.property(constraints, fc.boolean(), (some, tolerating) => {
        const steps = relaxationSteps(constrained(some), tolerating);
        const amounts = steps.map((s) =>
          left(s)
            .split(',')
            .reduce((sum, n) => sum + Number(n), 0),
        );
        amounts.slice(1).forEach((n, i) => {
          assert.equal(n, amounts[i] - 1);
        });
        const last = steps[steps.length - 1];
        assert.match(left(last), tolerating ? /^[01],0,0,0,0/ : /^[01],0,0,0,0,1$/);
        for (const s of steps) {
          const hard = (c: PodConstraints) =>
            c.topologySpread.filter((x) => x.whenUnsatisfiable === 'DoNotSchedule').length;
          assert.equal(hard(s), hard(steps[0]));
          assert.equal(s.requiredAffinity, steps[0].requiredAffinity);
          assert.equal(s.requiredAntiAffinity, steps[0].requiredAntiAffinity);
          assert.equal(s.nodeSelector, steps[0].nodeSelector);
        }
      }),
    );
  });
});
