// What Decant counts on when it works beside Karpenter, asked of the real one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './cluster.ts';
import { holds } from './kube-objects.ts';
import { nodeClaim } from './node-claims.ts';
import { deployment, disruptionBudget } from './workloads.ts';

let cluster: Cluster;
before(async () => {
  cluster = await Cluster.start();
});
after(() => cluster?.plane.stop());

test('pending pods get nodes', async () => {
  await cluster.apply(deployment('web', { replicas: 20, cpu: '1' }));
  const pods = await cluster.settled(20);
  const claims = await cluster.list('nodeclaims');
  assert.ok(claims.length > 0);
  assert.ok(claims.every((claim) => holds(claim, 'Initialized')));
  const nodes = new Set(claims.map((claim) => claim.status?.nodeName));
  assert.deepEqual(new Set(pods.map((pod) => pod.spec.nodeName)), nodes);
});

test('a pool with consolidateAfter: Never is left alone', async () => {
  await cluster.scale('web', 0);
  await cluster.settled(0);
  const before = await cluster.list('nodeclaims');
  // Karpenter's passes are 10 s apart: empty nodes would be gone by then.
  await sleep(25_000);
  assert.deepEqual(namesOf(await cluster.list('nodeclaims')), namesOf(before));
  assert.doesNotMatch(cluster.plane.log('karpenter'), /disrupting node\(s\)/);
});

test('a NodeClaim made by hand is launched and initialized', async () => {
  const [pool] = await cluster.list('nodepools');
  await cluster.apply(nodeClaim('by-hand', pool!, { instanceTypes: ['c-2x-amd64-linux', 'c-4x-amd64-linux'] }));
  const claim = await cluster.until('it is initialized', async () => {
    const [found] = await cluster.list('nodeclaims', '--field-selector=metadata.name=by-hand');
    return found !== undefined && holds(found, 'Initialized') && found;
  });
  const [node] = await cluster.list('nodes', `--field-selector=metadata.name=${claim.status!.nodeName}`);
  assert.equal(node!.metadata.labels!['node.kubernetes.io/instance-type'], 'c-2x-amd64-linux');
  assert.equal(node!.metadata.labels!['karpenter.sh/nodepool'], 'default');
  assert.deepEqual(node!.spec.taints ?? [], []);
});

test('a deleted NodeClaim drains no faster than a PodDisruptionBudget allows', async () => {
  await cluster.apply(deployment('guarded', { replicas: 2, cpu: '500m' }), disruptionBudget('guarded', 0));
  const [pod] = await cluster.settled(2);
  const claim = (await cluster.list('nodeclaims')).find((each) => each.status?.nodeName === pod!.spec.nodeName)!;
  await cluster.plane.kubectl(['delete', 'nodeclaim', claim.metadata.name, '--wait=false']);
  const node = await cluster.until('its node is tainted', async () => {
    const [found] = await cluster.list('nodes', `--field-selector=metadata.name=${pod!.spec.nodeName}`);
    return found?.spec.taints?.some((taint) => taint.key === 'karpenter.sh/disrupted') && found;
  });
  await cluster.until('an event says what it waits for', async () =>
    (await cluster.list('events')).some(
      ({ reason, involvedObject }) => reason === 'FailedDraining' && involvedObject.name === node.metadata.name,
    ),
  );
  const held = await cluster.settled(2);
  assert.ok(held.some((each) => each.metadata.name === pod!.metadata.name && !each.metadata.deletionTimestamp));

  await cluster.apply(disruptionBudget('guarded', 1));
  await cluster.until(
    'the claim is gone',
    async () => !namesOf(await cluster.list('nodeclaims')).includes(claim.metadata.name),
  );
  const moved = await cluster.settled(2);
  assert.ok(moved.every((each) => each.spec.nodeName !== node.metadata.name));
});

function namesOf(objects: readonly { readonly metadata: { readonly name: string } }[]): readonly string[] {
  return objects.map(({ metadata }) => metadata.name).sort();
}
