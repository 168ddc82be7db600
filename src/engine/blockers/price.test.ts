import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ClusterSketch, cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { pod } from '../../../test/build/pod.ts';
import { podDisruptionBudget } from '../../../test/build/pod-disruption-budget.ts';
import { rules } from '../../../test/build/policy.ts';
import { NOW_MS } from '../../../test/build/units.ts';
import { CAPACITY_TYPE, ON_DEMAND } from '../cluster/well-known.ts';
import { type BlockerPrices, type PricingLimits, priceBlockers } from './price.ts';

/** A node `a` of 20 cents an hour, whose pods fit on `b`, which is not managed. */
function prices(
  sketch: ClusterSketch,
  limits: PricingLimits = { blockers: 20 },
  policy: Parameters<typeof rules>[0] = {},
): BlockerPrices {
  const objects = cluster({ machines: [machine('a'), machine('b', { state: 'unmanaged' })], ...sketch });
  const steps = priceBlockers(
    { objects, rules: rules(policy, { utilizationThreshold: 1 }) },
    { search: 'merged' },
    limits,
  );
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function figures({ blockers }: BlockerPrices) {
  const cents = (value: number | undefined) => (value === undefined ? undefined : Math.round(value));
  return blockers.map((b) => [b.blocker.kind, cents(b.aloneCentsPerHour), cents(b.jointCentsPerHour), b.nodes.join()]);
}

describe('the price of a blocker', () => {
  test('is what a plan saves without it', () => {
    const found = prices({ pods: [pod('job', { on: 'a', doNotDisrupt: 'true', owner: 'job' })] });
    assert.deepEqual(figures(found), [['PodAnnotation', 20, 20, 'a']]);
    assert.equal(Math.round(found.totalCentsPerHour), 20);
  });

  test('two blockers of one node cost nothing alone and all jointly; the total counts it once', () => {
    const found = prices({
      pods: [
        pod('job', { on: 'a', doNotDisrupt: 'true', owner: 'job' }),
        pod('db', { on: 'a', labels: { app: 'db' }, owner: 'db' }),
      ],
      podDisruptionBudgets: [podDisruptionBudget('db', 'db', { disruptionsAllowed: 0 })],
    });
    assert.deepEqual(figures(found).sort(), [
      ['PodAnnotation', 0, 20, 'a'],
      ['PodDisruptionBudget', 0, 20, 'a'],
    ]);
    assert.equal(Math.round(found.totalCentsPerHour), 20);
  });

  test('counts a blocker that shows only when another is gone', () => {
    const found = prices({
      pods: [
        pod('job', { on: 'a', doNotDisrupt: 'true', owner: 'job', nodeSelector: { 'kubernetes.io/hostname': 'a' } }),
      ],
    });
    assert.deepEqual(figures(found).sort(), [
      ['Constraint', 0, 20, 'a'],
      ['PodAnnotation', 0, 20, 'a'],
    ]);
  });

  test('of two nodes for whose pods there is room once, is each its own; the total is not their sum', () => {
    const pods = ['a', 'c'].map((on) => pod(`job-${on}`, { on, cpu: 2500, doNotDisrupt: 'true', owner: `job-${on}` }));
    const machines = [machine('a'), machine('b', { state: 'unmanaged' }), machine('c')];
    const found = prices({ machines, pods });
    assert.deepEqual(
      figures(found).map(([, alone]) => alone),
      [20, 20],
    );
    assert.ok(found.totalCentsPerHour < 39, `${found.totalCentsPerHour}`);
  });

  test('names the pod as it is, also once another of its blockers is gone', () => {
    const found = prices({ pods: [{ ...pod('driver', { on: 'a', doNotDisrupt: 'true' }), owners: [] }] });
    assert.deepEqual(
      found.blockers.map(({ blocker }) => blocker),
      [
        { kind: 'OwnerlessPod', pod: 'default/driver' },
        { kind: 'PodAnnotation', workload: 'Pod default/driver', annotation: 'karpenter.sh/do-not-disrupt' },
      ],
    );
  });

  test('of a pool is that of the setting at fault, which alone is changed', () => {
    const pods = [pod('web', { on: 'a', owner: 'web' })];
    const found = prices({ pods }, undefined, { consolidateAfterMs: undefined });
    assert.deepEqual(
      found.blockers.map(({ blocker }) => blocker),
      [{ kind: 'Policy', nodePool: 'default', setting: 'consolidateAfter' }],
    );
    assert.deepEqual(figures(found), [['Policy', 20, 20, 'a']]);
  });

  test('of what a policy keeps in reserve is that of the reserve', () => {
    const spread = {
      pods: ['a', 'b'].map((on) => pod(`web-${on}`, { on, owner: 'web' })),
      machines: [machine('a'), machine('b')],
      nodePools: [nodePool('default', { limits: { cpu: 0 } })],
    };
    const settings = (policy: Parameters<typeof rules>[0]) => {
      const found = prices(spread, undefined, policy);
      return found.blockers.map((b) => [
        b.blocker.kind === 'Policy' && b.blocker.setting,
        Math.round(b.aloneCentsPerHour!),
      ]);
    };
    assert.deepEqual(settings({ minNodes: 2 }), [['minNodes', 20]]);
    assert.deepEqual(settings({ maxShareOnOneNode: 0.5 }), [['maxShareOnOneNode', 20]]);
    assert.deepEqual(settings({ headroom: [{ resource: 'cpu', amount: 90, isPercent: true }] }), [['headroom', 20]]);
  });

  test('of a consolidateAfter that passes for few nodes of a pool, because pods come and go', () => {
    const pods = ['a', 'c'].map((on) => pod(`web-${on}`, { on, owner: 'web' }));
    const machines = (lastPodEventMs: number) => [
      machine('a', { lastPodEventMs }),
      machine('b', { state: 'unmanaged' }),
      machine('c', { lastPodEventMs }),
    ];
    const found = prices({ pods, machines: machines(NOW_MS - 10_000) }, undefined, { consolidateAfterMs: 60_000 });
    assert.deepEqual(
      found.blockers.map(({ blocker, nodes }) => [blocker, nodes]),
      [[{ kind: 'Policy', nodePool: 'default', setting: 'consolidateAfterDuration' }, ['a', 'c']]],
    );
    assert.ok(found.blockers[0].aloneCentsPerHour! > 19);
    const one = prices({ pods: pods.slice(0, 1), machines: machines(NOW_MS - 10_000).slice(0, 2) }, undefined, {
      consolidateAfterMs: 60_000,
    });
    assert.deepEqual(one.blockers, [], 'a single node just waits');
  });

  test('of a pool under a ConsolidationPolicy names that and its open window', () => {
    const pods = [pod('web', { on: 'a', owner: 'web' })];
    const selectedBy = { policy: 'web', window: 1 };
    const nodePools = [nodePool('default', { selectedBy })];
    const found = prices({ pods, nodePools }, undefined, { consolidateAfterMs: undefined });
    assert.deepEqual(
      found.blockers.map(({ blocker }) => blocker),
      [{ kind: 'Policy', nodePool: 'default', setting: 'consolidateAfter', of: selectedBy }],
    );
  });

  test('leaves out what only a savings rule forgoes, which is priced by a plan without it', () => {
    const pods = [1, 2, 3].map((i) => pod(`web-${i}`, { on: 'a', owner: 'web' }));
    const found = prices({ pods }, undefined, { savingsThresholdCents: 10 });
    assert.deepEqual([found.blockers, found.totalCentsPerHour], [[], 0]);
    assert.deepEqual(
      found.rules?.nodes.map(({ name }) => name),
      ['a'],
    );
    assert.deepEqual([Math.round(found.rules.centsPerHour), found.rules.evictions], [20, 3]);
    assert.deepEqual(
      found.otherNodes.map(({ name }) => name),
      ['b'],
    );
    const percent = prices({ pods }, undefined, { savingsThresholdCents: 0, minSavingsPercent: 101 });
    assert.deepEqual([Math.round(percent.rules!.centsPerHour), percent.blockers], [20, []]);
    assert.equal(prices({ pods }).rules, undefined, 'the plan deletes the node');
  });

  test('leaves out what a savings rule forgoes on nodes that can only go together', () => {
    // Too large for a smaller type or for another node; three fit on one large node.
    const objects = {
      pods: ['a', 'b', 'c'].map((on) => pod(`web-${on}`, { on, cpu: 2100, owner: 'web' })),
      machines: ['a', 'b', 'c'].map((name) => machine(name)),
      nodePools: [
        nodePool('default', { requirements: [{ key: CAPACITY_TYPE, operator: 'In' as const, values: [ON_DEMAND] }] }),
      ],
    };
    const free = prices(objects);
    assert.ok(free.plannedSavingsCentsPerHour > 0 && free.rules === undefined);
    const found = prices(objects, undefined, { savingsThresholdCents: 4 });
    assert.deepEqual([found.plannedSavingsCentsPerHour, found.blockers], [0, []]);
    assert.deepEqual(
      found.rules?.nodes.map(({ name }) => name),
      ['a', 'b', 'c'],
    );
    assert.equal(found.rules.centsPerHour, free.plannedSavingsCentsPerHour);
  });

  test('of a node that a savings rule would keep too does not hide the rule of others', () => {
    const pods = ['a', 'c'].map((on) =>
      pod(`web-${on}`, { on, owner: 'web', doNotDisrupt: on === 'c' ? 'true' : undefined }),
    );
    const machines = [machine('a'), machine('b', { state: 'unmanaged' }), machine('c')];
    const found = prices({ pods, machines }, undefined, { savingsThresholdCents: 15 });
    assert.deepEqual(figures(found), [['PodAnnotation', 0, 0, 'c']]);
    assert.deepEqual([found.rules?.nodes.map(({ name }) => name), Math.round(found.rules!.centsPerHour)], [['a'], 20]);
  });

  test('of a namespace is that of all its blockers together', () => {
    const two = ['a', 'b'].map((on) => pod(`job-${on}`, { on, doNotDisrupt: 'true', owner: on, namespace: 'shop' }));
    const other = pod('db', { on: 'c', doNotDisrupt: 'true', owner: 'db', namespace: 'data' });
    const machines = [...['a', 'b', 'c'].map((name) => machine(name)), machine('d', { state: 'unmanaged' })];
    const found = prices({ pods: [...two, other], machines }, { blockers: 20, namespaces: 20 });
    assert.deepEqual(
      found.namespaces.map((n) => [n.namespace, Math.round(n.aloneCentsPerHour!), Math.round(n.jointCentsPerHour!)]),
      [
        ['shop', 40, 40],
        ['data', 20, 20],
      ],
    );
  });

  test('is not tried any more when there is no more time', () => {
    const two = ['a', 'b'].map((on) => pod(`job-${on}`, { on, doNotDisrupt: 'true', owner: on }));
    let trials = 0;
    const mayGoOn = () => trials++ === 0;
    const found = prices({ pods: two, machines: [machine('a'), machine('b')] }, { blockers: 20, mayGoOn });
    assert.deepEqual(
      found.blockers.map((b) => b.aloneCentsPerHour === undefined),
      [false, true],
    );
    assert.ok(found.totalCentsPerHour > 0);
  });

  test('is not tried beyond the limit', () => {
    const found = prices(
      { pods: [pod('job', { on: 'a', doNotDisrupt: 'true' })], machines: [machine('a')] },
      { blockers: 1 },
    );
    assert.equal(figures(found).length, 1);
    const two = ['a', 'b'].map((on) => pod(`job-${on}`, { on, doNotDisrupt: 'true', owner: on }));
    const limited = prices({ pods: two, machines: [machine('a'), machine('b')] }, { blockers: 1 });
    assert.deepEqual(
      limited.blockers.map((b) => b.aloneCentsPerHour === undefined),
      [false, true],
    );
  });
});

test('progress counts plans that are made, never falls, and ends with all of the work', () => {
  const objects = cluster({
    machines: [machine('a'), machine('b', { state: 'unmanaged' }), machine('c')],
    pods: [
      pod('job', { on: 'a', doNotDisrupt: 'true', owner: 'job' }),
      pod('db', { on: 'a', labels: { app: 'db' }, owner: 'db' }),
      pod('task', { on: 'c', doNotDisrupt: 'true', owner: 'task' }),
    ],
    podDisruptionBudgets: [podDisruptionBudget('db', 'db', { disruptionsAllowed: 0 })],
  });
  const seen = [
    ...priceBlockers(
      { objects, rules: rules({}, { utilizationThreshold: 1 }) },
      { search: 'merged' },
      { blockers: 20 },
    ),
  ];
  const shares = seen.map(({ share }) => share);
  assert.deepEqual(shares, shares.toSorted());
  // As things are, without any, each of three alone, and both of node a together.
  const known = seen.filter(({ done }) => done > 0);
  assert.deepEqual([...new Set(known.map(({ plans }) => plans))], [6]);
  const { done, share } = seen[seen.length - 1];
  assert.deepEqual([done, share], [6, 1]);
});
