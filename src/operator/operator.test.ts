import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { cluster } from '../../test/build/cluster.ts';
import { FakeApi } from '../../test/build/fake-api.ts';
import { logLines } from '../../test/build/log-lines.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { ObjectServer } from '../../test/build/object-server.ts';
import { DEFAULT_CONTROLLER_SETTINGS } from '../config/controller-settings.ts';
import type { Command } from '../controller/command.ts';
import { DISRUPTED_TAINT } from '../engine/cluster/well-known.ts';
import { DEFAULT_OPTIONS } from '../kube/decode/karpenter-options.ts';
import { writeSnapshot } from '../kube/encode/snapshot.ts';
import type { ApiClient, ApiRequest } from '../live/api-client.ts';
import { ApiError } from '../live/api-client.ts';
import { commandObject } from '../live/journal-object.ts';
import { JOURNAL_RESOURCE, pathOf, RESOURCES } from '../live/resource.ts';
import { Operator } from './operator.ts';

const OBJECTS = cluster({
  nodePools: [nodePool('default', { consolidateAfterMs: undefined })],
  machines: [machine('a'), machine('b')],
  pods: [],
});

/** Two empty nodes in a pool that is ours, a Lease, and a place for events. */
class Stage {
  readonly objects = new ObjectServer();
  /** Every write, with whether the Lease was renewed in time for it. */
  readonly writes: ApiRequest[] = [];
  readonly lines = logLines();
  lease: { metadata: { resourceVersion: string }; spec: { holderIdentity: string } } | undefined;
  readonly operator: Operator;

  /** How far the API server's clock is ahead of ours. */
  private readonly aheadMs: number;

  constructor(onWritten: (request: ApiRequest) => void = () => {}, aheadMs = 0, webhook?: string) {
    this.aheadMs = aheadMs;
    for (const object of writeSnapshot(OBJECTS).objects) {
      const resource = RESOURCES[object.kind as keyof typeof RESOURCES];
      this.objects.put(pathOf(resource), object as never);
    }
    this.objects.put('/apis/decant.sh/v1alpha1/consolidationpolicies', {
      metadata: { name: 'all' },
      spec: { nodePoolSelector: {}, consolidateAfter: '0s' },
    });
    this.operator = new Operator({
      client: this.client(),
      mode: 'act',
      settings: DEFAULT_CONTROLLER_SETTINGS,
      times: { validationMs: 10, pollMs: 10 },
      blockersEveryMs: 3_600_000,
      loadCatalog: async () => ({ types: OBJECTS.instanceTypes, origin: { name: 'test' } }),
      karpenter: DEFAULT_OPTIONS,
      lease: { namespace: 'ops', name: 'decant', times: { leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 20 } },
      identity: 'me',
      version: '0',
      ...(webhook === undefined ? {} : { webhook: { url: webhook, format: 'json' as const } }),
      log: this.lines.log,
      onWritten: (request) => {
        this.writes.push(request);
        onWritten(request);
      },
      onFatal: (why) => assert.fail(why),
    });
  }

  private client(): ApiClient {
    const side = new FakeApi(({ method, body }) => {
      if (method === 'GET' && this.lease === undefined) throw new ApiError('none', { status: 404, reason: 'NotFound' });
      if (method === 'GET') return this.lease;
      const given = body as { kind: string; spec: { holderIdentity: string } };
      if (given.kind === 'Lease')
        this.lease = { metadata: { resourceVersion: `${side.asked.length}` }, spec: given.spec };
      return this.lease ?? {};
    });
    const isAside = (path: string) => /\/(leases|events)(\/|$)/.test(path) || path.endsWith('/status');
    return {
      request: (request) => (isAside(request.path) ? side : this.objects).request(request),
      stream: (request) => this.objects.stream(request),
      nowMs: () => Date.now() + this.aheadMs,
    };
  }

  of(part: string): number {
    return this.writes.filter(({ path }) => path.includes(part)).length;
  }

  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const TAINTS = pathOf(RESOURCES.Node);

test('both nodes go; at the end the Lease is given back and nothing is written any more', async () => {
  const stage = new Stage();
  await stage.operator.start(0, '127.0.0.1');
  await stage.until(() => stage.of('/nodeclaims/') === 2);
  const tainted = stage.writes.filter(
    ({ path, body }) => path.startsWith(`${TAINTS}/`) && JSON.stringify(body).includes(DISRUPTED_TAINT.key),
  );
  assert.equal(new Set(tainted.map(({ path }) => path)).size, 2);
  await stage.operator.stop();
  assert.equal(stage.lease?.spec.holderIdentity, '');
  const { length } = stage.writes;
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(stage.writes.length, length);
});

test('a wrong clock is reported once, and commands are dated by the API server’s clock', async () => {
  const stage = new Stage(undefined, 600_000);
  await stage.operator.start(0, '127.0.0.1');
  await stage.until(() => stage.of('/nodeclaims/') === 2);
  await stage.operator.stop();
  const told = stage.lines.lines.filter(({ message }) => message.startsWith('clock is'));
  assert.deepEqual(
    told.map(({ level, message }) => [level, message]),
    [['warn', "clock is 600 s behind the API server: using the API server's time"]],
  );
  const { body } = stage.writes.find(
    ({ path, method }) => method === 'POST' && path.includes('consolidationcommands'),
  )!;
  const decidedMs = Date.parse((body as { spec: { decidedAt: string } }).spec.decidedAt);
  assert.ok(decidedMs - Date.now() > 500_000, `${decidedMs}`);
});

test('a leader that was held up for longer than its Lease allows writes nothing before it has renewed it', async () => {
  let order: string[] = [];
  let heldUp = false;
  const stage = new Stage(({ path }) => {
    order.push(path.includes('/leases') ? 'lease' : path.startsWith(`${TAINTS}/`) ? 'taint' : 'other');
    if (heldUp || !path.startsWith(`${TAINTS}/`)) return;
    heldUp = true;
    order = [];
    // As a garbage collection or a process that is stopped: no timer runs, and the clock goes on.
    const untilMs = performance.now() + 2_100;
    while (performance.now() < untilMs);
  });
  await stage.operator.start(0, '127.0.0.1');
  await stage.until(() => stage.of('/nodeclaims/') === 2);
  await stage.operator.stop();
  assert.equal(heldUp, true);
  const taint = order.indexOf('taint');
  assert.ok(taint > 0 && order.slice(0, taint).includes('lease'), order.join());
  const refused = stage.lines.lines.find(({ message }) => message === 'write failed, retrying');
  assert.match(String(refused?.error), /leadership lost/);
});

test('a new leader first learns what the one before it wrote last, whether watches have told it or not', async () => {
  const stage = new Stage();
  const journal = pathOf(JOURNAL_RESOURCE);
  stage.lease = { metadata: { resourceVersion: 'theirs' }, spec: { holderIdentity: 'other' } };
  await stage.operator.start(0, '127.0.0.1');
  await stage.until(() => stage.operator.decisionView() !== undefined);
  stage.objects.hold();
  const nodes = [{ node: 'a', nodeClaim: 'claim-a', nodePool: 'default', centsPerHour: 20, pods: 0 }];
  const figures = { savingsCentsPerHour: 20, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 0 };
  const times = { decidedMs: OBJECTS.nowMs, phaseMs: OBJECTS.nowMs };
  const theirs = { id: '0-00', phase: 'waiting', ...times, nodes, replacements: [], workloads: {}, predicted: figures };
  stage.objects.put(journal, { ...commandObject(theirs as Command) });
  stage.lease = { metadata: { resourceVersion: 'given-back' }, spec: { holderIdentity: '' } };
  await stage.until(() => stage.of(journal) > 0);
  const [first] = stage.writes.filter(({ path }) => path.startsWith(journal));
  stage.objects.release();
  await stage.operator.stop();
  assert.deepEqual([first.method, first.path], ['PUT', `${journal}/0-00`]);
});

test('a signal in the middle: the write that is under way is the last', async () => {
  let stopping: Promise<void> | undefined;
  const stage: Stage = new Stage(({ path }) => {
    if (path.startsWith(`${TAINTS}/`)) stopping ??= stage.operator.stop();
  });
  await stage.operator.start(0, '127.0.0.1');
  await stage.until(() => stopping !== undefined);
  await stopping;
  assert.equal(stage.of(`${TAINTS}/`), 1);
  assert.equal(stage.of('/nodeclaims/'), 0);
  assert.equal(stage.lease?.spec.holderIdentity, '');
});

test('a webhook receives the completed commands', async () => {
  const told: { type: string; nodes: string[] }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text) => (body += text));
    request.on('end', () => {
      told.push(JSON.parse(body));
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stage = new Stage(undefined, 0, `http://127.0.0.1:${port}/`);
  await stage.operator.start(0, '127.0.0.1');
  const doneNodes = () => told.flatMap(({ type, nodes }) => (type === 'command-done' ? nodes : []));
  await stage.until(() => doneNodes().length === 2);
  assert.deepEqual(doneNodes().sort(), ['a', 'b']);
  await stage.operator.stop();
  await new Promise((resolve) => server.close(resolve));
});
