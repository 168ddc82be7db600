import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { cluster, compiled } from '../../../test/build/cluster.ts';
import { hostPort, is, nodeWith, podsOf, toleration, weighing } from '../../../test/build/constraints.ts';
import { besideOrdinaryPods, hostilePod, hostileSelector } from '../../../test/build/hostile-pods.ts';
import { machine } from '../../../test/build/machine.ts';
import { type PodSketch, pendingPod, pod } from '../../../test/build/pod.ts';
import { anyCluster } from '../../../test/build/random/cluster.ts';
import { runs } from '../../../test/build/runs.ts';
import { HOUR_MS, NOW_MS } from '../../../test/build/units.ts';
import { problemsOf } from '../../../test/reference/check.ts';
import { removing } from '../../../test/reference/simulate.ts';
import type { ClusterObjects, PodAffinityTerm } from '../cluster/objects.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import { RunningConstraints } from './running-constraints.ts';

const terms = (i: number): readonly PodAffinityTerm[] =>
  Array.from({ length: 10 }, (_, j) => ({ topologyKey: ZONE, labelSelector: hostileSelector('some', i, j) }));

/** A thousand pods that run, with ten terms each that no other has. */
function hostileRunning(sketch: (i: number) => PodSketch): ClusterObjects {
  return besideOrdinaryPods(
    Array.from({ length: 1000 }, (_, i) =>
      hostilePod(i, {
        nodeName: `n${i % 20}`,
        phase: 'Running',
        unschedulable: false,
        ready: 'True',
        createdMs: NOW_MS - HOUR_MS - i,
        ...sketch(i),
      }),
    ),
  );
}

function limited(objects: ClusterObjects, terms = new RunningConstraints()): ClusterObjects {
  const { pods, setAside } = terms.limit(objects.pods);
  return { ...objects, pods, undecodable: [...objects.undecodable, ...setAside] };
}

function pairsOf({ membershipOfPod }: CompiledCluster): number {
  let pairs = 0;
  for (const { running, counted, repelledByHost, repelledByDomain } of membershipOfPod)
    pairs += running.length + counted.length + repelledByHost.length + repelledByDomain.length;
  return pairs;
}

describe('pods that run with terms that all select other pods', () => {
  const kinds: Record<string, (i: number) => PodSketch> = {
    'anti-affinity': (i) => ({ requiredAntiAffinity: terms(i) }),
    affinity: (i) => ({ requiredAffinity: terms(i) }),
    preferences: (i) => ({ preferredAntiAffinity: terms(i).map((term) => weighing(1, term)) }),
    spreads: (i) => ({
      topologySpread: terms(i).map((term) => ({ ...term, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' as const })),
    }),
  };
  for (const [kind, sketch] of Object.entries(kinds)) {
    test(`are compared with a bounded number of pods, in compat too: ${kind}`, () => {
      const objects = limited(hostileRunning(sketch));
      assert.ok(pairsOf(compiled(objects, true)) < 1_500_000);
      assert.deepEqual(
        new Set(objects.undecodable.map(({ nodeName }) => nodeName)),
        new Set(objects.nodes.map(({ name }) => name)),
      );
    });
  }

  test('keep their constraints if they are the oldest', () => {
    const objects = hostileRunning(kinds.affinity);
    const kept = limited(objects).pods.filter(({ constraints }) => constraints.requiredAffinity.length > 0);
    assert.ok(kept.length > 20 && kept.length < 100, `${kept.length}`);
    assert.deepEqual(new Set(kept), new Set(objects.pods.slice(-kept.length)));
  });

  test('leave other namespaces alone', () => {
    const objects = hostileRunning(kinds.affinity);
    const other = pod('other', { namespace: 'other', on: 'n0', requiredAffinity: terms(0) });
    assert.ok(limited({ ...objects, pods: [...objects.pods, other] }).pods.includes(other));
  });

  test('are the same objects when asked again', () => {
    const { pods } = hostileRunning(kinds.affinity);
    const running = new RunningConstraints();
    const first = running.limit(pods);
    const again = running.limit([...pods, pendingPod('new')]);
    assert.deepEqual(
      [again.pods.slice(0, -1), again.setAside].map((list) => new Set<unknown>(list)),
      [first.pods, first.setAside].map((list) => new Set<unknown>(list)),
    );
    assert.ok(first.setAside.every((object, i) => object === again.setAside[i]));
  });
});

test('three thousand workloads of one namespace, each with constraints about itself, are not limited', () => {
  const pods = Array.from({ length: 3000 }, (_, i) =>
    pod(`p${i}`, {
      on: 'n',
      labels: { app: `app-${i}` },
      requiredAntiAffinity: [podsOf(`app-${i}`, HOSTNAME)],
      preferredAntiAffinity: [weighing(1, podsOf(`app-${i}`, ZONE))],
      topologySpread: [
        {
          topologyKey: ZONE,
          maxSkew: 1,
          whenUnsatisfiable: 'ScheduleAnyway',
          labelSelector: podsOf(`app-${i}`, ZONE).labelSelector,
        },
      ],
    }),
  );
  assert.equal(new RunningConstraints().limit(pods).pods, pods);
});

test('a list of namespaces counts, whether they exist or not', () => {
  const pods = Array.from({ length: 10 }, (_, i) => {
    const namespaces = Array.from({ length: 50_000 }, (__, j) => `namespace-${i}-${j}`);
    return pod(`p${i}`, { on: 'n', requiredAffinity: [podsOf('web', ZONE, { namespaces })] });
  });
  const kept = new RunningConstraints()
    .limit(pods)
    .pods.filter(({ constraints }) => constraints.requiredAffinity.length > 0);
  assert.equal(kept.length, 4);
});

test('required labels, tolerations and host ports count', () => {
  const many = (i: number): readonly PodSketch[] => [
    { nodeSelector: Object.fromEntries(Array.from({ length: 1000 }, (_, j) => [`key-${i}-${j}`, 'x'])) },
    { tolerations: Array.from({ length: 1000 }, (_, j) => toleration(`key-${i}-${j}`)) },
    { hostPorts: Array.from({ length: 1000 }, (_, j) => hostPort(1 + ((i + j) % 65_000))) },
    { requiredNodeTerms: [nodeWith(is('key', 'In', ...Array.from({ length: 1000 }, (_, j) => `value-${i}-${j}`)))] },
  ];
  for (let kind = 0; kind < many(0).length; kind++) {
    const pods = Array.from({ length: 100 }, (_, i) => pod(`p${i}`, { on: 'n', ...many(i)[kind] }));
    const limit = new RunningConstraints().limit(pods);
    const changed = limit.pods.filter((p, i) => p !== pods[i]);
    assert.ok(changed.length > 40 && changed.length < 70, `${changed.length}`);
    // They stay on their node, with their ports.
    for (const { name, constraints } of changed)
      assert.deepEqual(constraints, {
        ...pod('plain').constraints,
        hostPorts: pods.find((p) => p.name === name)?.constraints.hostPorts,
      });
  }
});

test('a pod beyond the limit repels what its terms could select, in their whole domain', () => {
  const objects = cluster({
    machines: [machine('old', { zone: 'zone-b' }), machine('a'), machine('beside-a')],
    pods: [
      pod('web', { on: 'old', labels: { app: 'web' } }),
      pod('many', {
        on: 'a',
        requiredAntiAffinity: [podsOf('web', ZONE)],
        preferredAffinity: Array.from({ length: 700 }, (_, i) => weighing(1, podsOf(`absent-${i}`, ZONE))),
      }),
    ],
  });
  const limit = limited(objects);
  assert.deepEqual(
    limit.undecodable.map(({ name, nodeName }) => `${name} on ${nodeName}`),
    ['many on a'],
  );
  assert.deepEqual(removing(limit, ['old']).onExisting, []);
});

test('placements beside pods beyond the limit are correct for their real constraints', () => {
  const none = { ofNamespace: 0, perPodOfCluster: 0 };
  let placements = 0;
  fc.assert(
    fc.property(anyCluster, (any) => {
      const objects = { ...any, pods: any.pods.filter(({ nodeName }) => nodeName !== '') };
      const limit = limited(objects, new RunningConstraints(none));
      const { rows } = compiled(limit);
      // Pods of nodes that are being deleted are placed in every simulation.
      if (limit.undecodable.length === 0 || rows.some((row) => row.deleting && row.undecodable.length > 0)) return;
      for (const { node, tracked, deleting, undecodable } of rows) {
        if (node === undefined || !tracked || deleting || undecodable.length > 0) continue;
        const result = removing(limit, [node.name]);
        placements += result.onExisting.length;
        const ofOthers = problemsOf(limit, result);
        assert.deepEqual(
          problemsOf(objects, result).filter((problem) => !ofOthers.includes(problem)),
          [],
        );
      }
    }),
    runs(300),
  );
  assert.ok(placements > 20, `${placements} placements`);
});
