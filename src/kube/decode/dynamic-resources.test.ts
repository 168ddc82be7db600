import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dump } from 'js-yaml';
import { loadCluster } from '../read/load.ts';

const NODES = ['a', 'b', 'c'];
const group = 'resource.k8s.io/v1';
const node = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  status: { allocatable: { cpu: '4' } },
});
const slice = (name: string, devices: readonly object[], driver = 'card.example') => ({
  apiVersion: group,
  kind: 'ResourceSlice',
  metadata: { name: `${name}-${driver}` },
  spec: { driver, nodeName: name, devices },
});
const deviceClass = (name: string, expression?: string) => ({
  apiVersion: group,
  kind: 'DeviceClass',
  metadata: { name },
  spec: expression === undefined ? {} : { selectors: [{ cel: { expression } }] },
});
const claim = (name: string, exactly: object | undefined, users: readonly string[], more: object = {}) => ({
  apiVersion: group,
  kind: 'ResourceClaim',
  metadata: { namespace: 'default', name },
  spec: { devices: { requests: [{ name: 'r', exactly, ...more }] } },
  status: { reservedFor: users.map((uid) => ({ resource: 'pods', name: uid, uid })) },
});
const pod = (name: string, ...claims: readonly string[]) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'default', name, uid: name },
  spec: {
    nodeName: 'a',
    containers: [{ name: 'c', resources: { requests: { cpu: '1' } } }],
    resourceClaims: claims.map((each) => ({ name: each, resourceClaimName: each })),
  },
});

/** Requests of each pod for devices, or that it cannot be placed; and the devices of each node. */
async function read(objects: readonly object[], ignoreDRARequests = false) {
  async function* stdin() {
    yield Buffer.from(dump({ options: { ignoreDRARequests }, objects: [...NODES.map(node), ...objects] }));
  }
  const { objects: found } = await loadCluster(['-'], { stdin: stdin() });
  const devices = (all: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith('resource.k8s.io/')));
  return {
    pods: found.pods.map((p) => (p.constraints.resourceClaims ? 'cannot be placed' : devices(p.requests))),
    choices: found.pods.map((p) => p.constraints.firstAvailable),
    nodes: found.nodes.map((n) => devices(n.allocatable)),
  };
}

const DEVICES = [{ name: '0' }, { name: '1', attributes: { model: { string: 'x' } } }];

test('claims for numbers of devices of a class count like a resource', async () => {
  const { pods, nodes } = await read([
    deviceClass('card', 'device.driver == "card.example"'),
    slice('a', DEVICES),
    slice('b', [...DEVICES, { name: '2', taints: [{ key: 'broken', effect: 'NoExecute' }] }]),
    slice('c', DEVICES, 'other.example'),
    claim('one', { deviceClassName: 'card' }, ['p']),
    claim('two', { deviceClassName: 'card', allocationMode: 'ExactCount', count: 2 }, ['p']),
    pod('p', 'one', 'two'),
  ]);
  assert.deepEqual(pods, [{ 'resource.k8s.io/card': 3 }]);
  assert.deepEqual(nodes, [{ 'resource.k8s.io/card': 2 }, { 'resource.k8s.io/card': 2 }, {}]);
});

test('claims for more than a number of devices cannot be placed, and keep their node', async () => {
  const exactly = { deviceClassName: 'card' };
  const firstAvailable = [
    { name: 'x', deviceClassName: 'card' },
    { name: 'y', deviceClassName: 'other' },
  ];
  const choice = { firstAvailable: firstAvailable.slice(0, 1) };
  for (const [why, ...objects] of [
    ['a choice between classes', claim('k', undefined, ['p'], { firstAvailable }), pod('p', 'k')],
    ['two choices', claim('k', undefined, ['p'], choice), claim('l', undefined, ['p'], choice), pod('p', 'k', 'l')],
    ['a selector', claim('k', { ...exactly, selectors: [{ cel: { expression: 'true' } }] }, ['p']), pod('p', 'k')],
    ['all devices', claim('k', { ...exactly, allocationMode: 'All' }, ['p']), pod('p', 'k')],
    ['a shared claim', claim('k', exactly, ['p', 'q']), pod('p', 'k')],
    ['a claim that is not in the input', claim('k', exactly, ['p']), pod('p', 'k', 'lost')],
    ['no claim of its own', claim('k', exactly, ['q']), pod('p', 'k')],
    ['an unknown class', claim('k', { deviceClassName: 'gone' }, ['p']), pod('p', 'k')],
  ] as const) {
    const { pods } = await read([deviceClass('card'), slice('a', DEVICES), ...objects]);
    assert.deepEqual(pods, ['cannot be placed'], why);
  }
  const overlapping = [deviceClass('card'), deviceClass('any'), claim('k', exactly, ['p']), pod('p', 'k')];
  const both = [...overlapping, claim('l', { deviceClassName: 'any' }, ['q']), pod('q', 'l')];
  assert.deepEqual((await read(both)).pods, ['cannot be placed', 'cannot be placed'], 'classes that share devices');
});

test('a choice of numbers asks for the smallest, and takes the first that a node has', async () => {
  const sub = (name: string, count: number) => ({ name, deviceClassName: 'card', count });
  const chosen = (uid: string, allocated: readonly string[]) => {
    const asked = claim(`choice-${uid}`, undefined, [uid], { firstAvailable: [sub('many', 3), sub('few', 1)] });
    const results = allocated.map((request) => ({ request, driver: 'card.example', pool: 'a', device: '0' }));
    return { ...asked, status: { ...asked.status, allocation: { devices: { results } } } };
  };
  const { pods, nodes, choices } = await read([
    deviceClass('card'),
    slice('a', [...DEVICES, ...['2', '3', '4', '5'].map((name) => ({ name }))]),
    chosen('p', ['r/many', 'r/many', 'r/many']),
    claim('one', { deviceClassName: 'card' }, ['p']),
    pod('p', 'choice-p', 'one'),
    chosen('q', ['r/few']),
    pod('q', 'choice-q'),
  ]);
  const card = 'resource.k8s.io/card';
  assert.deepEqual(pods, [{ [card]: 2 }, { [card]: 1 }]);
  assert.deepEqual(choices, [
    { resource: card, amounts: [4, 2] },
    { resource: card, amounts: [3, 1] },
  ]);
  assert.deepEqual(nodes[0], { [card]: 4 }, 'two of the six are what p has beyond what it must have');
});

test('while Karpenter ignores claims, no pod with one can be placed', async () => {
  const objects = [
    deviceClass('card'),
    slice('a', DEVICES),
    claim('k', { deviceClassName: 'card' }, ['p']),
    pod('p', 'k'),
  ];
  const { pods, nodes } = await read(objects, true);
  assert.deepEqual({ pods, nodes }, { pods: ['cannot be placed'], nodes: [{}, {}, {}] });
  assert.deepEqual((await read(objects)).pods, [{ 'resource.k8s.io/card': 1 }]);
});
