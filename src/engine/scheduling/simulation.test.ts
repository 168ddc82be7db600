import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ClusterSketch, cluster, compiled, PLAINLY, rowOf } from '../../../test/build/cluster.ts';
import { app, is, nodeWith, podsOf, spread, taint, weighing } from '../../../test/build/constraints.ts';
import { instanceType, MEDIUM, offeringsIn } from '../../../test/build/instance-type.ts';
import { type Machine, machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { type PodSketch, pendingPod, pod } from '../../../test/build/pod.ts';
import { GIB, HOUR_MS, MINUTE_MS, NOW_MS } from '../../../test/build/units.ts';
import { removing } from '../../../test/reference/simulate.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';
import type { KarpenterVersion } from '../karpenter-release.ts';
import { compile } from './compile.ts';
import { Simulation } from './simulation.ts';

const EXHAUSTED = nodePool('default', { limits: { cpu: 1 } });

/** Where the pods of `old` go: pod → node, "new 0", "new 1" …, or "nowhere". */
function goes(sketch: ClusterSketch): Record<string, string> {
  const { onExisting, newNodes, unplaced } = removing(cluster(sketch), ['old']);
  return Object.fromEntries([
    ...onExisting.map(({ pod: p, node }) => [p.name, node]),
    ...newNodes.flatMap((n, i) => n.pods.map((p) => [p.name, `new ${i}`])),
    ...unplaced.map((p) => [p.name, 'nowhere']),
  ]);
}

const onOld = (name: string, sketch: PodSketch = {}) => pod(name, { on: 'old', ...sketch });

describe('existing nodes', () => {
  test('are tried by name, the first that fits is taken', () => {
    const full = pod('full', { on: 'a', cpu: 3800 });
    const machines = [machine('old'), machine('c'), machine('b'), machine('a')];
    assert.deepEqual(goes({ machines, pods: [onOld('p'), full] }), { p: 'b' });
  });

  test('come before those that are not initialized yet', () => {
    const machines = [machine('old'), machine('a', { state: 'starting' }), machine('b')];
    assert.deepEqual(goes({ machines, pods: [onOld('p')] }), { p: 'b' });
  });

  test('come before new nodes, and those that are not initialized too', () => {
    const machines = [machine('old'), machine('a', { state: 'launched' })];
    assert.deepEqual(goes({ machines, pods: [onOld('p')] }), { p: 'a' });
  });

  test('are not used while on their way out', () => {
    const machines = [machine('old'), machine('a', { deleting: true })];
    assert.deepEqual(goes({ machines, pods: [onOld('p')], nodePools: [EXHAUSTED] }), { p: 'nowhere' });
  });

  test('that are coming up have what their claim promises where they report nothing yet', () => {
    const starting = machine('a', { state: 'starting' });
    const silent = { ...starting, node: starting.node && { ...starting.node, allocatable: { cpu: 0, memory: 0 } } };
    assert.deepEqual(goes({ machines: [machine('old'), silent], pods: [onOld('p')] }), { p: 'a' });
  });

  test('shed startup taints, but no others', () => {
    const starting = { state: 'starting', startupTaints: [taint('starting')] } as const;
    const sketch = (taints: readonly ReturnType<typeof taint>[]) => ({
      machines: [machine('old'), machine('a', { ...starting, taints })],
      pods: [onOld('p')],
      nodePools: [EXHAUSTED],
    });
    assert.deepEqual(goes(sketch([])), { p: 'a' });
    assert.deepEqual(goes(sketch([taint('dedicated')])), { p: 'nowhere' });
  });
});

describe('pods', () => {
  const tight = { cpu: 1000, memory: 4 * GIB, pods: 10 };
  const contest = (a: PodSketch, b: PodSketch) =>
    goes({
      nodePools: [EXHAUSTED],
      machines: [machine('old'), machine('only', { allocatable: tight })],
      pods: [onOld('a', { cpu: 600, ...a }), onOld('b', { cpu: 600, ...b })],
    });

  test('are placed by cpu, largest first', () =>
    assert.deepEqual(contest({ cpu: 600 }, { cpu: 700 }), { a: 'nowhere', b: 'only' }));

  test('then by memory', () => {
    assert.deepEqual(contest({ memory: GIB }, { memory: 2 * GIB }), { a: 'nowhere', b: 'only' });
  });

  test('then by age, oldest first', () => {
    assert.deepEqual(contest({ createdMs: NOW_MS }, { createdMs: NOW_MS - HOUR_MS }), { a: 'nowhere', b: 'only' });
  });

  test('then by UID', () => assert.deepEqual(contest({ uid: '2' }, { uid: '1' }), { a: 'nowhere', b: 'only' }));

  test('that wait, and those of nodes on their way out, are placed in every simulation', () => {
    const machines = [machine('old'), machine('leaving', { deleting: true }), machine('z')];
    const pods = [onOld('p'), pod('q', { on: 'leaving' }), pendingPod('r')];
    assert.deepEqual(goes({ machines, pods }), { p: 'z', q: 'z', r: 'z' });
  });

  test('that fail are tried again when others have found a place', () => {
    const needy = onOld('needy', { cpu: 1000, requiredAffinity: [podsOf('friend', HOSTNAME)] });
    const machines = [machine('old'), machine('a')];
    assert.deepEqual(goes({ machines, pods: [needy, onOld('friend', { labels: { app: 'friend' } })] }), {
      needy: 'a',
      friend: 'a',
    });
  });

  test('with ResourceClaims find no place', () => {
    assert.deepEqual(goes({ machines: [machine('old'), machine('a')], pods: [onOld('p', { resourceClaims: true })] }), {
      p: 'nowhere',
    });
  });

  test('with a choice of amounts take the first that a node has, which leaves less for others', () => {
    const firstAvailable = { resource: 'card', amounts: [2, 1] };
    const picky = onOld('picky', { cpu: 1000, extra: { card: 1 }, firstAvailable });
    const pods = [picky, onOld('later', { extra: { card: 1 } })];
    const places = (...cards: readonly number[]) => {
      const withCards = cards.map((card, i) => machine(`n${i}`, { allocatable: { ...MEDIUM.allocatable, card } }));
      return goes({ machines: [machine('old'), ...withCards], pods });
    };
    assert.deepEqual(places(1, 1), { picky: 'n0', later: 'n1' });
    assert.deepEqual(places(2, 1), { picky: 'n0', later: 'n1' });
    assert.deepEqual(places(3), { picky: 'n0', later: 'n0' });
    assert.deepEqual(places(2), { picky: 'n0', later: 'nowhere' });
  });

  test('with a choice of amounts find no place in releases that do not know it', () => {
    const firstAvailable = { resource: 'cpu', amounts: [2000, 1000] };
    const objects = cluster({
      machines: [machine('old'), machine('a')],
      pods: [onOld('p', { cpu: 1000, firstAvailable })],
    });
    const places = (karpenter: KarpenterVersion) => {
      const simulation = new Simulation(compile(objects, { ...PLAINLY, compat: true, karpenter }));
      const free = () => simulation.cluster.free.map((amounts) => [...amounts]);
      const before = free();
      const placed = simulation.removing([rowOf(simulation.cluster, 'old')], ({ unplaced }) => unplaced.length === 0);
      assert.deepEqual(free(), before, 'everything is undone');
      return placed;
    };
    assert.deepEqual([places('1.15.0'), places('1.14.3')], [true, false]);
  });

  test('hold on to a preference until new nodes have failed too', () => {
    const prefers = (zone: string) => onOld('p', { preferredNodeTerms: [weighing(1, nodeWith(is(ZONE, 'In', zone)))] });
    const machines = [machine('old'), machine('a')];
    assert.deepEqual(goes({ machines, pods: [prefers('zone-b')] }), { p: 'new 0' });
    assert.deepEqual(goes({ machines, pods: [prefers('zone-x')] }), { p: 'a' });
  });
});

describe('new nodes', () => {
  const pools = [nodePool('alpha'), nodePool('beta'), nodePool('heavy', { weight: 5 })];
  const launches = (nodePools: ClusterSketch['nodePools'], others: readonly Machine[] = []) =>
    removing(cluster({ machines: [machine('old'), ...others], pods: [onOld('p')], nodePools }), ['old']).newNodes.map(
      (n) => n.pool.name,
    );

  test('come from the heaviest pool, of equals from the last by name', () => {
    assert.deepEqual(launches(pools), ['heavy']);
    assert.deepEqual(launches(pools.slice(0, 2)), ['beta']);
  });

  test('come from the next pool when one is not ready, static, on its way out, tainted or at its limits', () => {
    const unfit = [
      { ready: false },
      { replicas: 1 },
      { terminating: true },
      { taints: [taint('dedicated')] },
      { limits: { cpu: 1 } },
    ];
    for (const sketch of unfit) assert.deepEqual(launches([pools[0], nodePool('beta', sketch)]), ['alpha']);
  });

  test('have the room that removed nodes, and those on their way out, leave under the limits', () => {
    const limited = (cpu: number) =>
      launches([nodePool('default', { limits: { cpu } })], [machine('out', { deleting: true })]);
    assert.deepEqual(limited(2000), ['default']);
    assert.deepEqual(limited(1999), []);
  });

  test('are no more than limits.nodes leaves, those that are about to be launched counted', () => {
    const apart = { labels: { app: 'apart' }, topologySpread: [spread('apart', HOSTNAME)] };
    const launched = (nodes: number, compat: boolean) =>
      removing(
        cluster({
          machines: ['old', 'a', 'b'].map((name) => machine(name, { taints: [taint('full')] })),
          pods: [onOld('p', apart), onOld('q', apart)],
          nodePools: [nodePool('default', { limits: { nodes } })],
        }),
        ['old'],
        compat,
      ).newNodes.length;
    const limits = [4, 3, 2, 1];
    assert.deepEqual(
      limits.map((nodes) => launched(nodes, false)),
      [2, 1, 0, 0],
    );
    // Karpenter does not count those.
    assert.deepEqual(
      limits.map((nodes) => launched(nodes, true)),
      [2, 2, 0, 0],
    );
  });

  test('fill up with the fewest pods first', () => {
    const apart = { labels: { app: 'apart' }, topologySpread: [spread('apart', HOSTNAME)] };
    const pods = [onOld('a', { cpu: 900, ...apart }), onOld('b', { cpu: 800, ...apart }), onOld('c'), onOld('d')];
    const { newNodes } = removing(cluster({ machines: [machine('old')], pods }), ['old']);
    assert.deepEqual(newNodes.map((n) => n.pods.map((p) => p.name).join()).sort(), ['a,c', 'b,d']);
  });

  test('keep only the types that hold all their pods', () => {
    const pods = [onOld('a', { cpu: 1500 }), onOld('b', { cpu: 1500 })];
    const { newNodes } = removing(cluster({ machines: [machine('old')], pods }), ['old']);
    assert.deepEqual(
      newNodes.map((n) => n.types.map((t) => t.name)),
      [['medium', 'large']],
    );
  });

  describe('of a pod that is spread over zones', () => {
    const zonesOf = (zones: readonly string[]) => {
      const spreading = onOld('p', { cpu: 5000, labels: { app: 'web' }, topologySpread: [spread('web', ZONE)] });
      const objects = cluster({
        instanceTypes: [instanceType('huge', { cpu: 8000, offerings: offeringsIn(zones, 0.4) })],
        machines: [machine('old'), machine('a')],
        pods: [spreading, pod('w', { on: 'a', labels: { app: 'web' } })],
      });
      return removing(objects, ['old']).newNodes.flatMap((n) => [...(n.labels.get(ZONE)?.values ?? [])]);
    };

    test('go to the emptiest zone', () => assert.deepEqual(zonesOf(['zone-a', 'zone-c']), ['zone-c']));

    test('go to the first by name of equally empty ones, in whatever order the catalog has them', () => {
      assert.deepEqual(zonesOf(['zone-c', 'zone-b', 'zone-a']), ['zone-b']);
      assert.deepEqual(zonesOf(['zone-a', 'zone-b', 'zone-c']), ['zone-b']);
    });
  });
});

describe('the shield', () => {
  const pools = [nodePool('default', { consolidateAfterMs: 10 * MINUTE_MS, limits: { cpu: 1 } })];
  const placed = (agoMs: number, shieldDestinations: boolean, moved: PodSketch = {}) => {
    const machines = [machine('old'), machine('busy', { lastPodEventMs: NOW_MS - agoMs })];
    const objects = cluster({ machines, nodePools: pools, pods: [onOld('p', moved)] });
    const simulation = new Simulation(compile(objects, { ...PLAINLY, shieldDestinations }));
    return simulation.removing([rowOf(simulation.cluster, 'old')], (outcome) => outcome.placements.length);
  };

  test('keeps pods that we move off nodes within their own window', () => assert.equal(placed(9 * MINUTE_MS, true), 0));
  test('ends with the window', () => assert.equal(placed(10 * MINUTE_MS, true), 1));
  test('is a switch', () => assert.equal(placed(9 * MINUTE_MS, false), 1));
  test('does not keep off pods that have not started', () =>
    assert.equal(placed(MINUTE_MS, true, { phase: 'Pending' }), 1));
});

test('a pod that relies on a node that is not initialized is reported, unless its own node is on its way out', () => {
  const machines = [machine('old'), machine('leaving', { deleting: true }), machine('a', { state: 'starting' })];
  const c = compiled(cluster({ machines, pods: [onOld('p'), pod('q', { on: 'leaving' })] }));
  const relying = new Simulation(c).removing([rowOf(c, 'old')], (o) => o.onUninitialized.map((i) => c.pods[i].name));
  assert.deepEqual(relying, ['p']);
});

test('terminating pods do not count for spread and affinity, but still repel others', () => {
  const leaving = pod('leaving', { on: 'a', labels: { app: 'web' }, terminating: true });
  const sketch = (moved: PodSketch, other = leaving) => ({
    machines: [machine('old'), machine('a')],
    nodePools: [EXHAUSTED],
    pods: [onOld('p', { labels: { app: 'web' }, ...moved }), other],
  });
  const repelled = { requiredAntiAffinity: [podsOf('web', HOSTNAME)] };
  assert.deepEqual(goes(sketch({ topologySpread: [spread('web', HOSTNAME)] })), { p: 'a' });
  assert.deepEqual(goes(sketch(repelled)), { p: 'a' });
  assert.deepEqual(goes(sketch({ labels: {}, requiredAffinity: [podsOf('web', HOSTNAME)] })), { p: 'nowhere' });
  assert.deepEqual(goes(sketch({}, pod('leaving', { on: 'a', terminating: true, ...repelled }))), { p: 'nowhere' });
});

test('a budget that allows no eviction, ever, keeps its pods out of simulations', () => {
  const budget = {
    namespace: 'default',
    name: 'b',
    selector: app('web'),
    disruptionsAllowed: 1,
    evictsUnhealthy: false,
  };
  const sketch = (fullyBlocking: boolean) => ({
    machines: [machine('old'), machine('a')],
    pods: [onOld('p', { labels: { app: 'web' } })],
    podDisruptionBudgets: [{ ...budget, fullyBlocking }],
  });
  assert.deepEqual(goes(sketch(true)), {});
  assert.deepEqual(goes(sketch(false)), { p: 'a' });
});
