// One `decant run` beside many NodePools that differ in one thing each: those that something speaks against are left
// alone, and it is told why; the same pools without it are consolidated.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Cluster } from './cluster.ts';
import { DecantRun } from './decant-run.ts';
import { installDecant } from './live.ts';
import { fillAndScaleDown, type PoolOptions, scenarioPods, scenarioPolicy, scenarioPool } from './scenario-pools.ts';

interface Gate {
  readonly name: string;
  readonly pool?: PoolOptions;
  readonly policy?: object;
  /** Instead of one that remains. */
  readonly pods?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Reason and note of the event on the NodeClaim. */
  readonly event: readonly [reason: string, note: RegExp];
  /** In decant_refused_nodes. */
  readonly code: string;
  /** The policy once the gate is opened; undefined: it stays as it is. */
  readonly opened?: object;
}

/** Always open, at every minute. */
const EVERY_MINUTE = { schedule: '* * * * *', duration: '2m' };

const GATES: readonly Gate[] = [
  {
    name: 'threshold',
    policy: { consolidationSavingsThresholdCents: '50' },
    event: [
      'Unconsolidatable',
      /^consolidation blocked: savings [\d.]+ cents\/hr below required [\d.]+ cents\/hr \(disruption_cost=[\d.]+, threshold=50\)$/,
    ],
    code: 'savings-below-threshold',
    opened: {},
  },
  {
    name: 'percent',
    policy: { consolidationMinSavingsPercent: '99' },
    event: ['Unconsolidatable', /% of the price of what it removes, 99 % is required/],
    code: 'savings-below-percent',
    opened: {},
  },
  {
    name: 'when-empty',
    policy: { consolidationPolicy: 'WhenEmpty' },
    event: ['Unconsolidatable', /has consolidation policy WhenEmpty, and 1 pod/],
    code: 'policy-when-empty',
    opened: { consolidationPolicy: 'WhenCheaper' },
  },
  {
    // What it saves is a smaller share of the pool's price than what it moves is of its disruption, which is all of it.
    name: 'balanced',
    policy: { consolidationPolicy: 'Balanced', balancedK: 1 },
    event: ['Unconsolidatable', /^policy Balanced of NodePool "balanced": score 0\.\d+ below 1\.00$/],
    code: 'balanced-score',
    opened: { consolidationPolicy: 'Balanced', balancedK: 2 },
  },
  {
    name: 'utilization',
    pods: 3,
    event: ['Unconsolidatable', /^utilization \d+ % is above the threshold of 15 %$/],
    code: 'utilization',
  },
  {
    name: 'budget',
    policy: { budgets: [{ nodes: '0' }] },
    event: ['Unconsolidatable', /the disruption budget of NodePool "budget" allows no more nodes now/],
    code: 'budget',
    opened: { budgets: [{ nodes: '1' }] },
  },
  {
    name: 'window',
    policy: { budgets: [{ nodes: '100%' }, { nodes: '0', ...EVERY_MINUTE }] },
    event: ['Unconsolidatable', /the disruption budget of NodePool "window" allows no more nodes now/],
    code: 'budget',
    // Opens once a year, for a second.
    opened: { budgets: [{ nodes: '100%' }, { nodes: '0', schedule: '0 0 29 2 *', duration: '1m' }] },
  },
  {
    name: 'pod-annotation',
    annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
    event: ['DisruptionBlocked', /has the annotation karpenter\.sh\/do-not-disrupt: "true"$/],
    code: 'pod-annotation',
  },
  {
    name: 'node-annotation',
    pool: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
    event: ['DisruptionBlocked', /annotation karpenter\.sh\/do-not-disrupt on the node$/],
    code: 'node-annotation',
  },
];

/** Karpenter would consolidate it itself, if not within this test. */
const INTERLOCKED = 'interlocked';
const FREE = 'free';
const STATIC = 'static';
const GRACE = 'grace';
const NAMES = [...GATES.map(({ name }) => name), INTERLOCKED, FREE, GRACE];

let cluster: Cluster;
let run: DecantRun;
/** By scenario: the NodeClaim that it began with. */
const firstClaims = new Map<string, string>();

before(async () => {
  cluster = await Cluster.start({ karpenterEnv: { FEATURE_GATES: 'StaticCapacity=true' } });
  await installDecant(cluster);
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
  await cluster.apply(
    ...GATES.map(({ name, pool }) => scenarioPool(name, pool)),
    scenarioPool(INTERLOCKED, { disruption: { consolidateAfter: '2h' } }),
    scenarioPool(FREE),
    scenarioPool(GRACE, { instanceTypes: ['c-8x-amd64-linux'] }),
    scenarioPolicy(GRACE, { consolidationGracePeriod: '1h' }),
    scenarioPool(STATIC, { spec: { replicas: 1 } }),
    ...GATES.map(({ name, policy }) => scenarioPolicy(name, policy)),
    ...[INTERLOCKED, FREE, STATIC].map((name) => scenarioPolicy(name)),
  );
  const annotationsOf = new Map(GATES.map((gate) => [gate.name, gate.annotations]));
  await cluster.apply(...NAMES.map((name) => scenarioPods(name, 7, annotationsOf.get(name))));
  const left = Object.fromEntries(NAMES.map((name) => [name, GATES.find((gate) => gate.name === name)?.pods ?? 1]));
  await fillAndScaleDown(cluster, left);
  for (const name of [...NAMES, STATIC]) firstClaims.set(name, (await claimsOf(name)).join());
  run = await DecantRun.start(cluster, { flags: ['--mode', 'act', '--scaledown-utilization-threshold', '0.15'] });
  await cluster.until('the free pool is consolidated', () => isReplaced(FREE), { timeoutMs: 240_000 });
});
after(async () => {
  await run?.[Symbol.asyncDispose]();
  await cluster?.plane.stop();
});

async function claimsOf(pool: string): Promise<readonly string[]> {
  const claims = await cluster.list('nodeclaims', '-l', `karpenter.sh/nodepool=${pool}`);
  return claims.map(({ metadata }) => metadata.name);
}

async function isReplaced(pool: string): Promise<boolean> {
  const claims = await claimsOf(pool);
  return claims.length === 1 && claims[0] !== firstClaims.get(pool);
}

async function statusOf(name: string) {
  const policy = (await cluster.list('consolidationpolicies')).find(({ metadata }) => metadata.name === name);
  const conditions = policy?.status?.conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);
  return { ...policy?.status, conditions };
}

describe('refused nodes', () => {
  for (const { name, event, code } of GATES) {
    test(name, async () => {
      const [reason, note] = event;
      await cluster.until(`an event says ${reason}`, async () =>
        (await cluster.list('events')).some(
          ({ involvedObject, reason: said, message }) =>
            involvedObject.name === firstClaims.get(name) && said === reason && note.test(message),
        ),
      );
      assert.deepEqual(await claimsOf(name), [firstClaims.get(name)]);
      // Metrics are of the last pass, and the status is written after the events.
      await run.until('it is counted', async () => ((await run.metric('decant_refused_nodes', { code })) ?? 0) >= 1);
      assert.equal(await run.metric('decant_nodes', { nodepool: name }), 1);
      const { conditions, nodePools, nodes, currentCentsPerHour, plannedCentsPerHour } = await cluster.until(
        'its policy has a status',
        async () => {
          const status = await statusOf(name);
          return status.nodes === 1 && status;
        },
      );
      assert.deepEqual(conditions, [
        'Ready=True Acting',
        'Conflict=False OnlyPolicy',
        'Interlocked=False KarpenterIsOff',
      ]);
      assert.deepEqual([nodePools, nodes], [1, 1]);
      assert.ok(currentCentsPerHour! > 0 && plannedCentsPerHour === currentCentsPerHour);
    });
  }

  test('the savings threshold has its metric, and its line in the log at info level', async () => {
    const blocked = 'karpenter_consolidation_threshold_blocked_total';
    assert.ok(((await run.metric(blocked, { nodepool: 'threshold' })) ?? 0) >= 1);
    assert.equal(await run.metric(blocked, { nodepool: FREE }), 0);
    const line = run.lines.find(({ message }) => message.startsWith('consolidation blocked: savings'));
    assert.deepEqual([line?.level, line?.nodepool], ['info', 'threshold']);
  });

  test('a pool under Karpenter’s own consolidation is watched and not touched', async () => {
    assert.deepEqual(await claimsOf(INTERLOCKED), [firstClaims.get(INTERLOCKED)]);
    const { conditions } = await cluster.until('its policy has a status', async () => {
      const status = await statusOf(INTERLOCKED);
      return status.conditions !== undefined && status;
    });
    assert.deepEqual(conditions, [
      'Ready=False Interlocked',
      'Conflict=False OnlyPolicy',
      'Interlocked=True KarpenterConsolidates',
    ]);
    assert.equal(await run.metric('decant_hindered_nodepools', { reason: 'interlock' }), 1);
    await cluster.until('an event says so', async () =>
      (await cluster.list('events')).some(
        (e) => e.reason === 'ConsolidationInterlocked' && e.involvedObject.name === INTERLOCKED,
      ),
    );
  });
});

test('the empty node of a static pool stays', async () => {
  assert.deepEqual(await claimsOf(STATIC), [firstClaims.get(STATIC)]);
  await cluster.until('an event says why', async () =>
    (await cluster.list('events')).some(
      (e) => e.involvedObject.name === firstClaims.get(STATIC) && /is static/.test(e.message),
    ),
  );
});

test('a valid move is executed, and reported from beginning to end', async () => {
  // The claim is gone a moment before the command is done.
  const events = await cluster.until('the end is told', async () => {
    const all = await cluster.list('events');
    return all.some((e) => e.reason === 'Consolidated' && e.involvedObject.name === FREE) && all;
  });
  const told = events.filter((e) => e.involvedObject.name === firstClaims.get(FREE)).map((e) => e.reason);
  for (const reason of ['ConsolidationCandidate', 'DisruptionLaunching', 'DisruptionTerminating'])
    assert.ok(told.includes(reason), `${reason} in ${told}`);
  await run.until(
    'it is counted',
    async () => ((await run.metric('decant_decisions_total', { kind: 'replace', outcome: 'done' })) ?? 0) >= 1,
  );
  const [predicted, realised] = await Promise.all(
    ['predicted', 'realised'].map((what) => run.metric(`decant_${what}_savings_dollars_per_hour_total`)),
  );
  assert.ok(predicted! > 0 && Math.abs(predicted! - realised!) < 1e-9, `${predicted} predicted, ${realised} realised`);
  const tainted = (await cluster.list('nodes')).filter((n) =>
    n.spec.taints?.some((t) => t.key.startsWith('karpenter.sh/')),
  );
  assert.deepEqual(tainted, []);
});

test('two policies on one pool: both say so, and nothing is done', async () => {
  const second = scenarioPolicy('second') as { spec: object };
  const spec = { ...second.spec, nodePoolSelector: { matchLabels: { scenario: FREE } } };
  await cluster.apply({ ...second, spec });
  await cluster.until('both say so', async () => {
    const both = await Promise.all([statusOf(FREE), statusOf('second')]);
    return both.every(({ conditions }) => conditions?.[1] === 'Conflict=True SeveralPolicies');
  });
  await cluster.plane.kubectl(['delete', 'consolidationpolicy', 'second']);
  await cluster.until('it is over', async () => (await statusOf(FREE)).conditions?.[0] === 'Ready=True Acting');
});

test('a grace period holds although there would be something to do by now, and not without it', async () => {
  // At first there was no smaller type: the node was evaluated without result, and is protected from then on.
  await cluster.apply(scenarioPool(GRACE));
  const refused = async (code: string) => (await run.metric('decant_refused_nodes', { code })) ?? 0;
  await run.until('only the grace period speaks against it', async () => (await refused('grace-period')) === 1);
  await cluster.until('an event says so', async () =>
    (await cluster.list('events')).some(
      (e) =>
        e.involvedObject.name === firstClaims.get(GRACE) && /protected by consolidationGracePeriod/.test(e.message),
    ),
  );
  assert.deepEqual(await claimsOf(GRACE), [firstClaims.get(GRACE)]);
  await cluster.apply(scenarioPolicy(GRACE));
  await cluster.until('it is consolidated', () => isReplaced(GRACE), { timeoutMs: 240_000 });
});

test('the same pools without it are consolidated', async () => {
  const openable = GATES.filter(({ opened }) => opened !== undefined);
  await cluster.apply(...openable.map(({ name, opened }) => scenarioPolicy(name, opened)));
  for (const { name } of openable)
    await cluster.until(`${name} is consolidated`, () => isReplaced(name), { timeoutMs: 240_000 });
  await cluster.settled(NAMES.length + 2);
  for (const name of ['utilization', 'pod-annotation', 'node-annotation', INTERLOCKED, STATIC])
    assert.deepEqual(await claimsOf(name), [firstClaims.get(name)], name);
});

test('the switch of the process too: with the usual utilization threshold the node goes', async () => {
  assert.deepEqual(await run.stop(), { code: 0, signal: null });
  const lease = await cluster.plane.kubectl([
    'get',
    'lease',
    'decant',
    '-n',
    'kube-system',
    '-o',
    'jsonpath={.spec.holderIdentity}',
  ]);
  assert.equal(lease, '', 'the Lease is given back');
  run = await DecantRun.start(cluster, { flags: ['--mode', 'act'] });
  await cluster.until('it is consolidated', () => isReplaced('utilization'), { timeoutMs: 240_000 });
  assert.deepEqual(await claimsOf(INTERLOCKED), [firstClaims.get(INTERLOCKED)]);
  assert.deepEqual((await run.get('/readyz')).status, 200);
  // The claim is gone a moment before the command is written down as done.
  await cluster.until('no command is open', async () => {
    const commands = await cluster.list('consolidationcommands');
    return commands.every(({ status }) => ['Done', 'Abandoned'].includes(status.phase));
  });
});

test('policies for single nodes, or for several together only', async () => {
  const [pool, dear, large] = ['pair', 'm-2x-amd64-linux', 'c-4x-amd64-linux'];
  const types = async () =>
    (await cluster.list('nodeclaims', '-l', `karpenter.sh/nodepool=${pool}`))
      .map(({ metadata }) => metadata.labels?.['node.kubernetes.io/instance-type'])
      .sort();
  const untilTypes = (...wanted: readonly string[]) =>
    cluster.until(`${pool} has ${wanted}`, async () => (await types()).join() === wanted.join(), {
      timeoutMs: 240_000,
    });
  const said = (note: RegExp) =>
    cluster.until(`an event says ${note}`, async () =>
      (await cluster.list('events')).some(
        ({ involvedObject: { kind, name }, message }) =>
          kind === 'NodeClaim' && name?.startsWith(`${pool}-`) && note.test(message),
      ),
    );
  const under = (consolidationPolicy: string) => cluster.apply(scenarioPolicy(pool, { consolidationPolicy }));
  // Two nodes that nothing is cheaper than for one pod; the two of them cost more than one with room for both.
  await cluster.apply(scenarioPool(pool, { instanceTypes: [dear] }), scenarioPods(pool, 2));
  await untilTypes(dear, dear);
  await under('WhenCheaper');
  await cluster.apply(scenarioPool(pool, { instanceTypes: [dear, large] }));
  await said(/cheaper/);
  await untilTypes(dear, dear);
  assert.ok(((await run.metric('decant_refused_nodes', { code: 'not-cheaper' })) ?? 0) >= 2);
  await under('WhenUnderutilized');
  await untilTypes(large);
  // Now there is one pod, and one node that is too large for it: no other to go with.
  await cluster.scale(pool, 1);
  await said(/WhenUnderutilized/);
  await untilTypes(large);
  assert.ok(((await run.metric('decant_refused_nodes', { code: 'single-node-disabled' })) ?? 0) >= 1);
  await under('WhenEmptyOrUnderutilized');
  await untilTypes(dear);
});
