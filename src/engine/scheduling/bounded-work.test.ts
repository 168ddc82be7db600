import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { cluster, compiled, PLAINLY } from '../../../test/build/cluster.ts';
import { is, nodeWith, podsOf } from '../../../test/build/constraints.ts';
import { besideOrdinaryPods, hostileCluster, hostilePod, hostileSelector } from '../../../test/build/hostile-pods.ts';
import { instanceType } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { type PodSketch, pendingPod, pod } from '../../../test/build/pod.ts';
import { anyCluster } from '../../../test/build/random/cluster.ts';
import { runs } from '../../../test/build/runs.ts';
import { answersOf } from '../../../test/reference/answers.ts';
import { removing } from '../../../test/reference/simulate.ts';
import type { ClusterObjects, PodAffinityTerm, PodObject } from '../cluster/objects.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';
import { compile, compileSteps } from './compile.ts';
import { CompileCache } from './compile-cache.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import { pendingPodsBeyondLimit } from './pending-constraints.ts';
import { Topology } from './topology.ts';

/** What every placement has to check: pairs of pod labels and groups. */
function pairsOf({ membershipOfPod }: CompiledCluster): number {
  let pairs = 0;
  for (const { running, counted, repelledByHost, repelledByDomain } of new Set(membershipOfPod))
    pairs += running.length + counted.length + repelledByHost.length + repelledByDomain.length;
  return pairs;
}

describe('pods with many anti-affinity terms', () => {
  const thousand = { pods: 1000, terms: 10, selecting: 'everybody' } as const;

  for (const key of [HOSTNAME, ZONE]) {
    test(`cost little, by ${key}`, () => {
      const objects = hostileCluster({ ...thousand, key: () => key });
      assert.ok(pairsOf(compiled(objects)) <= 40 * objects.pods.length);
    });
  }

  test('cost nothing by topology keys that no node and no NodePool has', () => {
    assert.equal(pairsOf(compiled(hostileCluster({ ...thousand, key: (i, j) => `key-${i}-${j}` }))), 0);
  });

  test('make no groups if no node and no NodePool could ever host them', () => {
    for (const sketch of [{ nodeSelector: { nowhere: 'here' } }, { cpu: 1e9 }]) {
      const many = { pods: 700, terms: 40, selecting: 'everybody', key: () => ZONE, sketch } as const;
      assert.equal(compiled(hostileCluster(many)).groups.list.length, 0);
    }
  });

  test('keep others away, merged or not', () => {
    const hostile = hostileCluster({ pods: 300, terms: 2, selecting: 'everybody', key: () => HOSTNAME });
    assert.ok(compiled(hostile).groupsMerged);
    const { onExisting } = removing(hostile, ['n0']);
    // Every hostile pod wants a host of its own, and hosts with ordinary pods are taken.
    assert.deepEqual(
      onExisting.filter((p) => p.pod.name.startsWith('hostile')),
      [],
    );
    const toNobody = hostileCluster({ pods: 300, terms: 2, selecting: 'nobody', key: () => HOSTNAME });
    assert.ok(removing(toNobody, ['n0']).onExisting.some((p) => p.pod.name.startsWith('hostile')));
  });
});

describe('pending pods of one namespace with too many different terms', () => {
  const spreads = (i: number): PodSketch => ({
    topologySpread: Array.from({ length: 10 }, (_, j) => ({
      topologyKey: ZONE,
      maxSkew: 1,
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: hostileSelector('some', i, j),
    })),
  });
  const hostile = Array.from({ length: 300 }, (_, i) => hostilePod(i, spreads(i)));
  const alike = hostilePod(0, spreads(0)).constraints;
  const others = Array.from({ length: 300 }, (_, i) => ({
    ...hostilePod(300 + i, {}),
    namespace: 'other',
    constraints: alike,
  }));

  for (const compat of [false, true]) {
    test(`are placed as far as terms go, others of theirs not, and other namespaces do not suffer${compat ? ', in compat' : ''}`, () => {
      const { pending, pods } = compiled(besideOrdinaryPods([...hostile, ...others]), compat);
      const placed = Object.groupBy(pending, (i) => pods[i].namespace);
      const own = placed.default?.length ?? 0;
      assert.ok(own > 10 && own < 100, `${own}`);
      assert.equal(placed.other?.length, others.length);
    });
  }

  test('are counted for those who ask why', () => {
    const beyond = [...pendingPodsBeyondLimit([...hostile, ...others])];
    assert.ok(beyond.length > 200 && beyond.every((pod) => hostile.includes(pod)), `${beyond.length}`);
  });
});

describe('pods that ask for resources of many names', () => {
  const invented = (i: number) =>
    Object.fromEntries(Array.from({ length: 20 }, (_, j) => [`example.com/${i}-${j}`, 1]));
  const pending = Array.from({ length: 50 }, (_, i) => hostilePod(i, { extra: invented(i) }));
  const gpu = instanceType('gpu', { extra: { 'nvidia.com/gpu': 8 } });
  const objects = cluster({
    instanceTypes: [gpu],
    machines: [machine('old', { type: gpu }), machine('new', { type: gpu })],
    pods: [...pending, pod('trains', { on: 'old', extra: { 'nvidia.com/gpu': 1 } })],
  });

  test('do not make every node wide, and have no place', () => {
    assert.ok(compiled(objects).requests.dimensions.size <= 201);
    const { onExisting, unplaced } = removing(objects, ['old']);
    assert.deepEqual(
      onExisting.map((p) => `${p.pod.name} on ${p.node}`),
      ['trains on new'],
    );
    assert.equal(unplaced.length, pending.length);
  });

  test('take no column from a pod that runs later', () => {
    const cache = new CompileCache();
    const [first, ...others] = pending;
    compile({ ...objects, pods: [...others, first] }, PLAINLY, cache);
    const { requests } = compile(objects, PLAINLY, cache);
    assert.ok(requests.dimensions.has('nvidia.com/gpu'));
  });
});

describe('a pod that a node could host if another brings the label', () => {
  test('keeps its topology', () => {
    const objects = cluster({
      machines: [machine('old')],
      pods: [
        pod('opens', { on: 'old', requiredNodeTerms: [nodeWith(is('team', 'NotIn', 'blue'))] }),
        pendingPod('asks', {
          nodeSelector: { team: 'red' },
          requiredAntiAffinity: [podsOf('web', ZONE)],
        }),
      ],
    });
    assert.ok(compiled(objects).groups.list.length > 0);
  });
});

/** Finished pods hold no capacity and repel no pods, although they have labels and anti-affinity. */
function withFinishedPods(objects: ClusterObjects): ClusterObjects {
  const finished = Array.from(
    { length: 200 },
    (_, i): PodObject => ({
      ...pod(`finished-${i}`, {
        on: objects.nodes[0]?.name ?? '',
        labels: { app: `finished-${i}` },
        requiredAntiAffinity: [
          {
            topologyKey: HOSTNAME,
            labelSelector: { matchExpressions: [{ key: `absent-${i}`, operator: 'DoesNotExist' }] },
            namespaces: ['elsewhere'],
          },
        ],
        phase: 'Succeeded',
      }),
      namespace: 'elsewhere',
    }),
  );
  return { ...objects, pods: [...objects.pods, ...finished] };
}

test('groups that select the same pods may be one: no answer changes', () => {
  fc.assert(
    fc.property(anyCluster, (objects) => {
      const crowded = withFinishedPods(objects);
      if (objects.nodes.length > 0) assert.ok(compiled(crowded).groupsMerged);
      assert.deepEqual(answersOf(crowded, PLAINLY), answersOf(objects, PLAINLY));
    }),
    runs(20),
  );
});

test('groups that select other pods stay apart', () => {
  const apart = (name: string) => ({ labels: { app: name }, requiredAntiAffinity: [podsOf(name, HOSTNAME)] });
  const objects = withFinishedPods(
    cluster({
      machines: [machine('old'), machine('a'), machine('b')],
      pods: [
        pod('a1', { on: 'a', ...apart('a') }),
        pod('b1', { on: 'b', ...apart('b') }),
        pod('a2', { on: 'old', ...apart('a') }),
        pod('b2', { on: 'old', ...apart('b') }),
      ],
    }),
  );
  assert.ok(compiled(objects).groupsMerged);
  const placed = removing(objects, ['old']).onExisting.map(({ pod: { name }, node }) => `${name} on ${node}`);
  assert.deepEqual(placed.sort(), ['a2 on b', 'b2 on a']);
});

test('of many groups without pods one is checked, and no result changes', () => {
  // Each term selects other pods than every other one.
  const pods = Array.from({ length: 60 }, (_, i) =>
    pendingPod(`p${i}`, {
      labels: { app: 'hostile', [`k${i}`]: 'x' },
      cpu: 10,
      requiredAntiAffinity: Array.from({ length: 4 }, (__, j): PodAffinityTerm => {
        const key = `k${(i + 7 * j + 1) % 60}`;
        return { topologyKey: ZONE, labelSelector: { matchExpressions: [{ key, operator: 'DoesNotExist' }] } };
      }),
    }),
  );
  const machines = ['a', 'b', 'c'].map((zone) => machine(zone, { zone: `zone-${zone}` }));
  const objects = cluster({ machines, pods: [pod('web', { on: 'a', labels: { k1: 'x' } }), ...pods] });
  const asked = mock.method(Topology.prototype, 'admittedDomains');
  const answers = answersOf(objects, PLAINLY);
  const few = asked.mock.callCount();
  const each = mock.method(Topology.prototype, 'distinct', (groups: readonly number[]) => groups);
  assert.deepEqual(answersOf(objects, PLAINLY), answers);
  const all = asked.mock.callCount() - few;
  each.mock.restore();
  asked.mock.restore();
  assert.ok(few * 2 < all, `${few} of ${all}`);
});

test('others get a turn while labels are compared with selectors', () => {
  let reads = 0;
  const counting: ProxyHandler<Record<string, string>> = {
    get(labels, key) {
      reads++;
      return Reflect.get(labels, key);
    },
  };
  const objects = hostileCluster({ pods: 500, terms: 10, selecting: 'nobody', key: () => ZONE });
  // Not anchored at a label that no pod has: each pair has to be compared. Only the source of a cluster limits terms of pods that run.
  const pods = objects.pods.map((p, i) => ({
    ...p,
    nodeName: `n${i % 20}`,
    labels: new Proxy({ ...p.labels }, counting),
    constraints: { ...p.constraints, requiredAntiAffinity: p.constraints.requiredAntiAffinity.map(asExpression) },
  }));
  const steps = compileSteps({ ...objects, pods }, PLAINLY);
  let most = 0;
  for (let before = 0, done = false; !done; before = reads) {
    done = steps.next().done === true;
    most = Math.max(most, reads - before);
  }
  assert.ok(reads > 2_000_000, `${reads} reads`);
  assert.ok(most < 500_000, `${most} of ${reads} reads without a pause`);
});

function asExpression(term: PodAffinityTerm): PodAffinityTerm {
  const [[key, value]] = Object.entries(term.labelSelector?.matchLabels ?? {});
  return { ...term, labelSelector: { matchExpressions: [{ key: `${key}-${value}`, operator: 'Exists' }] } };
}
