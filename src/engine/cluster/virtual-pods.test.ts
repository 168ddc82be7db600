import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capacityBuffer } from '../../../test/build/capacity-buffer.ts';
import { cluster } from '../../../test/build/cluster.ts';
import type { CapacityBufferObject } from './capacity-buffer-object.ts';
import type { WorkloadObject } from './objects.ts';
import { cutBuffers, virtualPods } from './virtual-pods.ts';

/** A Deployment whose pods are those of the template. */
function deployment(replicas: number): WorkloadObject {
  const [template] = capacityBuffer().podTemplates;
  return {
    kind: 'Deployment',
    namespace: 'default',
    name: 'web',
    uid: 'web',
    owners: [],
    replicas,
    readyReplicas: replicas,
    template,
  };
}

function countOf(sketch: Partial<CapacityBufferObject>, replicas = 24): number {
  const objects = cluster({ ...capacityBuffer({ replicas: undefined, ...sketch }), workloads: [deployment(replicas)] });
  return virtualPods(objects, false).length;
}

const OF_WEB = { podTemplate: undefined, scalable: { group: '', kind: 'Deployment', name: 'web' } };

test('the pods of one namespace have a limit, however many its buffers ask for', () => {
  assert.equal(countOf({ replicas: 2 ** 31 - 1 }), 5_000);
  assert.equal(countOf({ ...OF_WEB, percentage: 2 ** 31 - 1 }, 2 ** 31 - 1), 5_000);
  assert.equal(countOf({ limits: { cpu: Number.MAX_SAFE_INTEGER } }), 5_000);
  const { podTemplates, capacityBuffers } = capacityBuffer({ replicas: 3_000 });
  const [[template], [buffer]] = [podTemplates, capacityBuffers];
  const objects = cluster({
    podTemplates: [template, { ...template, namespace: 'other' }],
    capacityBuffers: [buffer, { ...buffer, name: 'second' }, { ...buffer, namespace: 'other' }],
  });
  const byNamespace = Object.groupBy(virtualPods(objects, false), ({ namespace }) => namespace);
  assert.deepEqual([byNamespace[buffer.namespace]?.length, byNamespace.other?.length], [5_000, 3_000]);
  assert.deepEqual(
    cutBuffers(objects).map(({ buffer: { namespace, name }, kept, wanted }) => [namespace, name, kept, wanted]),
    [[buffer.namespace, 'second', 2_000, 3_000]],
  );
});

test('the number of virtual pods', () => {
  assert.equal(countOf({ replicas: 3 }), 3);
  assert.equal(countOf({}), 0);
  assert.equal(countOf({ limits: { cpu: 5500, memory: 1e12 } }), 5);
  assert.equal(countOf({ replicas: 3, limits: { cpu: 2000 } }), 2);
  assert.equal(countOf({ replicas: 3, limits: { 'example.com/gpu': 1 } }), 3);
  assert.equal(countOf({ ...OF_WEB, percentage: 20, replicas: 2 }), 5, 'the larger of the two');
  assert.equal(countOf({ ...OF_WEB, percentage: 20, replicas: 2 }, 4), 2);
  assert.equal(countOf({ ...OF_WEB, percentage: 1 }, 4), 1);
  assert.equal(countOf({ ...OF_WEB, percentage: 50 }, 0), 0);
  assert.equal(countOf({ ...OF_WEB, percentage: 50, limits: { cpu: 3000 } }, 0), 3, 'as if no percentage were set');
  assert.equal(countOf({ replicas: 3, percentage: 50 }), 3, 'a PodTemplate has no replicas to take a share of');
});

test('a buffer whose reference leads nowhere has none', () => {
  assert.equal(countOf({ replicas: 3, podTemplate: 'gone' }), 0);
  assert.equal(countOf({ replicas: 3, podTemplate: undefined }), 0);
  assert.equal(countOf({ replicas: 3, ...OF_WEB, scalable: { group: 'batch', kind: 'Job', name: 'web' } }), 0);
});

test('what counts while the feature gate is on, off or unknown', () => {
  const count = (capacityBuffers: boolean | undefined, ready: boolean, compat: boolean) =>
    virtualPods(cluster({ ...capacityBuffer({ ready }), options: { capacityBuffers } }), compat).length;
  for (const compat of [true, false]) {
    assert.equal(count(true, false, compat), 1);
    assert.equal(count(false, true, compat), 0);
    assert.equal(count(undefined, true, compat), 1);
  }
  assert.equal(count(undefined, false, true), 0);
  assert.equal(count(undefined, false, false), 1, 'better too much room than too little');
});

test('the same objects while nothing changes', () => {
  const objects = cluster(capacityBuffer());
  assert.equal(virtualPods(objects, false)[0], virtualPods({ ...objects, nowMs: 0 }, false)[0]);
});
