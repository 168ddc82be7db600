import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { decant } from '../../../test/build/decant.ts';
import { listedCluster, writeKubeconfig } from '../../../test/build/listed-cluster.ts';
import { ScriptedServer } from '../../../test/build/scripted-server.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/two-nodes.json');

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decant-'));
});
after(() => rm(folder, { recursive: true }));

interface Example {
  readonly now: string;
  readonly objects: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string };
  }[];
}

async function example(): Promise<Example> {
  return JSON.parse(await readFile(EXAMPLE, 'utf8'));
}

/** `decant` before a cluster with these objects. */
async function onCluster(
  objects: Example['objects'],
  [command, ...args]: readonly string[],
  refusals?: ReadonlyMap<string, number>,
) {
  await using server = await listedCluster(objects, refusals);
  const kubeconfig = await writeKubeconfig(join(folder, 'config'), server.url);
  return await decant([command, '--kubeconfig', kubeconfig, ...args]);
}

function policy(name: string, spec: object = {}) {
  const block = { nodePoolSelector: {}, ...spec };
  return { apiVersion: 'decant.sh/v1alpha1', kind: 'ConsolidationPolicy', metadata: { name }, spec: block };
}

describe('without files the cluster of the kubeconfig is read', () => {
  test('and its plan equals the plan of its dump', async () => {
    const { now, objects } = await example();
    const catalog = ['--catalog', EXAMPLE, '--now', now, '-o', 'json'];
    const live = await onCluster(objects, ['plan', ...catalog]);
    assert.equal(live.stderr, '');
    const dumped = await decant(['plan', '-f', EXAMPLE, ...catalog]);
    const timeless = (text: string) => JSON.parse(text.replaceAll(/"(loadMs|elapsedMs)": ?[\d.]+/g, '"$1":0'));
    assert.deepEqual(timeless(live.stdout), timeless(dumped.stdout));
  });

  test('and a change of its policies is compared with it', async () => {
    const { now, objects } = await example();
    const file = join(folder, 'never.json');
    await writeFile(file, JSON.stringify(policy('never', { minNodes: 2 })));
    const args = [file, '--catalog', EXAMPLE, '--now', now, '-o', 'json'];
    const live = await onCluster([...objects, policy('never', { minNodes: 1 })], ['diff', ...args]);
    assert.equal(live.stderr, '');
    const { before, after } = JSON.parse(live.stdout);
    assert.deepEqual([before.title, before.moves > 0, after.moves], ['current', true, 0]);
  });

  test('one without nodes is not told to be dumped', async () => {
    const { code, stderr } = await onCluster([], ['plan', '--catalog', EXAMPLE]);
    assert.equal(code, 0);
    assert.match(stderr, /^decant: warning: the cluster has no nodes\n/);
    assert.doesNotMatch(stderr, /dump/);
  });

  test('a policy that selects a pool goes before its own block, in snapshots too', async () => {
    const { now, objects } = await example();
    const never = policy('never', { consolidateAfter: 'Never', budgets: [{ nodes: '1' }] });
    const live = await onCluster([...objects, never], ['snapshot', '--catalog', EXAMPLE, '--now', now]);
    assert.equal(live.stderr, '');
    const snapshot = JSON.parse(live.stdout) as { objects: { kind: string; spec: { disruption: unknown } }[] };
    const pools = snapshot.objects.filter(({ kind }) => kind === 'NodePool');
    assert.ok(pools.length > 0);
    for (const { spec } of pools)
      assert.deepEqual(spec.disruption, { consolidateAfter: 'Never', budgets: [{ nodes: '1' }] });
    const file = join(folder, 'snapshot.json');
    await writeFile(file, live.stdout);
    const { code } = await decant(['plan', '-f', file, '--exit-code']);
    assert.equal(code, 1);
  });

  test('what would remove a blocker is a patch of the policy that selects the pool, not of the pool', async () => {
    const { now, objects } = await example();
    const args = ['blockers', '--catalog', EXAMPLE, '--now', now, '--scaledown-utilization-threshold', '1'];
    const { stdout } = await onCluster([...objects, policy('empty', { consolidationPolicy: 'WhenEmpty' })], args);
    assert.match(stdout, /kubectl patch consolidationpolicy empty --type merge -p '\{"spec":\{"consolidationPolicy":/);
    assert.doesNotMatch(stdout, /kubectl patch nodepool/);
  });

  test('pools that two policies select, or one that is wrong, are left alone', async () => {
    const { now, objects } = await example();
    const plan = ['plan', '--catalog', EXAMPLE, '--now', now, '--exit-code'];
    const two = await onCluster([...objects, policy('a'), policy('b')], plan);
    assert.equal(two.code, 1);
    assert.match(two.stderr, /^decant: warning: NodePool \S+ is ignored: several policies select it: a, b\n/);
    const wrong = await onCluster([...objects, policy('a', { balancedK: 'x' })], plan);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /ignored: ConsolidationPolicy\/a: spec\.balancedK: "x": allowed: a number above 0/);
  });
});

test('simulate --context starts from the live cluster, with the same result as from its dump', async () => {
  const { now, objects } = await example();
  const rest = ['--catalog', EXAMPLE, '--now', now, '--days', '0.02', '-o', 'json'];
  const live = await onCluster(objects, ['simulate', ...rest]);
  assert.equal(live.stderr, '');
  const dumped = await decant(['simulate', '-f', EXAMPLE, ...rest]);
  assert.equal(live.stdout, dumped.stdout);
});

describe('what goes wrong is one line', () => {
  const OBJECTS: Example['objects'] = [];
  for (const [what, refusals, exitCode, words] of [
    ['no Karpenter', { NodePool: 404 }, 2, /^decant: the cluster has no nodepools of karpenter\.sh\/v1: .*\n$/],
    ['nobody in', { NodePool: 503 }, 3, /^decant: GET \/apis\/karpenter\.sh\/v1\/nodepools: 503 /],
    ['not allowed', { Pod: 403 }, 2, /^decant: GET \/api\/v1\/pods: 403 Forbidden: Forbidden\n$/],
  ] as const) {
    test(what, async () => {
      const { code, stdout, stderr } = await onCluster(OBJECTS, ['plan'], new Map(Object.entries(refusals)));
      assert.deepEqual([code, stdout], [exitCode, '']);
      assert.match(stderr, words);
    });
  }

  test('policies that we may not see are a warning', async () => {
    const refusals = new Map([['ConsolidationPolicy', 403]]);
    const { code, stderr } = await onCluster(OBJECTS, ['plan'], refusals);
    assert.equal(code, 0);
    assert.match(stderr, /warning: Decant may not list consolidationpolicies/);
  });

  test('nobody there', async () => {
    const server = await listedCluster([]);
    const { url } = server;
    const kubeconfig = await writeKubeconfig(join(folder, 'gone'), url);
    await server[Symbol.asyncDispose]();
    for (const command of [['explain', 'node', 'x'], ['simulate'], ['compare'], ['tune', '--keep-savings', '90%']]) {
      const { code, stdout, stderr } = await decant([...command, '--kubeconfig', kubeconfig]);
      assert.deepEqual([code, stdout], [3, '']);
      assert.equal(stderr, `decant: ${url}: GET /apis/karpenter.sh/v1/nodepools: connection refused\n`);
    }
  });

  test('no kubeconfig', async () => {
    const { code, stderr } = await decant(['snapshot']);
    assert.equal(code, 2);
    assert.match(stderr, /^decant: no input: give files, folders or - with -f, or a kubeconfig: .*\n$/);
  });

  test('a context, and nothing that could have it', async () => {
    const { code, stderr } = await decant(['plan', '--context', 'x'], '', { KUBECONFIG: '', HOME: folder });
    assert.equal(code, 2);
    assert.match(stderr, /: no cluster: there is no KUBECONFIG and no ~\/\.kube\/config, .*\n$/);
  });

  test('files and a cluster', async () => {
    const { code, stderr } = await decant(['plan', '-f', EXAMPLE, '--context', 'x']);
    assert.equal(code, 2);
    assert.match(stderr, /^decant: -f reads files, --kubeconfig and --context a cluster/);
  });
});

test('an answer that is no list is named as such', async () => {
  for (const [answer, words] of [
    ['hello', 'the response is not JSON: .h. where .{. should be'],
    ['{}', 'the response is not a list of nodepools: metadata.resourceVersion: not set: allowed: a string'],
  ]) {
    await using server = await ScriptedServer.start((_, response) => response.end(answer));
    const kubeconfig = await writeKubeconfig(join(folder, 'config'), server.url);
    const { code, stderr } = await decant(['plan', '--kubeconfig', kubeconfig]);
    assert.match(stderr, new RegExp(`^decant: list nodepools: ${words}\n$`));
    assert.equal(code, 2);
  }
});

test('an API server that does not answer times out', async () => {
  await using server = await ScriptedServer.start(() => {});
  const kubeconfig = await writeKubeconfig(join(folder, 'config'), server.url);
  const { code, stderr } = await decant(['plan', '--kubeconfig', kubeconfig, '--request-timeout', '1s']);
  assert.equal(stderr, `decant: ${server.url}: GET /apis/karpenter.sh/v1/nodepools: no response for 1 s\n`);
  assert.equal(code, 3);
});
