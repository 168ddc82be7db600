import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HOSTNAME, ZONE } from '../../src/engine/cluster/well-known.ts';
import { cluster } from '../build/cluster.ts';
import { is, nodeWith, podsOf, spread, taint, weighing } from '../build/constraints.ts';
import { machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { daemonSet, pod } from '../build/pod.ts';
import { storageClass, unboundClaim, volumeClaim, zonalVolume } from '../build/storage.ts';
import { problemsWithout, removing } from './simulate.ts';

/** A pool that has no more room under its limits. */
const EXHAUSTED = nodePool('default', { limits: { cpu: 1 } });
const DISLIKED = taint('flaky', 'PreferNoSchedule');
const TIER = 'example.com/tier';

/** A law that does not hold, as in Karpenter. Fails once it holds: then the law is a test, and its habit can go. */
function broken(law: string, check: () => void): void {
  test(`not: ${law}`, () => assert.throws(check, assert.AssertionError, 'the law holds now'));
}

/** One per habit that `known-differences.ts` keeps out of random clusters. One that holds can go from both. */
describe('laws of Kubernetes that Karpenter does not keep', () => {
  broken('requirements that contradict each other are met by no node', () => {
    const contradictory = pod('picky', {
      on: 'old',
      nodeSelector: { [TIER]: 'gold' },
      requiredNodeTerms: [nodeWith(is(TIER, 'In', 'silver'))],
    });
    assert.deepEqual(
      problemsWithout(cluster({ machines: [machine('old'), machine('new')], pods: [contradictory] }), 'old'),
      [],
    );
  });

  broken('a preference that contradicts a requirement leaves the requirement in force', () => {
    const torn = pod('torn', {
      on: 'old',
      nodeSelector: { [TIER]: 'silver' },
      preferredNodeTerms: [weighing(1, nodeWith(is(TIER, 'In', 'gold')))],
    });
    assert.deepEqual(problemsWithout(cluster({ machines: [machine('old'), machine('new')], pods: [torn] }), 'old'), []);
  });

  broken('volumes in two zones are reached from no node', () => {
    const objects = cluster({
      machines: [machine('old'), machine('zoneless', { without: [ZONE] })],
      pods: [pod('torn', { on: 'old', volumeClaims: ['in-b', 'in-c'] })],
      persistentVolumes: [zonalVolume('in-b', 'zone-b')],
      persistentVolumeClaims: [volumeClaim('in-b'), unboundClaim('in-c', 'only-c')],
      storageClasses: [storageClass('only-c', { allowedTopologies: [[{ key: ZONE, values: ['zone-c'] }]] })],
    });
    assert.deepEqual(problemsWithout(objects, 'old'), []);
  });

  broken('two topology constraints that leave no value of a label are met by no node', () => {
    const objects = cluster({
      nodePools: [
        nodePool('plain'),
        nodePool('tiered', { weight: 0, requirements: [is(TIER, 'In', 'gold', 'silver')], limits: { cpu: 1 } }),
      ],
      machines: [
        machine('old'),
        machine('full', { labels: { [TIER]: 'gold' }, allocatable: { cpu: 500, memory: 2 ** 30, pods: 1 } }),
      ],
      pods: [
        pod('friend', { on: 'full', labels: { app: 'web' } }),
        pod('torn', {
          on: 'old',
          labels: { app: 'web' },
          topologySpread: [spread('web', TIER)],
          requiredAffinity: [podsOf('web', TIER)],
        }),
      ],
    });
    assert.deepEqual(problemsWithout(objects, 'old'), []);
  });

  broken('a DaemonSet has its room on nodes with PreferNoSchedule, whether or not a pool can launch', () => {
    const objects = cluster({
      nodePools: [nodePool('default', { requirements: [is(ZONE, 'In', 'nowhere')] })],
      machines: [machine('old', { taints: [DISLIKED] }), machine('new', { taints: [DISLIKED] })],
      daemonSets: [daemonSet('agent', { cpu: 1000 })],
      pods: [
        pod('large', {
          on: 'old',
          cpu: 3500,
          tolerations: [{ key: 'flaky', operator: 'Exists', value: '', effect: '' }],
        }),
      ],
    });
    assert.deepEqual(problemsWithout(objects, 'old'), []);
  });

  broken('an affinity without a selector is met by no pod', () => {
    const objects = cluster({
      nodePools: [EXHAUSTED],
      machines: [machine('old'), machine('new')],
      pods: [
        pod('anybody', { on: 'new' }),
        pod('lonely', { on: 'old', requiredAffinity: [{ topologyKey: HOSTNAME }] }),
      ],
    });
    assert.deepEqual(removing(objects, ['old']).onExisting, []);
  });

  broken('the emptiest domain of a spread is sought in all alternatives', () => {
    const terms = ['zone-a', 'zone-b'].map((zone) => nodeWith(is(ZONE, 'In', zone)));
    const spreading = pod('web', {
      on: 'old',
      labels: { app: 'web' },
      requiredNodeTerms: terms,
      topologySpread: [spread('web', ZONE)],
    });
    const objects = cluster({
      nodePools: [EXHAUSTED],
      machines: [machine('old'), machine('in-a'), machine('in-b', { zone: 'zone-b' })],
      pods: [spreading, ...['one', 'two'].map((name) => pod(name, { on: 'in-a', labels: { app: 'web' } }))],
    });
    assert.deepEqual(
      removing(objects, ['old']).onExisting.map((p) => p.node),
      ['in-b'],
    );
  });

  broken('a DaemonSet has its room on a new node that has its label from a pod', () => {
    const objects = cluster({
      machines: [machine('old')],
      daemonSets: [daemonSet('agent', { cpu: 1000, nodeSelector: { [TIER]: 'gold' } })],
      pods: [
        // The first leaves the label open on the new node, the second then settles it.
        pod('first', { on: 'old', cpu: 4000, requiredNodeTerms: [nodeWith(is(TIER, 'NotIn', 'silver'))] }),
        pod('second', { on: 'old', cpu: 3500, nodeSelector: { [TIER]: 'gold' } }),
      ],
    });
    const [node] = removing(objects, ['old']).newNodes;
    assert.deepEqual([...(node.labels.get(TIER)?.values ?? [])], ['gold']);
    assert.ok(node.types.every((type) => type.allocatable.cpu >= 8500));
  });

  broken('a pod that another one repels may use a zone that no pool launches in', () => {
    const objects = cluster({
      nodePools: [nodePool('default', { limits: { cpu: 1 }, requirements: [is(ZONE, 'In', 'zone-a')] })],
      machines: [machine('old'), machine('in-a'), machine('in-b', { zone: 'zone-b' })],
      pods: [
        pod('web', { on: 'old', labels: { app: 'web' } }),
        pod('hermit', { on: 'in-a', requiredAntiAffinity: [podsOf('web', ZONE)] }),
      ],
    });
    assert.deepEqual(
      removing(objects, ['old']).onExisting.map((p) => p.node),
      ['in-b'],
    );
  });
});
