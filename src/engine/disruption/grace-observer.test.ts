import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cluster, compiled } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { policy } from '../../../test/build/policy.ts';
import { HOUR_MS, MINUTE_MS, NOW_MS } from '../../../test/build/units.ts';
import { assess, refusalsByMethods } from '../gates/assessment.ts';
import { consolidate } from '../moves/consolidate.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { DEFAULT_SETTINGS, type Rules } from '../settings.ts';
import type { Candidate } from './candidates.ts';
import { GraceObserver } from './grace-observer.ts';
import type { PoolPolicy } from './pool-policy.ts';

const SECOND = 1000;
/** T=0 of the document's timeline: node A was created, and a pod scheduled. */
const T0 = NOW_MS;
const at = (minutes: number, seconds = 0) => T0 + minutes * MINUTE_MS + seconds * SECOND;

const TIMELINE = { consolidateAfterMs: 30 * SECOND, gracePeriodMs: 5 * MINUTE_MS };
const POOL = nodePool('default');

function kept(idleSinceMs = T0, block: Partial<PoolPolicy> = {}, pool = POOL) {
  return { name: 'a', pool, policy: policy({ ...TIMELINE, ...block }), idleSinceMs };
}

/** What the gates say of node A, whose last pod event was at `idleSinceMs`, at a moment. */
function gates(observer: GraceObserver, nowMs: number, idleSinceMs = T0, pool = POOL, block: Partial<PoolPolicy> = {}) {
  const own = policy({ ...TIMELINE, ...block });
  const rules: Rules = {
    settings: DEFAULT_SETTINGS,
    policyOf: () => own,
    protectedUntilMs: (node) => observer.protectedUntilMs(node),
  };
  const objects = cluster({
    nowMs,
    machines: [machine('a', { lastPodEventMs: idleSinceMs })],
    pods: [pod('web', { on: 'a' })],
    nodePools: [pool],
  });
  const c = compiled(objects);
  const assessed = assess(c, 0, rules);
  assert.ok('candidate' in assessed);
  return refusalsByMethods(c, assessed.candidate, rules).map((r) => ('waitMs' in r ? [r.code, r.waitMs] : [r.code]));
}

describe('the timeline of the grace period document: consolidateAfter 30s, consolidationGracePeriod 5m', () => {
  const observer = new GraceObserver();

  test('T=0: protected by consolidateAfter, 30 s to go', () => {
    assert.deepEqual(gates(observer, at(0)), [['not-consolidatable', 30 * SECOND]]);
  });

  test('T=30s: a candidate; nothing cheaper is found, so it is protected for 5 min', () => {
    assert.deepEqual(gates(observer, at(0, 30)), []);
    observer.evaluated(kept(), at(0, 30));
    assert.equal(observer.protectedUntilMs('a'), at(5, 30));
    assert.equal(observer.nextExpiryMs(at(0, 30)), at(5, 30));
    assert.deepEqual(gates(observer, at(0, 31)), [['grace-period', 4 * MINUTE_MS + 59 * SECOND]]);
    assert.deepEqual(gates(observer, at(5, 29)), [['grace-period', SECOND]]);
  });

  test('T=5m30s: the grace period is over, it is evaluated again', () => {
    assert.deepEqual(gates(observer, at(5, 30)), []);
    assert.equal(observer.nextExpiryMs(at(5, 30)), undefined);
  });

  test('and if there is again nothing to do, a new window starts', () => {
    observer.evaluated(kept(), at(5, 31));
    assert.equal(observer.protectedUntilMs('a'), at(10, 31));
  });
});

describe('a window', () => {
  test('counts from the moment the node became consolidatable, however late the evaluation', () => {
    const observer = new GraceObserver();
    observer.evaluated(kept(), at(3));
    assert.equal(observer.protectedUntilMs('a'), at(5, 30));
  });

  test('does not move when it is evaluated again within it', () => {
    const observer = new GraceObserver();
    observer.evaluated(kept(), at(6));
    observer.evaluated(kept(), at(8));
    assert.equal(observer.protectedUntilMs('a'), at(11));
  });

  test('does not start before consolidateAfter has passed', () => {
    const observer = new GraceObserver();
    observer.evaluated(kept(), at(0, 29));
    assert.equal(observer.protectedUntilMs('a'), undefined);
  });

  test('is as long as the pool says: 1h, and 4h after 5m', () => {
    const observer = new GraceObserver();
    observer.evaluated(kept(T0, { gracePeriodMs: HOUR_MS }), at(0, 30));
    assert.equal(observer.protectedUntilMs('a'), at(60, 30));
    const longer = { consolidateAfterMs: 5 * MINUTE_MS, gracePeriodMs: 4 * HOUR_MS };
    observer.evaluated({ ...kept(T0, longer), name: 'b' }, at(5));
    assert.equal(observer.protectedUntilMs('b'), at(245));
    assert.equal(observer.nextExpiryMs(at(6)), at(60, 30));
    assert.equal(observer.nextExpiryMs(at(61)), at(245));
  });

  // `Never` is read as no grace period, as is a field that is not set.
  test('there is none with Never or without the field', () => {
    const observer = new GraceObserver();
    observer.evaluated(kept(T0, { gracePeriodMs: undefined }), at(1));
    assert.equal(observer.protectedUntilMs('a'), undefined);
    assert.equal(observer.nextExpiryMs(at(1)), undefined);
  });

  test('there is none in a pool with replicas, and an old one is ignored there', () => {
    const observer = new GraceObserver();
    const staticPool = nodePool('default', { replicas: 3 });
    observer.evaluated(kept(T0, {}, staticPool), at(1));
    assert.equal(observer.protectedUntilMs('a'), undefined);
    observer.evaluated(kept(), at(1));
    assert.deepEqual(gates(observer, at(2), T0, staticPool), [['static-node-pool']]);
  });

  test('ends for a policy that has dropped the field', () => {
    const observer = new GraceObserver();
    observer.evaluated(kept(), at(1));
    assert.deepEqual(gates(observer, at(2), T0, POOL, { gracePeriodMs: undefined }), []);
    observer.evaluated(kept(T0, { gracePeriodMs: undefined }), at(2));
    assert.equal(observer.protectedUntilMs('a'), undefined);
  });
});

describe('a pod event resets everything', () => {
  for (const event of ['scheduled to the node', 'removed from it', 'gone terminal on it']) {
    test(`a pod ${event}`, () => {
      const observer = new GraceObserver();
      observer.evaluated(kept(), at(0, 30));
      // Each of the three moves lastPodEventTime; the observer is told the moment.
      observer.podEvent('a', at(2));
      assert.equal(observer.protectedUntilMs('a'), undefined);
      assert.deepEqual(gates(observer, at(2), at(2)), [['not-consolidatable', 30 * SECOND]]);
      observer.evaluated(kept(at(2)), at(2, 30));
      assert.equal(observer.protectedUntilMs('a'), at(7, 30));
    });
  }

  test('not one that the evaluation had seen already', () => {
    const observer = new GraceObserver();
    observer.evaluated(kept(at(2)), at(3));
    observer.podEvent('a', at(2));
    assert.equal(observer.protectedUntilMs('a'), at(7, 30));
  });

  test('also if the event was not reported: the next evaluation has a later time', () => {
    const observer = new GraceObserver();
    observer.evaluated(kept(), at(0, 30));
    observer.evaluated(kept(at(2)), at(3));
    assert.equal(observer.protectedUntilMs('a'), at(7, 30));
  });
});

/** Passes every 10 s over an hour; on each, the nodes that the gates let through are evaluated, to no avail. */
function evaluations(
  gracePeriodMs: number | undefined,
  eventsEveryMs: number | undefined,
  restartAtMs?: number,
): number {
  let observer = new GraceObserver();
  let idleSinceMs = T0;
  let count = 0;
  for (let now = T0; now < T0 + HOUR_MS; now += 10 * SECOND) {
    if (eventsEveryMs !== undefined && now > T0 && (now - T0) % eventsEveryMs === 0) {
      idleSinceMs = now;
      observer.podEvent('a', now);
    }
    if (now === restartAtMs) observer = new GraceObserver();
    const consolidatable = now >= idleSinceMs + 30 * SECOND;
    if (!consolidatable || now < (observer.protectedUntilMs('a') ?? 0)) continue;
    count++;
    observer.evaluated(kept(idleSinceMs, { gracePeriodMs }), now);
  }
  return count;
}

describe('a ReplicaSet that scales up and down', () => {
  test('elsewhere: a stable node is evaluated on every pass without the field, twice with 30m, once with 1h', () => {
    assert.equal(evaluations(undefined, undefined), 357);
    assert.equal(evaluations(30 * MINUTE_MS, undefined), 2);
    assert.equal(evaluations(HOUR_MS, undefined), 1);
  });

  test('here, every 10 min: it is evaluated once after each time it has calmed down', () => {
    assert.equal(evaluations(HOUR_MS, 10 * MINUTE_MS), 6);
  });

  test('here, every 20 s: it never calms down and is never evaluated', () => {
    assert.equal(evaluations(HOUR_MS, 20 * SECOND), 0);
  });

  test('a restart costs at most one evaluation more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 359 }), fc.integer({ min: 1, max: 60 }), (restart, minutes) => {
        const graceMs = minutes * MINUTE_MS;
        const without = evaluations(graceMs, undefined);
        assert.ok(evaluations(graceMs, undefined, T0 + restart * 10 * SECOND) <= without + 1);
      }),
    );
  });
});

test('a protected node is still a destination', () => {
  const observer = new GraceObserver();
  observer.evaluated(kept(), at(1));
  const own = policy(TIMELINE);
  const rules: Rules = {
    settings: DEFAULT_SETTINGS,
    policyOf: () => own,
    protectedUntilMs: (node) => observer.protectedUntilMs(node),
  };
  const machines = ['a', 'b'].map((name) => machine(name, { lastPodEventMs: T0 }));
  const c = compiled(cluster({ nowMs: at(2), machines, pods: [pod('on-a', { on: 'a' }), pod('on-b', { on: 'b' })] }));
  const candidates = c.rows.flatMap((_, row): Candidate[] => {
    const assessed = assess(c, row, rules);
    return 'candidate' in assessed && refusalsByMethods(c, assessed.candidate, rules).length === 0
      ? [assessed.candidate]
      : [];
  });
  assert.deepEqual(
    candidates.map((x) => x.name),
    ['b'],
  );
  const result = consolidate(new Simulation(c), candidates);
  assert.ok('move' in result);
  assert.deepEqual(
    result.move.placements.map(({ row }) => c.rows[row].name),
    ['a'],
  );
});

test('what is forgotten is not protected', () => {
  const observer = new GraceObserver();
  observer.evaluated(kept(), at(1));
  observer.forget('a');
  assert.equal(observer.protectedUntilMs('a'), undefined);
});
