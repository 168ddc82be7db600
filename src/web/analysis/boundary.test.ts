import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cluster } from '../../../test/build/cluster.ts';
import { LARGE } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { anyCluster } from '../../../test/build/random/cluster.ts';
import { runs } from '../../../test/build/runs.ts';
import { subject } from '../../../test/build/subject.ts';
import { HOUR_MS, NOW_MS } from '../../../test/build/units.ts';
import { plan } from '../../engine/plan.ts';
import { compile } from '../../engine/scheduling/compile.ts';
import type { BoundaryAnswer, WhatIfQuestion } from '../api.ts';
import { Boundary } from './boundary.ts';
import { rulesOf, type Subject } from './subject.ts';
import { supposed } from './supposed.ts';

function asked(about: Subject, question: WhatIfQuestion): Omit<BoundaryAnswer, 'version'> {
  return new Boundary(about, compile(about.objects, about.settings)).answer(question, () => 0);
}

/** By name of the node. */
function column(answer: Omit<BoundaryAnswer, 'version'>, of: keyof BoundaryAnswer['points']): Record<string, unknown> {
  return Object.fromEntries(answer.points.node.map((name, i) => [name, answer.points[of][i]]));
}

/** A large node with two pods that a medium one next to it has room for: 40 cents for a cost of 3. */
const LARGE_AND_MEDIUM = cluster({
  machines: [machine('large', { type: LARGE }), machine('medium'), machine('empty')],
  pods: [pod('one', { on: 'large' }), pod('two', { on: 'large' }), pod('three', { on: 'medium', cpu: 3000 })],
});

describe('the line', () => {
  test('a point is where the gate puts it', () => {
    const answer = asked(subject(LARGE_AND_MEDIUM), {});
    assert.deepEqual(column(answer, 'disruptionCost'), { large: 3, medium: 2, empty: 1 });
    assert.deepEqual(column(answer, 'exempt'), { large: 0, medium: 0, empty: 1 });
    assert.deepEqual(column(answer, 'evictions'), { large: 2, medium: 1, empty: 0 });
    assert.equal(column(answer, 'savingsCentsPerHour').large, 40);
  });

  test('on the line it goes, a hundredth of a cent above what it saves it stays, and says so', () => {
    const at = (threshold: number) => asked(subject(LARGE_AND_MEDIUM), { threshold });
    assert.deepEqual([column(at(40 / 3), 'asked').large, column(at(40 / 3), 'requiredCentsPerHour').large], [1, 40]);
    const above = at(13.34);
    assert.equal(column(above, 'asked').large, 0);
    assert.equal(column(above, 'unbounded').large, 1);
    const reason = above.names.reasons[column(above, 'reason').large as number];
    assert.match(reason, /savings 40\.00 cents\/hr below required 40\.02 cents\/hr .*threshold=13\.34/);
  });

  test('an empty node is not weighed', () => {
    const answer = asked(subject(LARGE_AND_MEDIUM), { threshold: 1000 });
    assert.deepEqual([column(answer, 'asked').empty, column(answer, 'requiredCentsPerHour').empty], [1, 0]);
    assert.deepEqual(answer.sums.asked.nodes, 1);
  });

  test('what a knob keeps is in the picture, what nothing here could move is not', () => {
    const { objects } = subject(LARGE_AND_MEDIUM);
    const machines = [machine('large', { type: LARGE, doNotDisrupt: 'true' }), machine('medium'), machine('empty')];
    const kept = cluster({ machines, pods: objects.pods });
    const answer = asked(subject(kept, {}, { utilizationThreshold: 0 }), {});
    assert.deepEqual(answer.points.node, ['empty', 'medium']);
    assert.deepEqual(column(answer, 'now'), { empty: 1, medium: 0 });
  });

  test('a grace period is counted from when the node became consolidatable', () => {
    const quiet = (name: string, hours: number) => machine(name, { lastPodEventMs: NOW_MS - hours * HOUR_MS });
    const objects = cluster({ machines: [quiet('a', 1), quiet('b', 3)] });
    const answer = asked(subject(objects), { grace: '2h' });
    assert.deepEqual(column(answer, 'now'), { a: 1, b: 1 });
    assert.deepEqual(column(answer, 'asked'), { a: 0, b: 1 });
  });

  test('only the pool in question', () => {
    const objects = cluster({
      nodePools: [nodePool('default'), nodePool('other')],
      machines: [machine('a'), machine('b', { pool: 'other' })],
      pods: [pod('one', { on: 'a' }), pod('two', { on: 'b' })],
    });
    const answer = asked(subject(objects), { threshold: 1000, pool: 'other' });
    assert.deepEqual(column(answer, 'asked'), { b: 0 });
    assert.match(answer.configuration.pieces[0].text, /threshold|consolidationSavingsThresholdCents/i);
  });
});

describe('laws', () => {
  const question = fc.record(
    {
      threshold: fc.constantFrom(0, 0.5, 1, 5, 20),
      utilization: fc.constantFrom(0.3, 0.75, 1),
      minPercent: fc.constantFrom(0, 20, 60),
      policy: fc.constantFrom('WhenEmpty', 'WhenCheaper', 'WhenUnderutilizedOrCheaper', 'Balanced'),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<WhatIfQuestion>;

  test('each point has the verdict that a plan under the same configuration gives its node alone', () => {
    fc.assert(
      fc.property(anyCluster, question, (objects, q) => {
        const about = subject(objects);
        const answer = asked(about, q);
        const under = supposed(about, q);
        const { nodes } = plan(objects, { search: 'karpenter', rules: rulesOf(under), loadMs: 0 }, () => 0);
        const alone = new Map(nodes.map((node) => [node.name, node]));
        answer.points.node.forEach((name, i) => {
          const { alone: verdict, refusals } = alone.get(name)!;
          const goes = refusals.some(({ code }) => code !== 'unpriced') ? 'none' : verdict.decision;
          assert.equal(['none', 'delete', 'replace'][answer.points.asked[i]], goes, name);
        });
      }),
      runs(60),
    );
  });

  test('no node goes that is not in the picture', () => {
    fc.assert(
      fc.property(anyCluster, question, (objects, q) => {
        const under = supposed(subject(objects), q);
        const { nodes } = plan(objects, { search: 'karpenter', rules: rulesOf(under), loadMs: 0 }, () => 0);
        const shown = new Set(asked(subject(objects), q).points.node);
        for (const { name, alone, refusals } of nodes)
          if (alone.decision !== 'none' && refusals.length === 0) assert.ok(shown.has(name), name);
      }),
      runs(60),
    );
  });
});
