import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ObjectServer } from '../../test/build/object-server.ts';
import { type ClusterView, RejectedAction } from '../controller/cluster-port.ts';
import type { Command } from '../controller/command.ts';
import { ApiError } from './api-client.ts';
import { commandObject } from './journal-object.ts';
import { LiveCluster, type LiveClusterOptions } from './live-cluster.ts';
import { JOURNAL_RESOURCE, POLICY_RESOURCE, pathOf, RESOURCES } from './resource.ts';

const NODES = pathOf(RESOURCES.Node);
const PODS = pathOf(RESOURCES.Pod);
const CLAIMS = pathOf(RESOURCES.NodeClaim);
const POOLS = pathOf(RESOURCES.NodePool);
const JOURNAL = pathOf(JOURNAL_RESOURCE);

/** A live cluster before a server in memory. */
const NO_TYPES = { types: [], origin: { name: 'none' } };

class Stage {
  readonly server = new ObjectServer();
  readonly port: LiveCluster;
  changes = 0;
  private waiting: (() => void)[] = [];

  constructor(options: Partial<LiveClusterOptions> = {}) {
    this.port = new LiveCluster({
      client: this.server,
      loadCatalog: async () => NO_TYPES,
      pace: { firstMs: 1, mostMs: 4 },
      writeRate: { perSecond: 1e6, burst: 1e6 },
      ...options,
    });
    this.port.onChange(() => {
      this.changes++;
      for (const resume of this.waiting.splice(0)) resume();
    });
  }

  async view(holds: (view: ClusterView) => boolean = () => true): Promise<ClusterView> {
    this.port.start();
    for (;;) {
      const view = this.port.view();
      if (view !== undefined && holds(view)) return view;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.release();
    await this.port.stop();
  }
}

function node(name: string, taints: readonly object[] = []) {
  return { metadata: { name, labels: { zone: 'a' } }, spec: { providerID: `id-${name}`, taints } };
}

function pod(name: string, nodeName: string, more: object = {}) {
  return { metadata: { name, namespace: 'default' }, spec: { nodeName, containers: [], ...more } };
}

const COMMAND: Command = {
  id: '0mabcdefg-00',
  phase: 'waiting',
  decidedMs: 1_790_000_000_000,
  phaseMs: 1_790_000_000_000,
  nodes: [{ node: 'n', nodeClaim: 'c', nodePool: 'p', centsPerHour: 1, pods: 0 }],
  replacements: [],
  workloads: {},
  predicted: { savingsCentsPerHour: 1, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 0 },
};

interface StoredDeployment {
  readonly metadata: { readonly annotations: Readonly<Record<string, string>> };
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly metadata: { readonly annotations: Readonly<Record<string, string>> } };
  };
}

test('a view is of the moment that it is for the API server', async () => {
  const server = new ObjectServer();
  const client = Object.assign(server, { nowMs: () => 1_234_567 });
  await using stage = new Stage({ client });
  assert.equal((await stage.view()).objects.nowMs, 1_234_567);
});

describe('a view', () => {
  test('has all kinds, once all are known', async () => {
    await using stage = new Stage();
    stage.server.put(NODES, node('n'));
    stage.server.put(PODS, pod('a', 'n'));
    stage.server.put(pathOf(POLICY_RESOURCE), { metadata: { name: 'p' }, spec: { nodePoolSelector: {} } });
    stage.server.put(JOURNAL, { ...commandObject(COMMAND) });
    assert.equal(stage.port.view(), undefined);
    const { objects, commands, policies } = await stage.view();
    assert.deepEqual(
      objects.nodes.map(({ name, labels }) => [name, labels]),
      [['n', { zone: 'a' }]],
    );
    assert.deepEqual(commands, [COMMAND]);
    assert.deepEqual(policies, [
      { kind: 'ConsolidationPolicy', apiVersion: 'decant.sh/v1alpha1', name: 'p', spec: { nodePoolSelector: {} } },
    ]);
    assert.deepEqual(stage.port.health, {
      isSynced: true,
      unsynced: new Map(),
      failing: new Map(),
      forbidden: [],
      absent: [],
    });
  });

  test('shares with the one before what has not changed', async () => {
    await using stage = new Stage();
    stage.server.put(NODES, node('n'));
    stage.server.put(PODS, pod('a', 'n'));
    stage.server.put(PODS, pod('b', 'n'));
    const before = await stage.view();
    stage.server.put(PODS, pod('b', 'n', { priority: 7 }));
    const after = await stage.view(({ objects }) => objects.pods.some((p) => p.priority === 7));
    assert.equal(after.objects.nodes, before.objects.nodes);
    assert.equal(after.objects.workloads, before.objects.workloads);
    assert.equal(after.objects.pods[0], before.objects.pods[0]);
    assert.notEqual(after.objects.pods, before.objects.pods);
    // A heartbeat is not a change.
    const { changes } = stage;
    stage.server.put(NODES, { ...node('n'), status: { heartbeat: 1 } });
    stage.server.put(PODS, pod('b', 'n'));
    await stage.view(({ objects }) => !objects.pods.some((p) => p.priority === 7));
    assert.equal(stage.changes, changes + 1);
  });

  test('leaves out pods whose node is not known yet', async () => {
    await using stage = new Stage();
    stage.server.put(PODS, pod('a', 'late'));
    assert.deepEqual((await stage.view()).objects.pods, []);
    stage.server.put(NODES, node('late'));
    const { objects } = await stage.view((view) => view.objects.pods.length === 1);
    assert.equal(objects.pods[0].name, 'a');
  });

  test('gives pods the priority of their class, now and when it changes', async () => {
    await using stage = new Stage();
    const classes = pathOf(RESOURCES.PriorityClass);
    stage.server.put(NODES, node('n'));
    stage.server.put(PODS, pod('a', 'n', { priorityClassName: 'high' }));
    stage.server.put(PODS, pod('b', 'n', { priorityClassName: 'system-node-critical' }));
    stage.server.put(PODS, pod('c', 'n', { priorityClassName: 'high', priority: 3 }));
    const prioritiesIn = ({ objects }: ClusterView) => objects.pods.map(({ priority }) => priority);
    assert.deepEqual(prioritiesIn(await stage.view()), [undefined, 2_000_001_000, 3]);
    stage.server.put(classes, { metadata: { name: 'high' }, value: 1000 });
    await stage.view((view) => prioritiesIn(view)[0] === 1000);
    stage.server.remove(classes, 'high');
    assert.deepEqual(prioritiesIn(await stage.view((view) => prioritiesIn(view)[0] === undefined)).at(-1), 3);
  });

  test('has no private data', async () => {
    await using stage = new Stage();
    const SECRET = 'hunter2';
    const container = { name: 'main', env: [{ name: 'PASSWORD', value: SECRET }], command: [SECRET], resources: {} };
    const metadata = { annotations: { [SECRET]: SECRET }, managedFields: [SECRET], finalizers: [SECRET] };
    stage.server.put(NODES, { metadata: { ...metadata, name: 'n' }, status: { nodeInfo: { bootID: SECRET } } });
    stage.server.put(PODS, {
      metadata: { ...metadata, name: 'a', namespace: 'default' },
      spec: { nodeName: 'n', containers: [container], initContainers: [container] },
    });
    stage.server.put(CLAIMS, {
      metadata: { ...metadata, name: 'c' },
      spec: { kubelet: SECRET },
      status: { imageID: SECRET },
    });
    const { objects } = await stage.view();
    assert.equal(objects.pods.length, 1);
    assert.ok(!JSON.stringify(objects).includes(SECRET));
  });

  test('names a command that cannot be read, and its nodes if these can', async () => {
    await using stage = new Stage();
    const { spec, ...rest } = commandObject(COMMAND);
    const put = (name: string, more: object) =>
      stage.server.put(JOURNAL, { ...rest, metadata: { name }, spec: { ...spec, ...more } });
    put('no-nodes', { nodes: 'x' });
    put('nodes', { decidedAt: 'tomorrow' });
    const { objects, commands } = await stage.view();
    assert.deepEqual(commands, []);
    const named = objects.undecodable.map(({ kind, name, nodeNames, problem }) => [kind, name, nodeNames, problem]);
    assert.deepEqual(named.sort(), [
      ['ConsolidationCommand', 'no-nodes', undefined, 'spec.nodes: "x": allowed: a list of nodes'],
      ['ConsolidationCommand', 'nodes', COMMAND.nodes.map(({ node }) => node), named[1][3]],
    ]);
    assert.match(String(named[1][3]), /^spec\.decidedAt: "tomorrow"/);
  });
});

/** What kube-apiserver 1.36 accepts of a user who may only write to a namespace. */
const ATTACKS: Readonly<Record<string, object>> = {
  'requests beyond int64': { containers: [{ name: 'c', resources: { requests: { cpu: '1e102' } } }] },
  'extended resources beyond int64': { containers: [{ name: 'c', resources: { requests: { 'a.b/c': '1e999' } } }] },
  'init containers beyond int64': { initContainers: [{ name: 'c', resources: { requests: { memory: '1e102' } } }] },
  'a toleration for ever': { tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 2 ** 63 }] },
  'an attribute called __proto__': {
    volumes: [{ name: 'v', csi: { driver: 'd', volumeAttributes: JSON.parse('{"__proto__":"z"}') } }],
  },
  'a quantity of a million digits': { containers: [{ name: 'c', resources: { requests: { cpu: '9'.repeat(1e6) } } }] },
  'an operator from the future': { tolerations: [{ key: 'a', operator: 'Near' }] },
};

describe('a view in spite of', () => {
  for (const [name, spec] of Object.entries(ATTACKS)) {
    test(name, async () => {
      await using stage = new Stage();
      stage.server.put(NODES, node('n'));
      stage.server.put(PODS, pod('good', 'n'));
      stage.server.put(PODS, pod('bad', 'n', spec));
      stage.server.put(pathOf(RESOURCES.DaemonSet), {
        metadata: { name: 'bad', namespace: 'default' },
        spec: { template: { spec: { containers: [], ...spec } } },
      });
      const { objects } = await stage.view();
      assert.ok(objects.pods.some((p) => p.name === 'good'));
      const known = [...objects.pods, ...objects.daemonSets, ...objects.undecodable].map((o) => o.name);
      assert.deepEqual(known.sort(), ['bad', 'bad', 'good']);
    });
  }

  test('more affinity terms than a pass can compare', async () => {
    await using stage = new Stage();
    stage.server.put(NODES, node('n'));
    const term = (i: number) => ({ topologyKey: 'zone', labelSelector: { matchLabels: { app: `a${i}` } } });
    const many = Array.from({ length: 700 }, (_, i) => ({ weight: 1, podAffinityTerm: term(i) }));
    const affinity = { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: many } };
    stage.server.put(PODS, pod('many', 'n', { affinity }));
    const { objects } = await stage.view();
    assert.deepEqual(
      objects.pods.map(({ name, constraints }) => [name, constraints.preferredAffinity]),
      [['many', []]],
    );
    assert.deepEqual(
      objects.undecodable.map(({ name, nodeName }) => `${name} on ${nodeName}`),
      ['many on n'],
    );
  });

  test('a PodDisruptionBudget that cannot be decoded: it blocks its namespace', async () => {
    await using stage = new Stage();
    stage.server.put(pathOf(RESOURCES.PodDisruptionBudget), {
      metadata: { name: 'bad', namespace: 'shop' },
      spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } },
    });
    const { objects } = await stage.view();
    assert.deepEqual(
      objects.podDisruptionBudgets.map((b) => [b.namespace, b.name, b.selector, b.disruptionsAllowed]),
      [['shop', 'bad', {}, 0]],
    );
    assert.equal(objects.undecodable.length, 1);
  });
});

describe('our own writes', () => {
  test('are in the next view, or there is none', async () => {
    await using stage = new Stage();
    await stage.view();
    stage.server.hold();
    await stage.port.act({ kind: 'save-command', command: COMMAND });
    assert.equal(stage.port.view(), undefined);
    stage.server.release();
    assert.deepEqual((await stage.view()).commands, [COMMAND]);
  });

  test('whose watch event does not arrive are listed', async () => {
    await using stage = new Stage({ patienceMs: 5 });
    await stage.view();
    stage.server.hold();
    await stage.port.act({ kind: 'save-command', command: COMMAND });
    // Watches stay silent, and a list tells.
    assert.deepEqual((await stage.view()).commands, [COMMAND]);
  });

  for (const [what, reason] of [
    ['an answer that never came', { status: 0, reason: 'Unreachable' }],
    ['a server that broke over it', { status: 500, reason: 'InternalError' }],
  ] as const) {
    test(`${what}: the result is unknown, so the kind is listed again`, async () => {
      await using stage = new Stage();
      await stage.view();
      stage.server.hold();
      stage.server.after = ({ method }) => {
        if (method !== 'GET') throw new ApiError(what, reason);
      };
      await assert.rejects(stage.port.act({ kind: 'save-command', command: COMMAND }), new RegExp(what));
      assert.equal(stage.port.view(), undefined);
      assert.deepEqual((await stage.view()).commands, [COMMAND]);
    });
  }

  test('of which the server says no change nothing', async () => {
    await using stage = new Stage();
    await stage.view();
    stage.server.before = ({ method }) => {
      if (method !== 'GET') throw new ApiError('no', { status: 403, reason: 'Forbidden' });
    };
    await assert.rejects(stage.port.act({ kind: 'save-command', command: COMMAND }));
    assert.deepEqual(stage.port.view()?.commands, []);
  });

  test('that are too large for the API server are rejected for good', async () => {
    await using stage = new Stage();
    await stage.view();
    stage.server.before = ({ method }) => {
      if (method !== 'GET') throw new ApiError('too large', { status: 413, reason: 'RequestEntityTooLarge' });
    };
    await assert.rejects(stage.port.act({ kind: 'save-command', command: COMMAND }), RejectedAction);
    assert.deepEqual(stage.port.view()?.commands, []);
  });

  test('that would change nothing are not made', async () => {
    await using stage = new Stage();
    stage.server.put(NODES, node('n', [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }]));
    stage.server.put(JOURNAL, { ...commandObject(COMMAND) });
    stage.server.put(CLAIMS, { metadata: { name: 'c', deletionTimestamp: '2026-08-20T12:00:00Z' } });
    await stage.view();
    await stage.port.act({ kind: 'taint', node: 'n' });
    await stage.port.act({ kind: 'save-command', command: COMMAND });
    await stage.port.act({ kind: 'delete-node-claim', command: 'x', nodeClaim: 'c' });
    await stage.port.act({ kind: 'delete-node-claim', command: 'x', nodeClaim: 'never-was' });
    await stage.port.act({ kind: 'untaint', node: 'never-was' });
    assert.deepEqual(stage.server.writes, []);
    await stage.port.act({ kind: 'untaint', node: 'n' });
    assert.equal(stage.server.writes.length, 1);
  });

  test('do not overwrite concurrent changes', async () => {
    await using stage = new Stage();
    stage.server.put(JOURNAL, { ...commandObject(COMMAND) });
    await stage.view();
    stage.server.hold();
    stage.server.put(JOURNAL, { ...commandObject({ ...COMMAND, phase: 'launching' }) });
    const ours = { ...COMMAND, reason: 'ours' };
    await assert.rejects(stage.port.act({ kind: 'save-command', command: ours }), /Conflict/);
    stage.server.release();
    await stage.view(({ commands }) => commands[0].phase === 'launching');
  });

  test('are not made by one who may not', async () => {
    let leads = true;
    const beforeWrite = () => {
      if (!leads) throw new Error('another one leads');
    };
    await using stage = new Stage({ beforeWrite });
    await stage.view();
    await stage.port.act({ kind: 'save-command', command: COMMAND });
    leads = false;
    const again = { ...COMMAND, reason: 'x' };
    await assert.rejects(stage.port.act({ kind: 'save-command', command: again }), /another one leads/);
    assert.equal(stage.server.writes.length, 1);
  });

  test('steer: a soft taint beside others, and a deletion cost that is marked and never overrides', async () => {
    await using stage = new Stage();
    const other = { key: 'team', value: 'a', effect: 'NoSchedule' };
    stage.server.put(NODES, node('n', [other]));
    const cost = 'controller.kubernetes.io/pod-deletion-cost';
    const annotated = (name: string, annotations: object) => {
      const plain = pod(name, 'n');
      return { ...plain, metadata: { ...plain.metadata, uid: `uid-${name}`, annotations } };
    };
    stage.server.put(PODS, annotated('ours', { keep: 'me' }));
    stage.server.put(PODS, annotated('theirs', { [cost]: '5' }));
    await stage.view(({ objects }) => objects.pods.length === 2 && objects.nodes.length === 1);
    await stage.port.act({ kind: 'steer-node', node: 'n', steered: true, pods: 2 });
    const steered = await stage.view(({ objects }) => objects.nodes[0].steered === true);
    assert.deepEqual(steered.objects.nodes[0].taints, [other]);
    assert.equal(steered.objects.nodes[0].steeredFrom?.pods, 2);
    const steer = (name: string, to: number | undefined) =>
      stage.port.act({ kind: 'steer-pod', namespace: 'default', name, uid: `uid-${name}`, cost: to });
    for (const name of ['ours', 'theirs']) await steer(name, -9000);
    await stage.view(({ objects }) => objects.pods.some(({ steeredCost }) => steeredCost === -9000));
    const annotations = (name: string) =>
      (stage.server.get(PODS, `default/${name}`)?.metadata as { annotations?: object } | undefined)?.annotations;
    assert.deepEqual(annotations('ours'), { keep: 'me', [cost]: '-9000', 'decant.sh/steered-cost': '-9000' });
    assert.deepEqual(annotations('theirs'), { [cost]: '5' });
    await steer('ours', undefined);
    await stage.port.act({ kind: 'steer-node', node: 'n', steered: false, pods: 2 });
    assert.deepEqual(annotations('ours'), { keep: 'me' });
    stage.server.before = ({ method }) => {
      if (method === 'PATCH') throw new ApiError('no', { status: 403, reason: 'Forbidden' });
    };
    await assert.rejects(steer('ours', -9000), RejectedAction);
  });

  test('roll: a Deployment is restarted once, restored, and has one replica more for a while', async () => {
    await using stage = new Stage();
    const deployments = pathOf(RESOURCES.Deployment);
    const template = { metadata: { annotations: { keep: 'me' } }, spec: { containers: [] } };
    const metadata = { name: 'web', namespace: 'default', uid: 'u', annotations: { team: 'a' } };
    stage.server.put(deployments, { metadata, spec: { replicas: 1, template } });
    await stage.view(({ objects }) => objects.workloads.length === 1);
    const web = { namespace: 'default', name: 'web', uid: 'u', command: 'c1' };
    const stored = () => stage.server.get(deployments, 'default/web') as unknown as StoredDeployment;
    const restart = { kind: 'restart-deployment', ...web } as const;
    for (let i = 0; i < 2; i++) await stage.port.act(restart);
    assert.deepEqual(stored().spec.template.metadata.annotations, { keep: 'me', 'decant.sh/restarted-by': 'c1' });
    assert.equal(stage.server.writes.length, 1);
    await stage.port.act({ ...restart, command: 'c2', undo: {} });
    assert.equal(stage.server.writes.length, 1);
    for (let i = 0; i < 2; i++) await stage.port.act({ ...restart, undo: {} });
    assert.deepEqual(stored().spec.template.metadata.annotations, { keep: 'me' });
    const extra = (wanted: boolean) => stage.port.act({ kind: 'extra-replica', ...web, wanted });
    for (let i = 0; i < 2; i++) await extra(true);
    assert.deepEqual([stored().spec.replicas, stored().metadata.annotations['decant.sh/extra-replica']], [2, 'c1']);
    for (let i = 0; i < 2; i++) await extra(false);
    assert.deepEqual([stored().spec.replicas, stored().metadata.annotations], [1, { team: 'a' }]);
    // Someone else has scaled it meanwhile.
    await extra(true);
    await stage.server.request({
      method: 'PATCH',
      path: `${deployments.replace('/deployments', '/namespaces/default/deployments')}/web`,
      body: { spec: { replicas: 5 } },
    });
    await extra(false);
    assert.deepEqual([stored().spec.replicas, stored().metadata.annotations], [5, { team: 'a' }]);
    await assert.rejects(stage.port.act({ ...restart, command: 'c3' }), /no longer has one replica/);
    await stage.port.act({ ...restart, uid: 'another', command: 'c3' });
  });

  test('meet taints that change under our hands', async () => {
    await using stage = new Stage();
    stage.server.put(NODES, node('n'));
    await stage.view();
    let rivals = 3;
    stage.server.before = ({ method }) => {
      if (method !== 'PATCH' || rivals-- <= 0) return;
      stage.server.put(
        NODES,
        node('n', [{ key: `rival-${rivals}`, effect: 'NoExecute', timeAdded: '2026-08-20T12:00:00Z' }]),
      );
    };
    await stage.port.act({ kind: 'taint', node: 'n' });
    const { taints } = stage.server.get(NODES, 'n')!.spec as { taints: readonly unknown[] };
    assert.deepEqual(taints, [
      { key: 'rival-0', effect: 'NoExecute', timeAdded: '2026-08-20T12:00:00Z' },
      { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' },
    ]);
  });

  test('wait as long as the server says', async () => {
    await using stage = new Stage();
    await stage.view();
    let refusals = 2;
    stage.server.before = ({ method }) => {
      if (method === 'POST' && refusals-- > 0)
        throw new ApiError('later', { status: 429, reason: 'TooManyRequests', retryAfterMs: 1 });
    };
    await stage.port.act({ kind: 'save-command', command: COMMAND });
    assert.equal(stage.server.writes.length, 3);
    refusals = 100;
    await assert.rejects(stage.port.act({ kind: 'save-command', command: { ...COMMAND, id: 'b' } }), /later/);
  });

  test('delete the claim that was meant, and no other of its name', async () => {
    await using stage = new Stage();
    stage.server.put(CLAIMS, { metadata: { name: 'c', finalizers: ['karpenter.sh/termination'] } });
    await stage.view();
    stage.server.before = ({ method }) => {
      if (method !== 'DELETE') return;
      stage.server.remove(CLAIMS, 'c');
      stage.server.put(CLAIMS, { metadata: { name: 'c' } });
    };
    await assert.rejects(stage.port.act({ kind: 'delete-node-claim', command: 'x', nodeClaim: 'c' }), /Conflict/);
    assert.notEqual(stage.server.get(CLAIMS, 'c'), undefined);
  });
});

describe('the catalog', () => {
  test('there is no view before there is one', async () => {
    let fails = true;
    await using stage = new Stage({
      catalogEveryMs: 5,
      loadCatalog: async () => {
        if (fails) throw new Error('prices.json: no such file');
        return NO_TYPES;
      },
    });
    stage.port.start();
    while (!stage.port.health.isSynced) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(stage.port.view(), undefined);
    assert.equal(stage.port.health.catalogProblem, 'prices.json: no such file');
    fails = false;
    await stage.view();
    assert.equal(stage.port.health.catalogProblem, undefined);
  });

  test('that cannot be loaded again is kept; nothing is begun by it, and everything may be undone', async () => {
    let fails = false;
    const replacement = { nodeClaim: 'r', nodePool: 'p', requirements: [], requests: {}, centsPerHour: 1 };
    const launching: Command = { ...COMMAND, phase: 'launching', replacements: [replacement] };
    await using stage = new Stage({
      catalogEveryMs: 5,
      loadCatalog: async () => {
        if (fails) throw new Error('prices are away');
        return NO_TYPES;
      },
    });
    stage.server.put(NODES, node('n', [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }]));
    stage.server.put(CLAIMS, { metadata: { name: 'c' } });
    stage.server.put(CLAIMS, { metadata: { name: 'r' } });
    stage.server.put(JOURNAL, { ...commandObject(launching) });
    await stage.view();
    fails = true;
    await stage.view(() => stage.port.health.catalogProblem !== undefined);
    const refused = /not acting on outdated prices: prices are away/;
    await assert.rejects(stage.port.act({ kind: 'save-command', command: { ...COMMAND, id: 'new' } }), refused);
    await assert.rejects(stage.port.act({ kind: 'taint', node: 'n' }), refused);
    await assert.rejects(stage.port.act({ kind: 'create-node-claim', command: 'new', replacement }), refused);
    await assert.rejects(stage.port.act({ kind: 'delete-node-claim', command: COMMAND.id, nodeClaim: 'c' }), refused);
    await stage.port.act({ kind: 'save-command', command: { ...launching, reason: 'timeout' } });
    await stage.port.act({ kind: 'untaint', node: 'n' });
    await stage.port.act({ kind: 'delete-node-claim', command: COMMAND.id, nodeClaim: 'r' });
    assert.deepEqual(
      stage.server.writes.map(({ method }) => method),
      ['PUT', 'PATCH', 'DELETE'],
    );
  });
});

test('a NodeClaim for a pool that is going is not made', async () => {
  await using stage = new Stage();
  stage.server.put(POOLS, { metadata: { name: 'p', deletionTimestamp: '2026-08-20T12:00:00Z' }, spec: {} });
  const replacement = { nodeClaim: 'r', nodePool: 'p', requirements: [], requests: {}, centsPerHour: 1 };
  await stage.view();
  await assert.rejects(
    stage.port.act({ kind: 'create-node-claim', command: 'x', replacement }),
    /NodePool p is being deleted/,
  );
});
