import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { dump } from 'js-yaml';
import { loadCluster } from './load.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'decant-load-'));
});
after(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Standard input that arrives in pieces of the given size. */
async function* stdinOf(content: string | Buffer, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content);
  for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
}

const node = (name: string) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
const pod = (name: string, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop' },
  spec,
});
const names = (objects: readonly { name: string }[]) => objects.map((each) => each.name);

const forms: { form: string; name: string; content: string }[] = [
  {
    form: 'a List as kubectl writes it',
    name: 'list.json',
    content: JSON.stringify({ apiVersion: 'v1', items: [node('a'), node('b')], kind: 'List' }, null, 4),
  },
  {
    form: 'a List after warnings of kubectl',
    name: 'warned.json',
    content: `Warning: v1 Endpoints is deprecated\nW1118 12:00:00.1 1 request.go:697] Waited: 1s\n${JSON.stringify([node('a'), node('b')], null, 4)}`,
  },
  {
    form: 'a typed list whose items have no kind',
    name: 'typed.json',
    content: '{"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]}',
  },
  {
    form: 'a typed list that says its kind last',
    name: 'last.json',
    content: '{"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}],"apiVersion":"v1","kind":"NodeList"}',
  },
  {
    form: 'documents one after the other',
    name: 'many.json',
    content: `${JSON.stringify(node('a'))}\n${JSON.stringify(node('b'), null, 2)}`,
  },
  { form: 'a bare array', name: 'array.json', content: JSON.stringify([node('a'), node('b')]) },
  {
    form: 'a list in a list',
    name: 'nested.json',
    content: JSON.stringify({ kind: 'List', items: [{ kind: 'List', items: [node('a')] }, node('b')] }),
  },
  {
    form: 'objects whose kind comes last',
    name: 'late.json',
    content:
      '{"items":[{"metadata":{"name":"a"},"kind":"Node"},{"metadata":{"name":"b"},"kind":"Node","apiVersion":"v1"}]}',
  },
  { form: 'a byte order mark', name: 'bom.json', content: `\ufeff${JSON.stringify([node('a'), node('b')])}` },
  {
    form: 'YAML documents',
    name: 'many.yaml',
    content: '---\nkind: Node\nmetadata: {name: a}\n---\n# nothing\n---\nkind: Node\nmetadata:\n  name: b\n',
  },
  {
    form: 'a YAML list',
    name: 'list.yaml',
    content: 'kind: List\nitems:\n- kind: Node\n  metadata: {name: a}\n- {kind: Node, metadata: {name: b}}\n',
  },
  {
    form: 'YAML that looks like JSON at first',
    name: 'flow.yaml',
    content: '{kind: List, items: [{kind: Node, metadata: {name: a}}, {kind: Node, metadata: {name: b}}]}',
  },
  { form: 'JSON in a file that says it is YAML', name: 'json.yaml', content: JSON.stringify([node('a'), node('b')]) },
  {
    form: 'YAML in a file that says it is JSON',
    name: 'cluster.json',
    content: 'kind: Node\nmetadata: {name: a}\n---\nkind: Node\nmetadata: {name: b}\n',
  },
  {
    form: 'YAML in a file that says nothing',
    name: 'manifest',
    content: 'kind: Node\nmetadata: {name: a}\n---\nkind: Node\nmetadata: {name: b}\n',
  },
];

for (const { form, name, content } of forms) {
  test(`reads ${form}`, async () => {
    const { objects } = await loadCluster([file(name, content)]);
    assert.deepEqual(names(objects.nodes), ['a', 'b']);
  });

  test(`reads ${form}, packed`, async () => {
    const { objects } = await loadCluster([file(`${name}.gz`, gzipSync(content))]);
    assert.deepEqual(names(objects.nodes), ['a', 'b']);
  });

  test(`reads ${form} as PowerShell's redirection writes it, in UTF-16`, async () => {
    const text = `\ufeff${content.replaceAll('\n', '\r\n')}`;
    const little = Buffer.from(text, 'utf16le');
    for (const bytes of [little, Buffer.from(little).swap16()]) {
      const { objects } = await loadCluster([file(`wide-${name}`, bytes)]);
      assert.deepEqual(names(objects.nodes), ['a', 'b']);
      if (name === 'flow.yaml') continue;
      // Pieces of odd length: characters are cut in two.
      const piped = await loadCluster(['-'], { stdin: stdinOf(bytes, 3) });
      assert.deepEqual(names(piped.objects.nodes), ['a', 'b']);
    }
  });

  test(`reads ${form} from standard input, packed or not`, async () => {
    // Without a name to go by, YAML that begins with a brace is taken for JSON.
    if (name === 'flow.yaml') return;
    for (const stdin of [stdinOf(content), stdinOf(gzipSync(content), 1)]) {
      const { objects } = await loadCluster(['-'], { stdin });
      assert.deepEqual(names(objects.nodes), ['a', 'b']);
    }
  });
}

test('reads folders at any depth, in order of name, and only what looks readable', async () => {
  const root = join(folder, 'tree');
  mkdirSync(join(root, 'b'), { recursive: true });
  mkdirSync(join(root, '.git'));
  file('tree/c.yml', 'kind: Node\nmetadata: {name: third}');
  file('tree/a.json', JSON.stringify(node('first')));
  file('tree/b/x.json.gz', gzipSync(JSON.stringify(node('second'))));
  file('tree/notes.txt', 'not for us');
  file('tree/.git/hidden.json', 'broken');
  symlinkSync(root, join(root, 'b', 'circle'));
  const { objects } = await loadCluster([root]);
  assert.deepEqual(names(objects.nodes), ['first', 'second', 'third']);
});

test('a snapshot brings its time, options and instance types', async () => {
  const snapshot = {
    now: '2026-08-20T12:00:00Z',
    options: { featureGates: 'SpotToSpotConsolidation=true' },
    instanceTypes: [{ name: 'm5.large' }],
    objects: [node('a')],
  };
  const path = file('snapshot.json', JSON.stringify(snapshot));
  const { objects, instanceTypes } = await loadCluster([path]);
  assert.equal(objects.nowMs, 1787227200000);
  assert.deepEqual(objects.options, {
    spotToSpot: true,
    reservedCapacity: true,
    preferences: 'Respect',
    minValues: 'Strict',
  });
  assert.deepEqual(instanceTypes, { source: path, entries: [{ name: 'm5.large' }] });
  assert.deepEqual(names(objects.nodes), ['a']);
  assert.equal((await loadCluster([path], { nowMs: 5 })).objects.nowMs, 5);
});

test('without a snapshot there are defaults, and the time is the clock’s', async () => {
  const before = Date.now();
  const { objects, instanceTypes } = await loadCluster([file('plain.json', JSON.stringify(node('a')))]);
  assert.ok(objects.nowMs >= before && objects.nowMs <= Date.now());
  assert.deepEqual(objects.options, {
    spotToSpot: false,
    reservedCapacity: true,
    preferences: 'Respect',
    minValues: 'Strict',
  });
  assert.equal(instanceTypes, undefined);
});

test('several files make one cluster', async () => {
  const paths = [
    file('pods.json', JSON.stringify([pod('p', { nodeName: 'a' })])),
    file('nodes.yaml', 'kind: Node\nmetadata: {name: a}'),
  ];
  const { objects, warnings } = await loadCluster(paths);
  assert.deepEqual([names(objects.pods), names(objects.nodes), warnings], [['p'], ['a'], []]);
});

test('a plain dump is judged at the newest time in it, which no deletion is', async () => {
  const created = { name: 'n', creationTimestamp: '2026-08-20T10:00:00Z', deletionTimestamp: '2026-08-20T13:00:00Z' };
  const node = (...conditions: readonly object[]) =>
    JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: created, status: { conditions } });
  const nowOf = async (name: string, text: string) => (await loadCluster([file(name, text)])).objects.nowMs;
  assert.equal(await nowOf('created.json', node()), Date.UTC(2026, 7, 20, 10));
  const heard = { type: 'Ready', status: 'True', lastHeartbeatTime: '2026-08-20T12:00:00Z' };
  assert.equal(
    await nowOf('heard.json', node({ type: 'DiskPressure', status: 'False' }, heard)),
    Date.UTC(2026, 7, 20, 12),
  );
  // kubectl get --show-managed-fields, or a list of the API server itself.
  const managedFields = [{ time: '2026-08-20T12:20:00Z', fieldsV1: {} }, { time: '2026-08-20T12:30:00Z' }, {}];
  const touched = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', managedFields } };
  const list = JSON.stringify({ kind: 'List', items: [JSON.parse(node(heard)), touched] });
  assert.equal(await nowOf('touched.json', list), Date.UTC(2026, 7, 20, 12, 30));
  assert.equal(await nowOf('touched.yaml', dump(JSON.parse(list))), Date.UTC(2026, 7, 20, 12, 30));
});

test('unknown kinds are ignored and counted, known ones of other groups too', async () => {
  const items = [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { 'x.json': '{}' } },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'b' } },
    { apiVersion: 'container.example/v1', kind: 'NodePool', metadata: { name: 'c' } },
    { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'd' } },
  ];
  const { objects, ignoredKinds } = await loadCluster(['-'], { stdin: stdinOf(JSON.stringify({ items })) });
  assert.deepEqual(
    [...ignoredKinds],
    [
      ['ConfigMap', 2],
      ['NodePool', 1],
      ['Widget', 1],
    ],
  );
  assert.deepEqual(objects.nodePools, []);
});

test('pods on nodes that are not in the input are left out, with a warning', async () => {
  const lost = [1, 2, 3, 4, 5].map((i) => pod(`p${i}`, { nodeName: 'gone' }));
  const items = [node('a'), pod('kept', { nodeName: 'a' }), pod('pending'), ...lost];
  const { objects, warnings } = await loadCluster(['-'], { stdin: stdinOf(JSON.stringify({ items })) });
  assert.deepEqual(names(objects.pods), ['kept', 'pending']);
  assert.deepEqual(warnings, [
    '5 pods are bound to a node that is not in the input and left out: shop/p1 on gone, shop/p2 on gone, shop/p3 on gone and 2 more',
  ]);
});

test('an object that its file has twice, as kubectl get all,pods writes it, counts once', async () => {
  const web = (version: string, requests: object = {}) => ({
    ...pod('web', { containers: [{ name: 'c', resources: { requests } }] }),
    metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: version },
  });
  const twice = await loadCluster([file('all-pods.json', JSON.stringify([web('1'), node('a'), web('2'), web('3')]))]);
  assert.deepEqual(names(twice.objects.pods), ['web']);
  assert.deepEqual(twice.warnings, ['Pod shop/web (and 1 more) is in the input more than once: the first one counts']);

  const bad = web('1', { cpu: 'plenty' });
  const aside = await loadCluster([file('all-bad.json', JSON.stringify([bad, bad]))]);
  assert.deepEqual(names(aside.objects.undecodable ?? []), ['web']);
  assert.equal(aside.warnings.length, 2);

  const other = file('other-moment.json', JSON.stringify([web('4')]));
  await assert.rejects(loadCluster([file('one-moment.json', JSON.stringify([web('1')])), other]), /only once/);
});

test('a pod gets the priority of its class, unless it has its own', async () => {
  const items = [
    pod('a', { priorityClassName: 'high' }),
    pod('b', { priorityClassName: 'high', priority: 1 }),
    pod('c', { priorityClassName: 'system-node-critical' }),
    pod('d', { priorityClassName: 'nowhere' }),
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 1000 },
  ];
  const { objects } = await loadCluster(['-'], { stdin: stdinOf(JSON.stringify({ items })) });
  assert.deepEqual(
    objects.pods.map((each) => each.priority),
    [1000, 1, 2_000_001_000, undefined],
  );
});

test('values longer than the first window, and objects across its edge, are read whole', async () => {
  const long = 'x'.repeat(3 << 20);
  const many = Array.from({ length: 3000 }, (_, i) => ({
    ...node(`n${i}`),
    spec: { providerID: `é${'y'.repeat(i)}` },
  }));
  const items = [{ ...node('long'), metadata: { name: 'long', labels: { long } } }, ...many];
  const { objects } = await loadCluster([file('large.json', JSON.stringify({ ignored: long, items }))]);
  assert.equal(objects.nodes.length, 3001);
  assert.equal(objects.nodes[0].labels.long, long);
  objects.nodes.slice(1).forEach((each, i) => {
    assert.equal(each.providerId, `é${'y'.repeat(i)}`);
  });
});

test('of thousands of owner references the controller and the first of each kind stay', async () => {
  const owner = (i: number) => ({ apiVersion: 'x/v1', kind: `Kind${i}`, name: `owner-${i}`, uid: `u${i}` });
  const huge = { ...owner(0), kind: 'k'.repeat(1 << 20) };
  const controller = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'w', controller: true };
  const many = [huge, ...Array.from({ length: 2_000 }, (_, i) => owner(i)), controller];
  const pod = (name: string) => ({ kind: 'Pod', metadata: { name, ownerReferences: many }, spec: { nodeName: 'a' } });
  const items = [node('a'), pod('one'), pod('two')];
  const { objects } = await loadCluster([file('owners.json', JSON.stringify({ kind: 'List', items }))]);
  const [one, two] = objects.pods;
  assert.deepEqual(
    one.owners.map(({ uid }) => uid),
    ['u0', 'u0', 'u1', 'u2', 'u3', 'u4', 'u5', 'u6', 'u7', 'u8', 'w'],
  );
  assert.deepEqual(one.owners.at(-1), controller);
  assert.equal(one.owners[0].kind.length, 300);
  assert.equal(two.owners, one.owners);
});
