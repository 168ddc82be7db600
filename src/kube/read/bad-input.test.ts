import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { InputError } from '../../config/input-error.ts';
import { objectName } from '../../engine/cluster/undecodable.ts';
import { loadCluster } from './load.ts';

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'decant-bad-'));
});
after(() => rmSync(folder, { recursive: true }));

const list = (...items: unknown[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
const node = (more: object = {}) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, ...more });
const pod = (spec: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'shop', ...metadata },
  spec,
});
const asking = (requests: object) => pod({ containers: [{ name: 'c', resources: { requests } }] });
const pool = (spec: object) => ({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'p' }, spec });

const QUANTITY = 'allowed: a quantity such as 500m, 2 or 1.5Gi';
const EMPTY = 'the file is empty: allowed: Kubernetes objects as JSON or YAML, or a Decant snapshot';
const TIME = 'allowed: an RFC 3339 time such as "2026-08-20T12:00:00Z"';
const REQUESTS = 'Pod shop/web: spec.containers[0].resources.requests';

/** File, content, and the message after `<file>: `. */
const cases: readonly (readonly [string, string | Buffer, string])[] = [
  // Broken files
  ['empty.json', '', EMPTY],
  ['blank.json', ' \n\t', EMPTY],
  ['comments.yaml', '# nothing\n---\n', EMPTY],
  [
    'cut-in-text.json',
    list(node()).slice(0, 70),
    'byte 70 in items[0]: the end of the file where the rest of a string should be',
  ],
  [
    'cut-at-end.json',
    list(node()).slice(0, -1),
    "byte 101 in document 1: the end of the file where ',' or '}' should be",
  ],
  [
    'cut-in-items.json',
    list(node()).slice(0, -2),
    "byte 100 in items[1]: the end of the file where ',' or ']' should be",
  ],
  [
    'failed.yaml',
    'Warning: v1 Endpoints is deprecated\nerror: the server doesn\'t have a resource type "nodepools"\n',
    'kubectl failed: error: the server doesn\'t have a resource type "nodepools"',
  ],
  ['after-remarks.json', 'Warning: old\n{"kind":1}', 'document 1: kind: 1: allowed: the kind of a Kubernetes object'],
  [
    'line-after-remarks.yaml',
    'Warning: old\nkind: Node\nname: a: b',
    'line 3, column 8: not YAML: bad indentation of a mapping entry',
  ],
  ['cut-number.json', '{"items":[],"x":-', 'byte 17 in document 1: the end of the file where a digit should be'],
  ['comma.json', '{"items":[{"kind":"Node" "metadata":{}}]}', "byte 25 in items[0]: '\"' where ',' or '}' should be"],
  [
    'unread.json',
    '{"items":[{"kind":"Node","metadata":{"name":"a"},"x":nul}]}',
    "byte 56 in items[0]: '}' where null should be",
  ],
  [
    'shared.json',
    '{"items":[{"kind":"Pod","metadata":{"name":"a","labels":{"a":tru}}}]}',
    "byte 64 in items[0]: '}' where true should be",
  ],
  [
    'nan.json',
    '{"items":[{"kind":"Node","metadata":{"name":"a"},"x":NaN}]}',
    "byte 53 in items[0]: 'N' where a value should be",
  ],
  ['trailing.json', '{"items":[]} x', "byte 13 in document 1: 'x' where '{' should be"],
  ['text.json', 'hello', 'document 1: "hello": allowed: a Kubernetes object, a list of them, or a Decant snapshot'],
  [
    'kubectl.json',
    'error: You must be logged in to the server',
    'kubectl failed: error: You must be logged in to the server',
  ],
  [
    'slip.json',
    JSON.stringify({ now: '2026-08-20T12:00:00Z', objets: [node()] }),
    'document 1: objets: a list of 1: allowed: only now, options, undecodable, prices, instanceTypes, objects, items here',
  ],
  [
    'bell.json',
    list(node({ metadata: { name: 'n\u0007' } })),
    'Node n\u0007: metadata.name: "n\\u0007": allowed: a name without control characters',
  ],
  ['text.txt', 'hello', 'document 1: "hello": allowed: a Kubernetes object, a list of them, or a Decant snapshot'],
  ['binary.json', Buffer.from([0x7b, 0x22, 0xff, 0xfe]), 'byte 2: bytes that are not UTF-8 text'],
  ['utf-16-without-mark.json', Buffer.from('{}', 'utf16le'), 'byte 1 in document 1: byte 0x00 where a value should be'],
  ['broken.yaml', 'a: b\n  c: d\n', 'line 2, column 4: not YAML: bad indentation of a mapping entry'],
  ['cut.json.gz', Buffer.from([0x1f, 0x8b, 8, 0, 0]), 'cannot be read: unexpected end of file'],
  ['deep.json', '['.repeat(10_000_000), 'byte 1001 in document 1[0]: nesting deeper than 1000 levels'],
  [
    'deep-object.json',
    `{"items":[{"kind":"Pod","spec":${'{"a":'.repeat(1_000_000)}`,
    'byte 5036 in items[0]: nesting deeper than 1000 levels',
  ],
  ['deep.yaml', `a: ${'['.repeat(100_000)}`, 'line 1, column 103: not YAML: nesting exceeded maxDepth (100)'],
  [
    'cycle.yaml',
    'kind: Pod\nspec: &a {x: *a}',
    'document 1: spec.x: an object with x: allowed: no alias to a value that contains it',
  ],

  // Documents that are something else
  ['items.json', '{"kind":"List","items":{}}', 'document 1: items: an empty object: allowed: a list'],
  ['items.yaml', 'kind: NodeList\nitems: 3', 'document 1: items: 3: allowed: a list'],
  ['items-within.json', list({ kind: 'PodList', items: 'x' }), 'items[0]: items: "x": allowed: a list'],
  [
    'objects.json',
    '{"now":"2026-08-20T12:00:00Z","objects":{}}',
    'document 1: objects: an empty object: allowed: a list',
  ],
  [
    'status.json',
    JSON.stringify({ apiVersion: 'v1', kind: 'Status', status: 'Failure', message: 'pods is forbidden', code: 403 }),
    'document 1: kind: "Status": allowed: objects: a Status is an API server’s refusal',
  ],
  [
    'table.json',
    JSON.stringify({ apiVersion: 'meta.k8s.io/v1', kind: 'Table', columnDefinitions: [], rows: [{ cells: ['n'] }] }),
    'document 1: kind: "Table": allowed: objects, as kubectl get -o json writes them',
  ],
  ['number.json', '42', 'document 1: 42: allowed: a Kubernetes object, a list of them, or a Decant snapshot'],
  ['other.json', '{"foo":1}', 'document 1: kind: not set: allowed: the kind of a Kubernetes object'],
  ['catalog.json', '[{"name":"m5.large"}]', 'document 1[0]: kind: not set: allowed: the kind of a Kubernetes object'],
  ['item.json', list(5), 'items[0]: 5: allowed: a Kubernetes object'],
  [
    'no-kind.json',
    list(node(), { metadata: { name: 'x' } }),
    'items[1]: kind: not set: allowed: the kind of a Kubernetes object',
  ],
  [
    'old-pool.json',
    list({ apiVersion: 'karpenter.sh/v1beta1', kind: 'NodePool', metadata: { name: 'p' } }),
    'NodePool p: apiVersion: "karpenter.sh/v1beta1": allowed: karpenter.sh/v1, the only version that is supported',
  ],
  [
    'provisioner.json',
    list({ apiVersion: 'karpenter.sh/v1alpha5', kind: 'Provisioner', metadata: { name: 'p' } }),
    'Provisioner p: apiVersion: "karpenter.sh/v1alpha5": allowed: karpenter.sh/v1, the only version that is supported',
  ],
  ['now.json', '{"now":"soon","objects":[]}', `document 1: now: "soon": ${TIME}`],
  [
    'gates.json',
    '{"options":{"featureGates":"Spot"},"objects":[]}',
    'document 1: options.featureGates: "Spot": allowed: gates such as "SpotToSpotConsolidation=true,ReservedCapacity=false"',
  ],
  [
    'policy.json',
    '{"options":{"preferencePolicy":"Maybe"},"objects":[]}',
    'document 1: options.preferencePolicy: "Maybe": allowed: one of Respect, Ignore',
  ],

  // Fields
  ['two-nodes.json', list(node(), node()), 'Node n1: metadata.name: "n1": allowed: each Node only once in the input'],
  ['two-pods.json', list(pod(), pod()), 'Pod shop/web: metadata.name: "web": allowed: each Pod only once in the input'],
  [
    'two-pools.json',
    list(pool({}), pool({})),
    'NodePool p: metadata.name: "p": allowed: each NodePool only once in the input',
  ],
  [
    'no-name.json',
    list(node({ metadata: {} })),
    'items[0]: metadata.name: not set: allowed: a string that is not empty',
  ],
  ['no-metadata.json', list({ kind: 'Node' }), 'items[0]: metadata.name: not set: allowed: a string that is not empty'],
  ['metadata.json', list(node({ metadata: 5 })), 'items[0]: metadata: 5: allowed: an object'],
  [
    'after.json',
    list(pool({ disruption: { consolidateAfter: '5 minutes' } })),
    'NodePool p: spec.disruption.consolidateAfter: "5 minutes": allowed: a duration such as 30s or 1h30m, or "Never"',
  ],
];

/** File, content, and object and problem as the warning names them. */
const undecodable: typeof cases = [
  [
    'owing.json',
    list({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'p', namespace: 'shop' },
      spec: { selector: {} },
      status: { disruptionsAllowed: -3 },
    }),
    'PodDisruptionBudget shop/p: status.disruptionsAllowed: -3: allowed: a whole number that is not negative',
  ],
  ['quantity.json', list(asking({ memory: '1.5.Gi' })), `${REQUESTS}.memory: "1.5.Gi": ${QUANTITY}`],
  [
    'quantity.yaml',
    'kind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: .nan}}',
    `Node n1: status.allocatable.cpu: NaN: ${QUANTITY}`,
  ],
  ['long.json', list(asking({ memory: 'x'.repeat(500) })), `${REQUESTS}.memory: "${'x'.repeat(79)}…: ${QUANTITY}`],
  ['type.json', list(asking({ memory: true })), `${REQUESTS}.memory: true: ${QUANTITY}`],
  ['negative.json', list(asking({ cpu: '-1' })), `${REQUESTS}.cpu: "-1": allowed: a quantity that is not negative`],
  [
    'negative-node.json',
    list(node({ status: { allocatable: { memory: '-5Gi' } } })),
    'Node n1: status.allocatable.memory: "-5Gi": allowed: a quantity that is not negative',
  ],
  ['labels.json', list(pod({}, { labels: { a: 1 } })), 'Pod shop/web: metadata.labels["a"]: 1: allowed: a string'],
  [
    'label-list.json',
    list(pod({}, { labels: ['a'] })),
    'Pod shop/web: metadata.labels: a list of 1: allowed: an object',
  ],
  [
    'status.json',
    list({ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', metadata: { name: 'c' }, status: 'x' }),
    'NodeClaim c: status: "x": allowed: an object',
  ],
  [
    'taints.json',
    list(node({ spec: { taints: { key: 'a' } } })),
    'Node n1: spec.taints: an object with key: allowed: a list',
  ],
  ['containers.json', list(pod({ containers: {} })), 'Pod shop/web: spec.containers: an empty object: allowed: a list'],
  [
    'container.json',
    list(pod({ containers: [{ name: 'c' }, null] })),
    'Pod shop/web: spec.containers[1]: null: allowed: an object',
  ],
  [
    'created.json',
    list(pod({}, { creationTimestamp: 'yesterday' })),
    `Pod shop/web: metadata.creationTimestamp: "yesterday": ${TIME}`,
  ],
  [
    'created-number.json',
    list(pod({}, { creationTimestamp: 5 })),
    `Pod shop/web: metadata.creationTimestamp: 5: ${TIME}`,
  ],
  [
    'operator.json',
    list(
      pod({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Near' }] }],
            },
          },
        },
      }),
    ),
    'Pod shop/web: spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].operator: "Near": allowed: one of In, NotIn, Exists, DoesNotExist, Gt, Lt, Gte, Lte',
  ],
];

/** root, to whom no folder is closed; and Windows, which closes none this way. */
function mayReadAll(): boolean {
  return process.getuid?.() === 0 || process.platform === 'win32';
}

async function messageOf(paths: readonly string[]): Promise<string> {
  try {
    await loadCluster(paths);
  } catch (error) {
    assert.ok(error instanceof InputError, String((error as Error).stack));
    return error.message;
  }
  return 'loaded';
}

for (const [name, content, want] of cases) {
  test(`bad input: ${name}`, async () => {
    const path = join(folder, name);
    writeFileSync(path, content);
    assert.equal(await messageOf([path]), `${path}: ${want}`);
  });
}

for (const [name, content, want] of undecodable) {
  test(`an object that cannot be decoded is set aside with a warning: ${name}`, async () => {
    const path = join(folder, name);
    writeFileSync(path, content);
    const { objects, warnings } = await loadCluster([path]);
    const [object, ...problem] = want.split(': ');
    assert.deepEqual(warnings, [`${path}: ${object} cannot be decoded and is set aside: ${problem.join(': ')}`]);
    assert.deepEqual(
      objects.undecodable.map((each) => [objectName(each), each.problem]),
      [[object, problem.join(': ')]],
    );
    assert.deepEqual([objects.pods, objects.nodes, objects.nodePools], [[], [], []]);
  });
}

test('bad input: what is not there', async () => {
  const missing = join(folder, 'missing.json');
  assert.equal(await messageOf([missing]), `${missing}: no such file or folder`);
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  assert.equal(await messageOf([empty]), `${empty}: no .json, .yaml or .yml file in this folder`);
  assert.equal(await messageOf(['-', '-']), '-: standard input can be read only once');
  assert.equal(await messageOf(['']), '"": the name of a file or folder is missing');
});

test('bad input: a folder that may not be read', { skip: mayReadAll() }, async () => {
  const locked = join(folder, 'locked');
  mkdirSync(locked);
  chmodSync(locked, 0o000);
  assert.equal(await messageOf([locked]), `${locked}: permission denied`);
  chmodSync(locked, 0o700);
});

test('a list that Go wrote without items, alone and within another', async () => {
  const path = join(folder, 'no-items.json');
  writeFileSync(path, list({ kind: 'PodList', items: null }) + JSON.stringify({ kind: 'NodeList', items: null }));
  const { objects, ignoredKinds } = await loadCluster([path]);
  assert.deepEqual([objects.nodes, objects.pods, ignoredKinds.size], [[], [], 0]);
});

test('bad input: files that contradict each other', async () => {
  const write = (name: string, content: object) => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(content));
    return path;
  };
  const one = write('one.json', { now: '2026-08-20T12:00:00Z', instanceTypes: [], objects: [node()] });
  const two = write('two.json', { now: '2026-08-21T12:00:00Z', objects: [] });
  const three = write('three.json', { instanceTypes: [], objects: [] });
  const four = write('four.json', [node()]);
  assert.equal(
    await messageOf([one, two]),
    `${two}: document 1: now: "2026-08-21T12:00:00Z": allowed: one time for the whole input: another file names a different one`,
  );
  assert.equal(
    await messageOf([one, three]),
    `${three}: document 1: instanceTypes: an empty list: allowed: them in one file only: ${one} has them too`,
  );
  assert.equal(
    await messageOf([one, four]),
    `${four}: Node n1: metadata.name: "n1": allowed: each Node only once in the input`,
  );
});
