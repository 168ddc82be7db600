import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeApi } from '../../test/build/fake-api.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { logLines } from '../../test/build/log-lines.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import type { PolicyObject } from '../config/policy-object.ts';
import { type PolicyStatus, policyStatus } from '../config/policy-status.ts';
import type { NodePoolObject } from '../engine/cluster/objects.ts';
import { ApiError } from '../live/api-client.ts';
import { StatusWriter } from './status-writer.ts';

const HANDED_OVER = { consolidateAfterMs: undefined, labels: { team: 'shop' } };

function policy(name: string, sketch: object = {}, generation = 1): PolicyObject {
  const spec = { nodePoolSelector: { matchLabels: { team: 'shop' } }, consolidateAfter: '0s', ...sketch };
  return { kind: 'ConsolidationPolicy', apiVersion: 'decant.sh/v1alpha1', name, spec, generation };
}

const pools = (sketch: Partial<NodePoolObject> = HANDED_OVER) => [
  nodePool('web', sketch),
  nodePool('other', { labels: { team: 'other' } }),
];

async function statuses(policies: readonly PolicyObject[], nodePools = pools(), mode: 'observe' | 'act' = 'act') {
  const port = new FakeCluster(
    { nodePools, machines: [machine('a', { pool: 'web' }), machine('b', { pool: 'other' })], pods: [] },
    { policies },
  );
  const { poolGovernance, pass } = await controllerOn(port, { mode, interlock: true }).reconcile();
  const api = new FakeApi();
  const clock = { ms: Date.parse('2026-08-20T12:00:00Z') };
  const writer = new StatusWriter({ client: api, log: logLines().log, nowMs: () => clock.ms });
  const sources = { view: port.view()!, poolGovernance, pools: pass?.pools, mode };
  await writer.update(sources);
  return { api, writer, clock, sources, written: api.bodies<{ status: PolicyStatus }>('PATCH').map((b) => b.status) };
}

const inShort = ({ conditions }: PolicyStatus) => conditions.map((c) => `${c.type}=${c.status} ${c.reason}`);

describe('the status of a policy', () => {
  test('in force: its pools, nodes, commands and money', async () => {
    const { api, written } = await statuses([policy('shop', {}, 7)]);
    const [status] = written;
    assert.equal(api.asked.at(-1)?.path, '/apis/decant.sh/v1alpha1/consolidationpolicies/shop/status');
    assert.equal(api.asked.at(-1)?.contentType, 'application/merge-patch+json');
    assert.deepEqual(inShort(status), [
      'Ready=True Acting',
      'Conflict=False OnlyPolicy',
      'Interlocked=False KarpenterIsOff',
    ]);
    const { conditions, ...numbers } = status;
    assert.deepEqual(numbers, {
      observedGeneration: 7,
      nodePools: 1,
      nodes: 1,
      openCommands: 1,
      currentCentsPerHour: 20,
      plannedCentsPerHour: 0,
    });
    assert.ok(conditions.every((c) => c.observedGeneration === 7 && c.lastTransitionTime === '2026-08-20T12:00:00Z'));
    assert.deepEqual(policyStatus.parse(status), status);
  });

  test('a policy that only watches says so', async () => {
    const { written } = await statuses([policy('shop')], pools(), 'observe');
    assert.equal(inShort(written[0])[0], 'Ready=True Observing');
  });

  test('two policies on one pool: both say so, and name the other', async () => {
    const { written } = await statuses([policy('one'), policy('two')]);
    for (const status of written)
      assert.deepEqual(inShort(status).slice(0, 2), ['Ready=False Conflict', 'Conflict=True SeveralPolicies']);
    assert.equal(written[0].conditions[1].message, 'NodePool web is also selected by two');
    assert.equal(written[1].conditions[1].message, 'NodePool web is also selected by one');
  });

  test('a pool that Karpenter consolidates', async () => {
    const { written } = await statuses([policy('shop')], pools({ labels: { team: 'shop' } }));
    assert.deepEqual(inShort(written[0]), [
      'Ready=False Interlocked',
      'Conflict=False OnlyPolicy',
      'Interlocked=True KarpenterConsolidates',
    ]);
    assert.match(
      written[0].conditions[2].message,
      /is on in NodePool web: set spec\.disruption\.consolidateAfter to Never/,
    );
  });

  test('a policy that is no good, whether it selects something or not', async () => {
    const { written } = await statuses([
      policy('shop', { consolidateAfter: 'soon' }),
      policy('lost', { nodePoolSelector: 1 }),
    ]);
    assert.deepEqual(
      written.map((s) => inShort(s)[0]),
      ['Ready=False Invalid', 'Ready=False Invalid'],
    );
    assert.match(
      written[0].conditions[0].message,
      /^ConsolidationPolicy\/shop: spec\.consolidateAfter: "soon": allowed: /,
    );
    assert.deepEqual(
      written.map((s) => s.nodePools),
      [1, 0],
    );
  });

  test('a policy that selects nothing', async () => {
    const { written } = await statuses([policy('shop', { nodePoolSelector: { matchLabels: { team: 'none' } } })]);
    assert.equal(inShort(written[0])[0], 'Ready=False NoNodePools');
  });
});

describe('a status is written', () => {
  test('once, as long as nothing changes', async () => {
    const { api, writer, clock, sources } = await statuses([policy('shop')]);
    clock.ms += 3_600_000;
    await writer.update(sources);
    assert.deepEqual(
      api.asked.map((r) => r.method),
      ['GET', 'PATCH'],
    );
  });

  test('for numbers at most every 30 s, and not for pennies', async () => {
    const { api, writer, clock, sources } = await statuses([policy('shop')]);
    const updateWith = (cents: number) => {
      const web = { ...sources.pools!.get('web')!, centsPerHour: cents };
      return writer.update({ ...sources, pools: new Map([['web', web]]) });
    };
    clock.ms += 10_000;
    assert.equal(await updateWith(30), 20_000);
    assert.equal(api.bodies('PATCH').length, 1);
    clock.ms += 20_000;
    assert.equal(await updateWith(20.1), undefined);
    assert.equal(api.bodies('PATCH').length, 1);
    await updateWith(30);
    assert.equal(api.bodies<{ status: PolicyStatus }>('PATCH')[1].status.currentCentsPerHour, 30);
  });

  test('at once when something comes about; what stays keeps its time', async () => {
    const { api, writer, clock, sources } = await statuses([policy('shop')]);
    clock.ms += 5_000;
    const poolGovernance = new Map(sources.poolGovernance);
    poolGovernance.set('web', { ...poolGovernance.get('web')!, blockReason: { code: 'interlock' } });
    await writer.update({ ...sources, poolGovernance });
    const { conditions } = api.bodies<{ status: PolicyStatus }>('PATCH')[1].status;
    assert.deepEqual(
      conditions.map((c) => [c.type, c.lastTransitionTime]),
      [
        ['Ready', '2026-08-20T12:00:05Z'],
        ['Conflict', '2026-08-20T12:00:00Z'],
        ['Interlocked', '2026-08-20T12:00:05Z'],
      ],
    );
  });

  test('again next time if it failed; of a policy that is gone, never', async () => {
    const { sources } = await statuses([policy('shop')]);
    let status = 500;
    const api = new FakeApi(({ method }) => {
      if (method === 'PATCH' && status !== 200) throw new ApiError('no', { status, reason: 'no' });
      return {};
    });
    const { log, lines } = logLines();
    const writer = new StatusWriter({ client: api, log, nowMs: () => 0 });
    await writer.update(sources);
    assert.equal(lines.length, 1);
    status = 404;
    await writer.update(sources);
    assert.equal(lines.length, 1);
    status = 200;
    await writer.update(sources);
    await writer.update(sources);
    assert.equal(api.bodies('PATCH').length, 3);
  });
});
