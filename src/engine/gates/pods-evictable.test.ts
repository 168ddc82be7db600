import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ClusterSketch, cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { app, is, nodeWith, podsOf, spread } from '../../../test/build/constraints.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { daemonPod, daemonSet, pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { volume, volumeClaim, zonalVolume } from '../../../test/build/storage.ts';
import { HOUR_MS, NOW_MS } from '../../../test/build/units.ts';
import type { NodeSelectorTerm, PodDisruptionBudgetObject, PodObject } from '../cluster/objects.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';
import { consolidate } from '../moves/consolidate.ts';
import { compile } from '../scheduling/compile.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { type Rules, STOCK_RULES } from '../settings.ts';
import { assess } from './assessment.ts';

/** Cluster consolidation document, "Pods that Prevent Consolidation". */
function ask(pods: readonly PodObject[], budgets: readonly PodDisruptionBudgetObject[] = [], by: Rules = rules()) {
  const c = compiled(cluster({ machines: [machine('n'), machine('m')], pods, podDisruptionBudgets: budgets }));
  const assessed = assess(c, rowOf(c, 'n'), by);
  return 'refusals' in assessed ? assessed.refusals : [];
}

function withoutOwner(p: PodObject): PodObject {
  return { ...p, owners: [] };
}

function budget(disruptionsAllowed: number, more: Partial<PodDisruptionBudgetObject> = {}): PodDisruptionBudgetObject {
  return {
    namespace: 'default',
    name: 'pdb',
    selector: app('web'),
    disruptionsAllowed,
    fullyBlocking: false,
    evictsUnhealthy: false,
    ...more,
  };
}

describe('a pod without a controller', () => {
  const alone = withoutOwner(pod('alone', { on: 'n' }));

  test('keeps its node', () => {
    assert.deepEqual(ask([alone]), [{ code: 'ownerless-pod', pod: 'default/alone' }]);
  });

  test('also if an owner does not control it', () => {
    const [owner] = pod('p').owners;
    const owned = { ...alone, owners: [{ ...owner, controller: false }] };
    assert.deepEqual(ask([owned]), [{ code: 'ownerless-pod', pod: 'default/alone' }]);
  });

  test('unless its node owns it, or a DaemonSet', () => {
    for (const owned of [pod('mirror', { on: 'n', ownedBy: 'Node' }), daemonPod(daemonSet('agent'), 'n')]) {
      assert.deepEqual(ask([owned]), []);
      assert.deepEqual(ask([{ ...owned, owners: owned.owners.map((o) => ({ ...o, controller: false })) }]), []);
    }
  });

  test('unless it is over or leaving already', () => {
    assert.deepEqual(ask([{ ...alone, phase: 'Succeeded' }]), []);
    assert.deepEqual(ask([{ ...alone, terminating: true }]), []);
  });

  test('unless that is switched off, as in stock', () => {
    assert.deepEqual(ask([alone], [], rules({}, { ownerlessPodsBlock: false })), []);
    assert.deepEqual(ask([alone], [], STOCK_RULES), []);
  });
});

describe('a PodDisruptionBudget', () => {
  const web = pod('web', { on: 'n', labels: { app: 'web' } });

  test('with disruptionsAllowed 0 keeps the node', () => {
    assert.deepEqual(ask([web], [budget(0)]), [
      { code: 'pod-disruption-budget', pod: 'default/web', budget: 'default/pdb' },
    ]);
  });

  test('with disruptionsAllowed 1 does not, however many of its pods are here', () => {
    assert.deepEqual(ask([web, { ...web, name: 'web-2' }], [budget(1)]), []);
  });

  test('of other pods does not', () => assert.deepEqual(ask([web], [budget(0, { selector: app('db') })]), []));

  test('does not keep a pod that is unhealthy, if it says so', () => {
    const unhealthy = { ...web, ready: 'False' };
    assert.equal(ask([unhealthy], [budget(0)]).length, 1);
    assert.deepEqual(ask([unhealthy], [budget(0, { evictsUnhealthy: true })]), []);
  });

  test('and another on the same pod keep it for good', () => {
    assert.deepEqual(ask([web], [budget(1), budget(1, { name: 'pdb-2' })]), [
      { code: 'several-disruption-budgets', pod: 'default/web', budgets: ['default/pdb', 'default/pdb-2'] },
    ]);
  });
});

describe('a local volume', () => {
  /** The refusals of node n, and the result of removing it. */
  function removing(sketch: Partial<ClusterSketch>, by: Rules = rules()) {
    const objects = cluster({
      machines: [machine('n'), machine('m')],
      pods: [pod('db', { on: 'n', volumeClaims: ['data'] })],
      persistentVolumeClaims: [volumeClaim('data', { volumeName: 'disk' })],
      ...sketch,
    });
    const c = compile(objects, by.settings);
    const assessed = assess(c, rowOf(c, 'n'), by);
    if ('refusals' in assessed) return assessed.refusals;
    const result = consolidate(new Simulation(c), [assessed.candidate]);
    return 'move' in result ? result.move.kind : result.refusal.code;
  }
  const on = (...hosts: string[]) =>
    volume('disk', { nodeLocal: true, csiDriver: '', nodeTerms: [nodeWith(is(HOSTNAME, 'In', ...hosts))] });
  const pinned = [{ code: 'local-volume', pod: 'default/db', claim: 'default/data', volume: 'disk' }];

  test('keeps its pod, with the names of pod, claim and volume', () => {
    assert.deepEqual(removing({ persistentVolumes: [on('n')] }), pinned);
  });

  test('does not with compat: stock ignores the hostname affinity', () => {
    assert.equal(removing({ persistentVolumes: [on('n')] }, STOCK_RULES), 'delete');
  });

  test('that several nodes can mount lets the pod go to those, and only to those', () => {
    const third = [machine('n'), machine('m'), machine('o')];
    assert.equal(removing({ persistentVolumes: [on('n', 'm')], machines: third }), 'delete');
    const full = machine('m', { allocatable: { cpu: 100, memory: 1e9, pods: 1 } });
    const nothingFits = { persistentVolumes: [on('n', 'm')], machines: [machine('n'), full, machine('o')] };
    assert.equal(removing(nothingFits), 'pods-unplaceable');
  });

  test('is any volume whose node affinity only its own node satisfies, and no new one can', () => {
    const labelled = (key: string) => ({
      persistentVolumes: [volume('disk', { nodeTerms: [nodeWith(is(key, 'In', 'one'))] })],
      machines: [machine('n', { labels: { [key]: 'one' } }), machine('m', { labels: { [key]: 'two' } })],
    });
    assert.deepEqual(removing(labelled('topology.example.com/node')), pinned);
    assert.equal(removing(labelled('topology.example.com/node'), STOCK_RULES), 'pods-unplaceable');
    const nodePools = [nodePool('default', { templateLabels: { 'topology.example.com/node': 'one' } })];
    assert.notDeepEqual(removing({ ...labelled('topology.example.com/node'), nodePools }), pinned);
    assert.notDeepEqual(removing({ persistentVolumes: [zonalVolume('disk', 'zone-a')] }), pinned);
  });

  test('whose node affinity names its node by field keeps its pod; a term by labels beside it counts', () => {
    const byName = (operator: 'In' | 'NotIn', ...values: string[]) => ({
      matchFields: [is('metadata.name', operator, ...values)],
    });
    const asked = (...nodeTerms: NodeSelectorTerm[]) => ({ persistentVolumes: [volume('disk', { nodeTerms })] });
    for (const term of [byName('In', 'n'), byName('In', 'n', 'm'), byName('NotIn', 'm')])
      assert.deepEqual(removing(asked(term)), pinned);
    assert.equal(removing(asked(byName('In', 'n')), STOCK_RULES), 'delete');
    assert.equal(removing(asked(byName('In', 'n'), nodeWith(is(HOSTNAME, 'In', 'm')))), 'delete');
  });

  test('of a DaemonSet does not keep the node, nor that of a pod that has finished', () => {
    const sketch = { persistentVolumes: [on('n')] };
    const agent = daemonPod(daemonSet('agent'), 'n', { volumeClaims: ['data'] });
    assert.equal(removing({ ...sketch, pods: [agent] }), 'delete');
    assert.equal(
      removing({ ...sketch, pods: [pod('db', { on: 'n', volumeClaims: ['data'], phase: 'Failed' })] }),
      'delete',
    );
  });
});

describe('a pod whose node affinity names its node by field', () => {
  const byName = { matchFields: [is('metadata.name', 'In', 'n')] };
  const decision = (p: PodObject, by: Rules = rules()) => {
    const c = compile(cluster({ machines: [machine('n'), machine('m')], pods: [p] }), by.settings);
    const assessed = assess(c, rowOf(c, 'n'), by);
    if ('refusals' in assessed) return assessed.refusals;
    const result = consolidate(new Simulation(c), [assessed.candidate]);
    return 'move' in result ? result.move.kind : result.refusal.code;
  };
  const named = (...requiredNodeTerms: NodeSelectorTerm[]) => pod('p', { on: 'n', requiredNodeTerms });

  test('has no other place, unless another term has one', () => {
    assert.equal(decision(named(byName)), 'pods-unplaceable');
    assert.equal(decision(named(byName, nodeWith(is(HOSTNAME, 'In', 'm')))), 'delete');
  });

  test('moves with compat, and if it belongs to the DaemonSet of some other group', () => {
    assert.equal(decision(named(byName), STOCK_RULES), 'delete');
    const owners = [{ ...named(byName).owners[0], apiVersion: 'apps.kruise.io/v1alpha1', kind: 'DaemonSet' }];
    assert.equal(decision({ ...named(byName), owners }), 'delete');
  });
});

describe('an annotation', () => {
  const value = (p: PodObject, by?: Rules) => ask([p], [], by).map((r) => (r.code === 'pod-annotation' ? r.value : r));

  test('karpenter.sh/do-not-evict keeps the node', () => {
    assert.deepEqual(value(pod('p', { on: 'n', doNotEvict: 'true' })), ['true']);
    assert.deepEqual(ask([pod('p', { on: 'n', doNotEvict: 'true' })]), [
      { code: 'pod-annotation', pod: 'default/p', annotation: 'karpenter.sh/do-not-evict', value: 'true' },
    ]);
    assert.deepEqual(value(pod('p', { on: 'n', doNotEvict: 'false' })), []);
  });

  test('unless that is switched off, as in stock', () => {
    assert.deepEqual(value(pod('p', { on: 'n', doNotEvict: 'true' }), rules({}, { honorDoNotEvict: false })), []);
    assert.deepEqual(value(pod('p', { on: 'n', doNotEvict: 'true' }), STOCK_RULES), []);
  });

  test('karpenter.sh/do-not-disrupt keeps it, for good or for a time from the start', () => {
    const startedMs = NOW_MS - HOUR_MS;
    assert.deepEqual(value(pod('p', { on: 'n', doNotDisrupt: 'true' })), ['true']);
    assert.deepEqual(value(pod('p', { on: 'n', doNotDisrupt: '61m', startedMs })), ['61m']);
    assert.deepEqual(value(pod('p', { on: 'n', doNotDisrupt: '60m', startedMs })), []);
  });

  test('cluster-autoscaler.kubernetes.io/safe-to-evict: "false" keeps it', () => {
    const annotation = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
    assert.deepEqual(ask([pod('p', { on: 'n', safeToEvict: 'false' })]), [
      { code: 'pod-annotation', pod: 'default/p', annotation, value: 'false' },
    ]);
    assert.deepEqual(value(pod('p', { on: 'n', safeToEvict: 'true' })), []);
    assert.deepEqual(value(daemonPod(daemonSet('agent'), 'n', { safeToEvict: 'false' })), []);
  });

  test('unless that is switched off, as in stock: safe-to-evict', () => {
    const unsafe = pod('p', { on: 'n', safeToEvict: 'false' });
    assert.deepEqual(value(unsafe, rules({}, { honorSafeToEvict: false })), []);
    assert.deepEqual(value(unsafe, STOCK_RULES), []);
  });

  test('does not on a pod that is over', () => {
    assert.deepEqual(value(pod('p', { on: 'n', doNotDisrupt: 'true', phase: 'Failed' })), []);
    assert.deepEqual(value(pod('p', { on: 'n', doNotEvict: 'true', phase: 'Failed' })), []);
  });
});

describe('data on the node', () => {
  const cache = pod('web', { on: 'n', localData: [{ kind: 'emptyDir', name: 'cache' }] });
  const blocking = rules({}, { localDataBlocks: true });

  test('keeps a pod only if that is switched on', () => {
    assert.deepEqual(ask([cache]), []);
    assert.deepEqual(ask([cache], [], blocking), [
      { code: 'local-data', pod: 'default/web', kind: 'emptyDir', volume: 'cache' },
    ]);
  });

  test('may be lost if the pod says that it is safe to evict', () => {
    const safe = { ...cache, safeToEvict: 'true' };
    assert.deepEqual(ask([safe], [], blocking), []);
    assert.equal(ask([safe], [], rules({}, { localDataBlocks: true, honorSafeToEvict: false })).length, 1);
  });

  test('of DaemonSets and finished pods does not count', () => {
    const { localData } = cache;
    const others = [{ ...cache, phase: 'Succeeded' }, daemonPod(daemonSet('agent'), 'n', { localData })];
    assert.deepEqual(ask(others, [], blocking), []);
  });

  test('is also in a hostPath volume behind a claim that every node could mount', () => {
    const c = compiled(
      cluster({
        machines: [machine('n'), machine('m')],
        pods: [pod('db', { on: 'n', volumeClaims: ['data'] })],
        persistentVolumeClaims: [volumeClaim('data', { volumeName: 'disk' })],
        persistentVolumes: [volume('disk', { nodeLocal: true, csiDriver: '' })],
      }),
    );
    assert.deepEqual(assess(c, rowOf(c, 'n'), blocking), {
      refusals: [{ code: 'local-data', pod: 'default/db', kind: 'hostPath', volume: 'disk' }],
    });
    assert.ok('candidate' in assess(c, rowOf(c, 'n'), rules()));
  });
});

test('every blocker of every pod is reported, not only the first', () => {
  const web = { ...pod('web', { on: 'n', labels: { app: 'web' }, doNotDisrupt: 'true' }), owners: [] };
  const old = pod('old', { on: 'n', doNotEvict: 'true' });
  assert.deepEqual(
    ask([web, old], [budget(0)]).map((r) => r.code),
    ['pod-annotation', 'ownerless-pod', 'pod-annotation'],
  );
  // A pod that may not be disrupted is not evicted, so its budget has no say.
  const evictable = { ...web, doNotDisrupt: undefined };
  assert.deepEqual(
    ask([evictable], [budget(0)]).map((r) => r.code),
    ['ownerless-pod', 'pod-disruption-budget'],
  );
});

describe('pods that cannot be moved due to scheduling constraints keep their node', () => {
  /** The result of removing n when nothing can be launched. */
  function removing(sketch: ClusterSketch): string {
    const c = compiled(cluster({ nodePools: [nodePool('default', { limits: { cpu: 1 } })], ...sketch }));
    const assessed = assess(c, rowOf(c, 'n'), rules());
    assert.ok('candidate' in assessed);
    const result = consolidate(new Simulation(c), [assessed.candidate]);
    return 'move' in result ? result.move.kind : result.refusal.code;
  }
  const two = [machine('n'), machine('m', { zone: 'zone-b' })];
  const web = { on: 'n', labels: { app: 'web' } };

  test('affinity to a zone', () => {
    const pods = (zone: string) => [pod('p', { ...web, nodeSelector: { [ZONE]: zone } })];
    assert.equal(removing({ machines: two, pods: pods('zone-a') }), 'pods-unplaceable');
    assert.equal(removing({ machines: two, pods: pods('zone-b') }), 'delete');
  });

  test('affinity to pods that stay with it', () => {
    const pods = (on: string) => [
      pod('db', { on, labels: { app: 'db' } }),
      pod('p', { ...web, requiredAffinity: [podsOf('db', ZONE)] }),
    ];
    const three = [machine('n'), ...two.slice(1), machine('full', { allocatable: { cpu: 500, memory: 1e9, pods: 1 } })];
    assert.equal(removing({ machines: three, pods: pods('full') }), 'pods-unplaceable');
    assert.equal(removing({ machines: two, pods: pods('m') }), 'delete');
  });

  test('anti-affinity', () => {
    const apart = { requiredAntiAffinity: [podsOf('web', HOSTNAME)] };
    const pods = [pod('p', { ...web, ...apart }), pod('q', { ...web, on: 'm' })];
    assert.equal(removing({ machines: two, pods }), 'pods-unplaceable');
    assert.equal(removing({ machines: [...two, machine('third')], pods }), 'delete');
  });

  test('topology spread', () => {
    const even = { topologySpread: [spread('web', ZONE)] };
    const pods = [pod('p', { ...web, ...even }), pod('q', { ...web, on: 'm', ...even })];
    assert.equal(removing({ machines: two, pods }), 'pods-unplaceable');
    assert.equal(removing({ machines: [...two, machine('spare')], pods }), 'delete');
  });
});
