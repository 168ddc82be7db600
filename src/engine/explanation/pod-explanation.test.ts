import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cluster, compiled } from '../../../test/build/cluster.ts';
import { is, nodeWith, spread, taint } from '../../../test/build/constraints.ts';
import { machine } from '../../../test/build/machine.ts';
import { daemonPod, daemonSet, type PodSketch, pendingPod, pod } from '../../../test/build/pod.ts';
import { rules } from '../../../test/build/policy.ts';
import { anyCluster } from '../../../test/build/random/cluster.ts';
import { runs } from '../../../test/build/runs.ts';
import { volume, volumeClaim } from '../../../test/build/storage.ts';
import { GIB } from '../../../test/build/units.ts';
import { addBit, bitset } from '../cluster/bitset.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
import { HOSTNAME, ZONE } from '../cluster/well-known.ts';
import { plan } from '../plan.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { explainPod, type PodExplanation } from './pod-explanation.ts';

function explained(objects: ClusterObjects, name: string): PodExplanation {
  const own = rules({}, { utilizationThreshold: 1 });
  const made = plan(objects, { search: 'karpenter', rules: own, loadMs: 0 }, () => 0);
  const found = explainPod({ objects, rules: own }, made, name);
  assert.ok(found !== undefined);
  return found;
}

test('nodes that would take it, though it would rather have a new one', () => {
  const web = {
    labels: { app: 'web' },
    topologySpread: [spread('web', HOSTNAME, { whenUnsatisfiable: 'ScheduleAnyway' })],
  };
  const found = explained(
    cluster({
      machines: [machine('home'), machine('shared'), machine('other')],
      pods: [pod('p', { on: 'home', ...web }), pod('q', { on: 'shared', ...web }), pod('r', { on: 'other' })],
    }),
    'default/p',
  );
  assert.deepEqual(
    found.fits.map(({ node }) => node),
    ['home', 'other', 'shared'],
  );
  assert.deepEqual(
    found.preferences.map(({ example, nodes, message }) => [example, nodes, message]),
    [['shared', 1, '1 pod there already, spread by host prefers a skew of 1']],
  );
});

test('nodes that would take it, what the others have against it, and the new node', () => {
  const found = explained(
    cluster({
      machines: [
        machine('home'),
        machine('roomy'),
        machine('full'),
        machine('gpu', { taints: [taint('gpu')] }),
        machine('far', { zone: 'zone-b' }),
      ],
      pods: [
        pod('p', { on: 'home', cpu: 1000, nodeSelector: { [ZONE]: 'zone-a' } }),
        pod('q', { on: 'roomy', cpu: 1000, memory: GIB }),
        pod('r', { on: 'full', cpu: 3600 }),
      ],
    }),
    'default/p',
  );
  assert.deepEqual(
    found.fits.map((f) => f.node),
    ['home', 'roomy'],
  );
  assert.deepEqual(found.fits[1].left, { cpu: 2000, memory: 14 * GIB });
  assert.deepEqual(
    found.obstacles.map(({ code, nodes, example }) => [code, nodes, example]),
    [
      ['label', 1, 'far'],
      ['resources', 1, 'full'],
      ['taint', 1, 'gpu'],
    ],
  );
  assert.deepEqual(found.closest, { node: 'full', missing: { cpu: 600 } });
  assert.equal(found.newNode?.instanceTypes[0], 'small');
  assert.deepEqual(found.newNode?.zones, ['zone-a']);
});

test('a pod with a local volume: only its own node is listed, and what forbids evicting it', () => {
  const found = explained(
    cluster({
      machines: [machine('home'), machine('roomy')],
      pods: [pod('db', { on: 'home', volumeClaims: ['data'] })],
      persistentVolumeClaims: [volumeClaim('data', { volumeName: 'disk', bindCompleted: false })],
      persistentVolumes: [
        volume('disk', { nodeLocal: true, csiDriver: '', nodeTerms: [nodeWith(is(HOSTNAME, 'In', 'home'))] }),
      ],
    }),
    'default/db',
  );
  assert.deepEqual(
    [found.fits.map((f) => f.node), found.newNode, found.obstacles.map((o) => o.code)],
    [['home'], undefined, ['volume-location']],
  );
  assert.match(found.refusals[0].message, /pod default\/db uses local volume disk \(claim default\/data\)/);
});

test('the closest node is one that the pod accepts', () => {
  const full = (on: string, cpu: number) => pod(`on-${on}`, { on, cpu });
  const machines = [machine('home'), machine('far', { zone: 'zone-b' }), machine('near')];
  const found = explained(
    cluster({
      machines,
      pods: [
        pod('p', { on: 'home', cpu: 2000, nodeSelector: { [ZONE]: 'zone-a' } }),
        full('far', 2100),
        full('near', 3000),
      ],
    }),
    'default/p',
  );
  assert.deepEqual(found.closest, { node: 'near', missing: { cpu: 1000 } });
});

test('pods that are never placed, and a pending one', () => {
  const agent = daemonSet('agent');
  const objects = cluster({
    machines: [machine('a')],
    pods: [daemonPod(agent, 'a'), pod('done', { on: 'a', phase: 'Succeeded' }), pendingPod('new', { cpu: 100 })],
    daemonSets: [agent],
  });
  assert.equal(explained(objects, 'default/agent-a').fixed, 'daemon-set');
  assert.equal(explained(objects, 'default/done').fixed, 'finished');
  const waiting = explained(objects, 'default/new');
  assert.equal(waiting.node, null);
  assert.deepEqual(
    waiting.fits.map((f) => f.node),
    ['a'],
  );
});

test('a pod whose possible nodes are unknown: because of its volume, or of its selector', () => {
  const fixed = (p: PodSketch) =>
    explained(cluster({ machines: [machine('n'), machine('m')], pods: [pod('p', { on: 'n', ...p })] }), 'default/p')
      .fixed;
  assert.equal(fixed({ volumeClaims: ['none'] }), 'volume-unknown');
  assert.equal(fixed({ nodeSelector: { [HOSTNAME]: 'm' } }), 'unsupported-affinity');
});

test('what forbids evicting it is named', () => {
  const objects = cluster({ machines: [machine('a')], pods: [pod('p', { on: 'a', doNotDisrupt: 'true' })] });
  assert.deepEqual(
    explained(objects, 'default/p').refusals.map((r) => r.code),
    ['pod-annotation'],
  );
});

test('on any cluster: exactly those nodes are named that the simulation would use', () => {
  let places = 0;
  fc.assert(
    fc.property(anyCluster, fc.nat(30), (objects, choice) => {
      const running = objects.pods.filter((p) => p.nodeName !== '');
      if (running.length === 0) return;
      const chosen = running[choice % running.length];
      const { fixed, fits, everywhere } = explained(objects, `${chosen.namespace}/${chosen.name}`);
      if (fixed !== undefined || everywhere !== undefined) return;
      const pods = objects.pods.map((p) => {
        if (p !== chosen) return p.unschedulable ? { ...p, unschedulable: false } : p;
        return { ...p, nodeName: '', nominatedNodeName: '', unschedulable: true, terminating: false };
      });
      const c = compiled({ ...objects, pods });
      const index = objects.pods.indexOf(chosen);
      const shape = c.shapeOfPod[index];
      assert.ok(shape !== undefined);
      const stage = shape.stages[shape.stages.length - 1];
      const taking = c.rows.filter((node, row) => {
        if (!node.tracked || node.deleting) return false;
        // Only this node is there to be used.
        const only = bitset(c.rows.length);
        if (c.destinations[row >> 5] & (1 << (row & 31))) addBit(only, row);
        const { existing } = new Simulation({ ...c, destinations: only, unshielded: only });
        const question = { ...stage, membership: c.membershipOfPod[index] };
        return existing.find(index, shape, stage, question, true) === row;
      });
      assert.deepEqual(
        fits.map((f) => f.node),
        taking.map((r) => r.name),
      );
      places += fits.length;
    }),
    runs(150),
  );
  assert.ok(places > 30, `${places} places were seen`);
});
