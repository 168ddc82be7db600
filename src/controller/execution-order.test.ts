import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podsOf } from '../../test/build/constraints.ts';
import { leftovers, watchLaws } from '../../test/build/controller-laws.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { LARGE, SMALL } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { pod } from '../../test/build/pod.ts';
import { controllerOn, runToRest } from '../../test/build/run-controller.ts';
import { ZONE } from '../engine/cluster/well-known.ts';

test('a new node is planned for the cluster that deletions leave, which drain while it starts', async () => {
  // The job has to be where the web pod is when it comes. That one moves to zone c at once.
  const port = new FakeCluster({
    machines: [
      machine('dear', { type: LARGE, zone: 'zone-b' }),
      machine('light', { type: SMALL, zone: 'zone-a' }),
      machine('stays', { type: SMALL, zone: 'zone-c', allocatable: { cpu: 700, memory: 2 ** 36, pods: 20 } }),
    ],
    pods: [
      pod('job', { on: 'dear', cpu: 1500, labels: { app: 'job' }, requiredAffinity: [podsOf('web', ZONE)] }),
      pod('web', { on: 'light', cpu: 100, labels: { app: 'web' } }),
      pod('guarded', { on: 'stays', cpu: 100, doNotDisrupt: 'true' }),
    ],
  });
  const breaches = watchLaws(port);
  await controllerOn(port).reconcile();
  assert.deepEqual(
    port.commands.map(({ nodes, replacements }) => [nodes[0].node, replacements.length]),
    [
      ['light', 0],
      ['dear', 1],
    ],
  );
  await runToRest(port);
  assert.deepEqual(
    port.commands.map(({ phase }) => phase),
    ['done', 'done'],
  );
  assert.deepEqual(
    port.objects.nodes.map(({ labels }) => labels[ZONE]),
    ['zone-c', 'zone-c'],
  );
  assert.deepEqual([[...breaches], leftovers(port)], [[], []]);
});
