import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { podsOf, spread } from '../../../test/build/constraints.ts';
import { machine } from '../../../test/build/machine.ts';
import { pod } from '../../../test/build/pod.ts';
import { podDisruptionBudget } from '../../../test/build/pod-disruption-budget.ts';
import { rules } from '../../../test/build/policy.ts';
import { type SingletonSketch, singleton } from '../../../test/build/singleton.ts';
import { volume, volumeClaim } from '../../../test/build/storage.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';
import { explainNode } from '../explanation/node-explanation.ts';
import { explainPod } from '../explanation/pod-explanation.ts';
import { changeWords } from '../explanation/words.ts';
import { plan } from '../plan.ts';
import type { Plan } from '../plan-document.ts';
import type { Rules } from '../settings.ts';
import { isRollout, rolloutOf } from './rollouts.ts';

const ON = rules({}, { rollouts: true });
const BLOCKING = podDisruptionBudget('web', 'web', { disruptionsAllowed: 0, fullyBlocking: true });

/** Node "a" holds the singleton "web", which fits on "b"; "b" stays. */
function pair(sketch: SingletonSketch = {}, more: Partial<ClusterObjects> = {}): ClusterObjects {
  const own = singleton('web', { on: 'a', ...sketch });
  return cluster({
    machines: [machine('a'), machine('b')],
    pods: [own.pod, pod('other', { on: 'b', doNotDisrupt: 'true' })],
    workloads: own.workloads,
    autoscalers: [],
    podDisruptionBudgets: [BLOCKING],
    ...more,
  });
}

function planned(objects: ClusterObjects, by: Rules = ON): Plan {
  return plan(objects, { search: 'merged', rules: by, loadMs: 0 }, () => 0);
}

function refusal(objects: ClusterObjects, by: Rules = ON): string {
  const { nodes } = planned(objects, by);
  return (
    nodes
      .find((n) => n.name === 'a')
      ?.refusals.map((r) => r.message)
      .join() ?? ''
  );
}

describe('a pod whose budget allows no eviction', () => {
  test('keeps its node if rollouts are off', () => {
    assert.equal(refusal(pair()), 'PodDisruptionBudget default/web allows no eviction of pod default/web-1 now');
  });

  const annotations: readonly SingletonSketch[] = [{ move: 'rollout' }, { rollout: { move: 'rollout' } }];
  for (const sketch of annotations)
    test(`is rolled, not evicted: ${JSON.stringify(sketch)}`, () => {
      const { moves, totals } = planned(pair(sketch));
      assert.deepEqual(moves[0]?.nodes, ['a']);
      assert.deepEqual(moves[0].placements, [{ pod: 'default/web-1', to: 'b' }]);
      assert.deepEqual(moves[0].rollouts, [{ pod: 'default/web-1', deployment: 'default/web', by: 'restart' }]);
      assert.deepEqual([totals.evictions, totals.rollouts], [0, 1]);
    });

  test('is rolled where its pool offers it, unless its annotation says evict', () => {
    const byPool = rules({ rollsSingletons: true }, { rollouts: true });
    assert.equal(planned(pair(), byPool).moves[0].rollouts?.length, 1);
    assert.match(refusal(pair({ move: 'evict' }), byPool), /allows no eviction/);
  });

  test('also under two budgets', () => {
    const budgets = [BLOCKING, { ...BLOCKING, name: 'web-2' }];
    assert.equal(planned(pair({ move: 'rollout' }, { podDisruptionBudgets: budgets })).moves[0].rollouts?.length, 1);
  });

  test('needs room elsewhere for the new pod', () => {
    const full = [pair({ move: 'rollout' }).pods[0], pod('other', { on: 'b', cpu: 3900, doNotDisrupt: 'true' })];
    const objects = pair({ move: 'rollout' }, { pods: full });
    assert.deepEqual(
      planned(objects).moves.filter((m) => m.nodes.includes('a') && m.kind === 'delete'),
      [],
    );
  });

  test('stays with do-not-disrupt', () => {
    assert.match(refusal(pair({ move: 'rollout', doNotDisrupt: 'true' })), /do-not-disrupt/);
  });

  test('and with rollouts switched off', () => {
    assert.match(refusal(pair({ move: 'rollout' }), rules()), /it cannot be rolled instead: rollouts are off/);
  });
});

test('without a budget: rolled by pool or annotation, and never evicted against its annotation', () => {
  const free = { podDisruptionBudgets: [] };
  const byPool = rules({ rollsSingletons: true }, { rollouts: true });
  assert.equal(planned(pair({}, free), byPool).moves[0].rollouts?.length, 1);
  assert.equal(planned(pair({}, free)).totals.evictions, 1);
  const recreate: SingletonSketch = { rollout: { rolling: undefined } };
  assert.equal(planned(pair(recreate, free), byPool).totals.evictions, 1);
  assert.match(
    refusal(pair({ ...recreate, move: 'rollout' }, free)),
    /^pod default\/web-1 has the annotation decant.sh\/move: "rollout", and the strategy Recreate/,
  );
});

describe('the way of a rollout', () => {
  const found = (sketch: SingletonSketch, more: Partial<ClusterObjects> = {}) => {
    const objects = pair(sketch, more);
    const result = rolloutOf(objects, objects.pods[0]);
    return isRollout(result) ? result.by : result;
  };
  const DOWN = { rolling: { maxSurge: 0, maxUnavailable: 1 } };
  const scaler = { namespace: 'default', name: 'hpa', targetKind: 'Deployment', targetName: 'web' };

  test('a restart, also under an autoscaler and a GitOps tool', () => {
    assert.equal(found({}), 'restart');
    assert.equal(found({}, { autoscalers: [{ ...scaler, minReplicas: 1, maxReplicas: 3 }] }), 'restart');
    assert.equal(found({ rollout: { managedBy: 'Flux' } }), 'restart');
  });

  test('an extra replica if a restart would stop the old pod first', () => {
    assert.equal(found({ rollout: DOWN }), 'extra-replica');
    assert.equal(found({ rollout: { rolling: { maxSurge: 1, maxUnavailable: 1 } } }), 'extra-replica');
  });

  test('never an extra replica that someone else may count', () => {
    const hpa = { ...scaler, minReplicas: 1, maxReplicas: 3 };
    const unknown = { kind: 'HorizontalPodAutoscaler', namespace: 'default', name: 'x', nodeName: '', problem: '' };
    const byHpa = { why: 'no-surge', managedBy: 'HorizontalPodAutoscaler default/hpa' };
    assert.deepEqual(found({ rollout: DOWN }, { autoscalers: [hpa] }), byHpa);
    assert.deepEqual(found({ rollout: DOWN }, { autoscalers: undefined }), {
      why: 'no-surge',
      managedBy: 'an unknown HorizontalPodAutoscaler',
    });
    assert.deepEqual(found({ rollout: DOWN }, { undecodable: [unknown] }), {
      why: 'no-surge',
      managedBy: 'HorizontalPodAutoscaler default/x',
    });
    assert.deepEqual(found({ rollout: { ...DOWN, managedBy: 'Argo CD' } }), { why: 'no-surge', managedBy: 'Argo CD' });
    assert.deepEqual(found({ rollout: DOWN, deletionCost: '5' }), { why: 'deletion-cost' });
  });

  test('none', () => {
    const claims = (accessModes: readonly string[]) => ({
      persistentVolumes: [volume('v')],
      persistentVolumeClaims: [volumeClaim('c', { volumeName: 'v', accessModes })],
    });
    assert.deepEqual(found({ ownedBy: 'StatefulSet' }), { why: 'no-deployment', owner: 'a StatefulSet' });
    assert.deepEqual(found({}, { workloads: [] }), { why: 'unknown-deployment' });
    assert.deepEqual(found({ replicas: 3 }), { why: 'replicas', replicas: 3 });
    assert.deepEqual(found({ rollout: { rolling: undefined } }), { why: 'recreate' });
    assert.deepEqual(found({ rollout: { paused: true } }), { why: 'paused' });
    assert.deepEqual(found({ rollout: { isSettled: false } }), { why: 'unsettled' });
    const volumes = { volumeClaims: ['c'] };
    assert.deepEqual(found(volumes, claims(['ReadWriteOnce'])), { why: 'volume', claim: 'c' });
    assert.deepEqual(found(volumes, claims(['ReadWriteOncePod'])), { why: 'volume', claim: 'c' });
    assert.deepEqual(found(volumes), { why: 'volume', claim: 'c' });
    assert.equal(found(volumes, claims(['ReadWriteMany'])), 'restart');
    const local = { ...claims(['ReadWriteMany']), persistentVolumes: [volume('v', { nodeLocal: true })] };
    assert.deepEqual(found(volumes, local), { why: 'volume', claim: 'c' });
    const everything = { key: '', operator: 'Exists', value: '', effect: '' } as const;
    assert.deepEqual(found({ tolerations: [everything] }), { why: 'tolerates' });
    assert.deepEqual(found({ requiredAntiAffinity: [podsOf('web', ZONE)] }), { why: 'topology', key: ZONE });
    assert.equal(found({ requiredAntiAffinity: [podsOf('web', HOSTNAME)] }), 'restart');
    assert.deepEqual(found({ topologySpread: [spread('web', ZONE)] }), { why: 'topology', key: ZONE });
    const perRevision = { ...spread('web', ZONE), matchLabelKeys: ['pod-template-hash'] };
    assert.equal(found({ topologySpread: [perRevision] }), 'restart');
    assert.deepEqual(found({ rollout: DOWN, topologySpread: [perRevision] }), { why: 'topology', key: ZONE });
  });
});

test('explained: what is rolled, and what would let a pod be rolled', () => {
  const explained = (objects: ClusterObjects) => explainNode({ objects, rules: ON }, planned(objects), 'a');
  const gate = explained(pair({ move: 'rollout' }))?.gates.find((g) => g.gate === 'pods-evictable');
  assert.deepEqual(gate?.fact, { code: 'pods', pods: 1, tightest: undefined, rolled: ['default/web-1'] });
  const moved = pair({ move: 'rollout' });
  const { planned: at } = explainPod({ objects: moved, rules: ON }, planned(moved), 'default/web-1') ?? {};
  assert.deepEqual(at, { move: 1, to: 'b', rolled: true });
  const unlocks = (objects: ClusterObjects) =>
    explained(objects)?.unlocks.flatMap(({ changes }) => changes.map(changeWords)) ?? [];
  assert.ok(
    unlocks(pair()).includes(
      'if pod default/web-1 were rolled instead of evicted (--rollouts and the annotation decant.sh/move: rollout)',
    ),
  );
  assert.ok(
    unlocks(pair({ move: 'rollout', rollout: { rolling: undefined } })).includes(
      'if the Deployment of pod default/web-1 had maxSurge 1 and maxUnavailable 0',
    ),
  );
});
