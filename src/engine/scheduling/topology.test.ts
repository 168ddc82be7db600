import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ClusterSketch, cluster } from '../../../test/build/cluster.ts';
import { app, is, nodeWith, podsOf, spread, taint, toleration } from '../../../test/build/constraints.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { type PodSketch, pod } from '../../../test/build/pod.ts';
import { removing } from '../../../test/reference/simulate.ts';
import type { PodObject } from '../cluster/objects.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';

const launchingIn = (...zones: string[]) =>
  nodePool('default', { limits: { cpu: 1 }, requirements: [is(ZONE, 'In', ...zones)] });
const web = { labels: { app: 'web' } };
const inA = machine('a');
const inB = machine('b', { zone: 'zone-b' });

/** Where the pods of `old` go among existing nodes; those that find no place are left out. */
function goes(sketch: ClusterSketch): Record<string, string> {
  const { onExisting } = removing(cluster({ nodePools: [launchingIn('zone-a')], ...sketch }), ['old']);
  return Object.fromEntries(onExisting.map(({ pod: p, node }) => [p.name, node]));
}

/** Where a pod like this goes if others run on a (zone-a) and b (zone-b). */
function alone(sketch: PodSketch, others: readonly PodObject[] = [], zones = ['zone-a']): string | undefined {
  const pods = [pod('p', { on: 'old', ...web, ...sketch }), ...others];
  return goes({ machines: [machine('old', { zone: 'zone-b' }), inA, inB], pods, nodePools: [launchingIn(...zones)] }).p;
}

const webOn = (node: string, count: number, more: PodSketch = {}) =>
  Array.from({ length: count }, (_, i) => pod(`web-${node}-${i}`, { on: node, cpu: 10, ...web, ...more }));

describe('a spread', () => {
  const overZones = (more: Parameters<typeof spread>[2] = {}) => ({ topologySpread: [spread('web', ZONE, more)] });

  test('lets a domain get maxSkew ahead of the emptiest, and no further', () => {
    assert.equal(alone(overZones(), webOn('a', 0)), 'a');
    assert.equal(alone(overZones(), webOn('a', 1)), 'b');
    assert.equal(alone(overZones({ maxSkew: 2 }), webOn('a', 1)), 'a');
    assert.equal(alone(overZones({ maxSkew: 2 }), webOn('a', 2)), 'b');
  });

  test('counts the pod itself only if it is selected', () => {
    assert.equal(alone({ ...overZones(), labels: {} }, webOn('a', 1)), 'a');
  });

  test('counts an empty domain more while there are fewer than minDomains', () => {
    const both = [...webOn('a', 1), ...webOn('b', 1)];
    assert.equal(alone(overZones(), both), 'a');
    assert.equal(alone(overZones({ minDomains: 3 }), both), undefined);
  });

  test('counts pods of its own namespace only', () => {
    assert.equal(alone(overZones(), webOn('a', 5, { namespace: 'other' })), 'a');
  });

  test('counts, by matchLabelKeys, only pods with the same values of these labels', () => {
    const mine = { labels: { app: 'web', version: '2' }, ...overZones({ matchLabelKeys: ['version'] }) };
    assert.equal(alone(mine, webOn('a', 1, { labels: { app: 'web', version: '1' } })), 'a');
    assert.equal(alone(mine, webOn('a', 1, { labels: { app: 'web', version: '2' } })), 'b');
    const unversioned = { ...overZones({ matchLabelKeys: ['version'] }) };
    assert.equal(alone(unversioned, webOn('a', 1, { labels: { app: 'web', version: '1' } })), 'b');
  });

  test('leaves out nodes that the pod may not run on, unless told otherwise', () => {
    const onlyA = { nodeSelector: { [HOSTNAME]: 'a' } };
    assert.equal(alone({ ...onlyA, ...overZones() }, webOn('a', 3)), 'a');
    const tainted = machine('b', { zone: 'zone-b', taints: [taint('dedicated')] });
    const pods = (policy: 'Honor' | 'Ignore') => [
      pod('p', { on: 'old', ...web, ...overZones({ nodeTaintsPolicy: policy }) }),
      ...webOn('a', 1),
    ];
    const machines = [machine('old'), inA, tainted];
    assert.deepEqual(goes({ machines, pods: pods('Honor') }), { p: 'a' });
    assert.deepEqual(goes({ machines, pods: pods('Ignore') }), {});
  });

  test('leaves out new nodes that its pod may not run on', () => {
    // The first goes to a tainted new node. Whether it counts there decides if the second may join the crowd in zone-a.
    const pools = [nodePool('tainted', { taints: [taint('dedicated')], requirements: [is(ZONE, 'In', 'zone-b')] })];
    const pods = (policy: 'Honor' | 'Ignore') => [
      pod('first', {
        on: 'old',
        cpu: 3000,
        ...web,
        nodeSelector: { [ZONE]: 'zone-b' },
        tolerations: [toleration('dedicated')],
      }),
      pod('second', { on: 'old', ...web, ...overZones({ nodeTaintsPolicy: policy }) }),
      ...webOn('a', 1),
      pod('filler', { on: 'full', cpu: 4000 }),
    ];
    const machines = [
      machine('old', { pool: 'tainted' }),
      machine('a', { pool: 'tainted' }),
      machine('full', { zone: 'zone-b', pool: 'tainted' }),
    ];
    const where = (policy: 'Honor' | 'Ignore') =>
      removing(cluster({ machines, pods: pods(policy), nodePools: pools }), ['old']).onExisting.map((p) => p.node);
    assert.deepEqual(where('Ignore'), ['a']);
    assert.deepEqual(where('Honor'), []);
  });
});

describe('an affinity', () => {
  const near = { requiredAffinity: [podsOf('web', ZONE)] };

  test('goes where its friends are', () => assert.equal(alone({ labels: {}, ...near }, webOn('b', 1)), 'b'));

  test('goes nowhere without friends, unless it is one of them', () => {
    assert.equal(alone({ labels: {}, ...near }), undefined);
    assert.equal(alone(near), 'a');
  });

  test('of one of them goes where the others are', () => assert.equal(alone(near, webOn('b', 1)), 'b'));

  test('of one of them starts anew where the others cannot be reached', () => {
    const toA = { requiredNodeTerms: [nodeWith(is(ZONE, 'In', 'zone-a'))] };
    assert.equal(alone({ ...near, ...toA }, webOn('b', 1)), 'a');
    assert.equal(alone({ ...near, ...toA, labels: {} }, webOn('b', 1)), undefined);
  });

  test('looks in the namespaces that it lists or selects, else in its own', () => {
    const elsewhere = webOn('b', 1, { namespace: 'other' });
    const term = (more: object) => ({ labels: {}, requiredAffinity: [podsOf('web', ZONE, more)] });
    const namespaces = [{ name: 'other', labels: { app: 'web' } }];
    const where = (more: object) =>
      goes({
        machines: [machine('old'), inA, inB],
        namespaces,
        pods: [pod('p', { on: 'old', ...term(more) }), ...elsewhere],
      }).p;
    assert.equal(where({}), undefined);
    assert.equal(where({ namespaces: ['other'] }), 'b');
    assert.equal(where({ namespaceSelector: app('web') }), 'b');
    assert.equal(where({ namespaceSelector: {} }), 'b');
    assert.equal(where({ namespaceSelector: app('db') }), undefined);
  });
});

describe('an anti-affinity', () => {
  const apart = { requiredAntiAffinity: [podsOf('web', ZONE)] };
  const both = ['zone-a', 'zone-b'];

  test('keeps its pod away from others', () => assert.equal(alone({ labels: {}, ...apart }, webOn('a', 1)), 'b'));

  test('keeps others away from its pod', () =>
    assert.equal(alone({}, webOn('a', 1, { labels: {}, ...apart }), both), 'b'));

  test('that is only preferred repels no pod', () => {
    const soft = { labels: {}, preferredAntiAffinity: [{ weight: 1, term: podsOf('web', ZONE) }] };
    assert.equal(alone({}, webOn('a', 1, soft)), 'a');
  });

  test('of a pod that moves too holds between the two', () => {
    const pods = [pod('p', { on: 'old', cpu: 900, ...web, ...apart }), pod('q', { on: 'old', ...web })];
    const nodePools = [launchingIn(...both)];
    assert.deepEqual(goes({ machines: [machine('old'), inA, inB], pods, nodePools }), { p: 'a', q: 'b' });
  });
});
