import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, NODE_POOL, SPOT } from '../../src/engine/cluster/well-known.ts';
import { type Candidate, isEmpty } from '../../src/engine/disruption/candidates.ts';
import type { Move } from '../../src/engine/moves/move.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import type { Rules } from '../../src/engine/settings.ts';
import { runs } from '../build/runs.ts';
import { isAllowed } from '../reference/outcome.ts';
import { anyRules } from './fleet-rules.ts';
import { anyFleet } from './fleets.ts';
import { type Laws, obey } from './laws.ts';
import { evictionCost, Money, weightOf } from './money-of.ts';
import { LITTLE_WORK, searched } from './searched.ts';

interface MoveOfPlan {
  readonly move: Move;
  readonly objects: ClusterObjects;
  readonly rules: Rules;
  readonly cluster: CompiledCluster;
  readonly money: Money;
}

/** Pods are disturbed by it. */
function isFelt({ candidates }: Move): boolean {
  return !candidates.every(isEmpty);
}

const NOISE = 1e-6;

const LAWS: Laws<MoveOfPlan> = {
  'saves something, as much as the thresholds ask for, whatever its launches come to': ({
    move,
    objects,
    rules,
    cluster,
    money,
  }) => {
    if (!isFelt(move)) return;
    const before = move.candidates.reduce((sum, c) => sum + money.priceOfNamed(c.name), 0);
    const after = move.replacements.reduce((sum, r) => sum + money.worstOf(cluster, r), 0);
    const cost = ({ name }: Candidate) =>
      objects.pods
        .filter((p) => p.nodeName === name)
        .reduce((sum, p) => sum + evictionCost(p), rules.settings.nodeBaseCost);
    const required = move.candidates.reduce((sum, c) => sum + c.policy.savingsThresholdCents * cost(c), 0);
    const cents = (before - after) * 100;
    assert.ok(cents > 0 && cents >= required - NOISE, `${cents} of ${required}`);
  },

  'saves the percentage of what its nodes cost': ({ move, cluster, money }) => {
    if (!isFelt(move)) return;
    const price = (c: Candidate) => money.priceOfNamed(c.name);
    const before = move.candidates.reduce((sum, c) => sum + price(c), 0);
    const after = move.replacements.reduce((sum, r) => sum + money.worstOf(cluster, r), 0);
    const percent = ({ policy, autoPercent }: Candidate) =>
      policy.minSavingsPercent === 'auto' ? (autoPercent?.percent ?? Number.NaN) : policy.minSavingsPercent;
    const required = move.candidates.reduce((sum, c) => sum + (percent(c) / 100) * price(c), 0);
    assert.ok(before - after >= required - NOISE, `${before - after} of ${required}`);
  },

  'says what it is expected to save': ({ move, cluster, money }) => {
    const before = move.candidates.reduce((sum, c) => sum + money.priceOfNamed(c.name), 0);
    const worst = move.replacements.reduce((sum, r) => sum + money.worstOf(cluster, r), 0);
    assert.ok(move.savings >= before - worst - NOISE && move.savings <= before + NOISE);
    assert.equal(move.kind === 'delete', move.replacements.length === 0);
  },

  'is one that the policies of its pools allow': ({ move: { kind, candidates }, objects }) => {
    for (const c of candidates) {
      const mayBeDeleted = kind === 'delete' && (isEmpty(c) || isNearlyEmpty(objects, c));
      const { policy } = c.policy;
      const alone = candidates.length === 1;
      const allowed = {
        WhenEmpty: false,
        WhenCheaper: alone,
        WhenUnderutilized: !alone,
        WhenUnderutilizedOrCheaper: true,
        Balanced: true,
      }[policy];
      assert.ok(mayBeDeleted || allowed, `${policy}: ${kind} ${candidates.map((x) => x.name)}`);
      const own = candidates.filter((other) => other.pool === c.pool).length;
      if (!mayBeDeleted && !alone) assert.ok(own <= c.policy.multiNode.maxParallel);
    }
  },

  'launches no more nodes than it may': ({ move: { replacements }, rules }) =>
    assert.ok(replacements.length <= rules.settings.maxReplacements),

  'has the approval of every Balanced pool': ({ move, objects, money }) => {
    if (!isFelt(move)) return;
    const price = move.candidates.reduce((sum, c) => sum + money.priceOfNamed(c.name), 0);
    for (const [pool, own] of Map.groupBy(move.candidates, (c) => c.pool.name)) {
      const { policy, balancedK } = own[0].policy;
      if (policy !== 'Balanced') continue;
      const nodes = objects.nodes.filter((n) => n.labels[NODE_POOL] === pool);
      const share = own.reduce((sum, c) => sum + money.priceOfNamed(c.name), 0) / price;
      const saved = (move.savings * share) / money.priceOfPool(pool);
      const disrupted =
        own.reduce((sum, c) => sum + weightOf(objects, c.name), 0) /
        nodes.reduce((sum, n) => sum + weightOf(objects, n.name), 0);
      assert.ok(saved / disrupted >= 1 / balancedK - NOISE, `${saved} / ${disrupted} against 1 / ${balancedK}`);
    }
  },

  'exchanges spot for spot only where that is on, one node only for one of many types': ({
    move: { candidates, replacements },
    objects,
    rules,
    cluster,
  }) => {
    if (!candidates.every((c) => c.capacityType === SPOT)) return;
    for (const { requirements, types } of replacements) {
      if (!isAllowed(cluster.space.get(requirements).get(CAPACITY_TYPE), SPOT)) continue;
      assert.ok(objects.options.spotToSpot);
      if (candidates.length === 1) assert.ok(types.length >= rules.settings.spotToSpotTypes);
    }
  },

  'does not exchange several nodes for one that is among them': ({
    move: { candidates, replacements },
    cluster,
    money,
  }) => {
    if (candidates.length === 1 || replacements.length !== 1) return;
    for (const type of replacements[0].types) {
      const same = candidates.filter((c) => c.type === type).map((c) => money.priceOfNamed(c.name));
      const worst = money.worstOf(cluster, { ...replacements[0], types: [type] });
      assert.ok(same.every((price) => worst < price));
    }
  },
};

test('every move of a plan passes every gate by itself', () => {
  fc.assert(
    fc.property(anyFleet, anyRules, (objects, rules) => {
      for (const { problem, moves } of searched(objects, rules, LITTLE_WORK).stages) {
        const { cluster } = problem.simulation;
        const money = new Money(cluster.objects, rules.settings.nodeSurchargeCents);
        for (const { move } of moves) obey(LAWS, { move, objects: cluster.objects, rules, cluster, money });
      }
    }),
    runs(100),
  );
});

/** Its pods use at most emptyThreshold of it, by the mean of cpu and memory. */
function isNearlyEmpty(objects: ClusterObjects, { name, policy }: Candidate): boolean {
  const { emptyThreshold } = policy.emptiness;
  const node = objects.nodes.find((n) => n.name === name);
  const used = (resource: string) =>
    objects.pods
      .filter((p) => p.nodeName === name && p.owners[0].kind !== 'DaemonSet')
      .reduce((sum, p) => sum + (p.requests[resource] ?? 0), 0) / (node?.allocatable[resource] ?? 0);
  return emptyThreshold > 0 && (used('cpu') + used('memory')) / 2 <= emptyThreshold;
}
