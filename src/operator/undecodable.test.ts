import assert from 'node:assert/strict';
import { test } from 'node:test';
import { capacityBuffer } from '../../test/build/capacity-buffer.ts';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { logLines } from '../../test/build/log-lines.ts';
import { machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import { eventsOf } from './event-list.ts';
import { OperatorMetrics } from './metrics.ts';
import { ReconcileLog } from './reconcile-log.ts';
import { measure } from './reconcile-metrics.ts';

const UNDECODABLE = [
  { kind: 'Pod', namespace: 'shop', name: 'evil', nodeName: 'a', problem: 'spec.x: 7: allowed: a string' },
  { kind: 'DaemonSet', namespace: 'shop', name: 'agent', nodeName: '', problem: 'spec.y: 8: allowed: a string' },
];

test('objects that cannot be decoded are named in log, events and metrics', async () => {
  const port = new FakeCluster({
    nodePools: [nodePool('default', { disruption: { consolidateAfter: '0s' } })],
    machines: [machine('a')],
    undecodable: UNDECODABLE,
  });
  const report = await controllerOn(port, { mode: 'observe' }).reconcile();
  const view = port.view()!;
  const { log, lines } = logLines('warn');
  const told = new ReconcileLog(log);
  for (const nowMs of [0, 1000]) told.tell(report, view, nowMs);
  assert.deepEqual(
    lines.map(({ object, problem }) => [object, problem]),
    [
      ['Pod shop/evil', 'spec.x: 7: allowed: a string'],
      ['DaemonSet shop/agent', 'spec.y: 8: allowed: a string'],
    ],
  );
  const events = eventsOf(report, view, 'observe').map((e) => `${e.on.kind} ${e.reason}: ${e.note}`);
  assert.deepEqual(events, [
    'NodePool UndecodableObject: 2 objects are set aside: Pod shop/evil: spec.x: 7: allowed: a string; DaemonSet shop/agent: spec.y: 8: allowed: a string',
    'NodeClaim DisruptionBlocked: Pod shop/evil is set aside: spec.x: 7: allowed: a string',
  ]);
  const metrics = new OperatorMetrics();
  measure(metrics, report, view);
  const text = await metrics.registry.metrics();
  assert.match(text, /^decant_undecodable_objects\{kind="Pod"\} 1$/m);
  assert.match(text, /^decant_undecodable_objects\{kind="DaemonSet"\} 1$/m);
});

test('CapacityBuffers that ask for more than their namespace may are named in log and metrics', async () => {
  const { podTemplates, capacityBuffers } = capacityBuffer({ replicas: 9_000 });
  const port = new FakeCluster({
    nodePools: [nodePool('default', { disruption: { consolidateAfter: '0s' } })],
    machines: [machine('a')],
    podTemplates,
    capacityBuffers: [capacityBuffers[0], { ...capacityBuffers[0], name: 'second' }],
  });
  const report = await controllerOn(port, { mode: 'observe' }).reconcile();
  const view = port.view()!;
  const { log, lines } = logLines('warn');
  const told = new ReconcileLog(log);
  for (const nowMs of [0, 1000]) told.tell(report, view, nowMs);
  assert.deepEqual(
    lines.map(({ message }) => message),
    [
      'CapacityBuffer default/spare keeps room for 5000 of 9000 pods (and less than asked for by 1 more): the buffers of one namespace may keep room for 5000',
    ],
  );
  const metrics = new OperatorMetrics();
  measure(metrics, report, view);
  assert.match(await metrics.registry.metrics(), /^decant_objects_beyond_limits\{kind="CapacityBuffer"\} 2$/m);
});
