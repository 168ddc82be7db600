import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cluster } from '../../test/build/cluster.ts';
import { machine } from '../../test/build/machine.ts';
import { daemonPod, daemonSet, pod } from '../../test/build/pod.ts';
import { CALM } from '../../test/build/scenario.ts';
import { volumeClaim, zonalVolume } from '../../test/build/storage.ts';
import { HOUR_MS, MINUTE_MS, NOW_MS } from '../../test/build/units.ts';
import type { ClusterObjects, Owner, PodObject, WorkloadObject } from '../engine/cluster/objects.ts';
import { importedScenario, type ReplicaTrend } from './imported-scenario.ts';
import { SimulatedCluster } from './simulated-cluster.ts';

function simulated(objects: ClusterObjects, trend: ReplicaTrend = {}): SimulatedCluster {
  return new SimulatedCluster(importedScenario('imported', objects, CALM, trend), { seed: 1, consolidation: 'none' });
}

function advanced(simulation: SimulatedCluster, byMs: number): SimulatedCluster {
  simulation.advanceTo(simulation.nowMs + byMs);
  return simulation;
}

/** As the DaemonSet controller makes them: each with an affinity for its node. */
function pinned(pod: PodObject): PodObject {
  const term = { matchFields: [{ key: 'metadata.name', operator: 'In' as const, values: [pod.nodeName] }] };
  return { ...pod, constraints: { ...pod.constraints, requiredNodeTerms: [term] } };
}

function owned(by: Omit<Owner, 'controller'>, pod: PodObject): PodObject {
  return { ...pod, owners: [{ ...by, controller: true }] };
}

const JOB = { apiVersion: 'batch/v1', kind: 'Job', name: 'report', uid: 'uid-report' };
const CRON_JOB = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: 'uid-nightly' };

function workload(kind: string, name: string, more: Partial<WorkloadObject> = {}): WorkloadObject {
  return { kind, namespace: 'default', name, uid: `uid-${name}`, owners: [], replicas: 1, readyReplicas: 0, ...more };
}

describe('DaemonSets of an imported cluster', () => {
  const agent = daemonSet('agent', { cpu: 100 });
  const names = ['a', 'b', 'c'];

  test('are one workload each, with a pod on every new node', () => {
    const objects = cluster({
      machines: names.map((name) => machine(name)),
      daemonSets: [agent],
      pods: names.map((name) => pinned(daemonPod(agent, name))),
    });
    const scenario = importedScenario('imported', objects, CALM);
    assert.equal(scenario.apps.length, 1);
    assert.equal(scenario.apps[0].constraints.requiredNodeTerms, undefined);
  });

  test('give one pod to each node that is launched', () => {
    const waiting = pod('web', { cpu: 3000, phase: 'Pending', unschedulable: true, ready: '', startedMs: undefined });
    const objects = cluster({
      machines: names.map((name) => machine(name, { allocatable: { cpu: 200, memory: 2 ** 30, pods: 10 } })),
      daemonSets: [agent],
      pods: [...names.map((name) => pinned(daemonPod(agent, name))), waiting],
    });
    const { world } = advanced(simulated(objects), 10 * MINUTE_MS);
    const launched = [...world.nodes.values()].filter(({ imported }) => imported === undefined);
    assert.equal(launched.length, 1);
    for (const node of world.nodes.values()) {
      const agents = [...node.pods].filter(({ state }) => state.app.kind === 'DaemonSet');
      assert.equal(agents.length, 1, node.name);
    }
  });

  test('keep pods of an older template, and start new ones of the current template', () => {
    const objects = cluster({
      machines: names.map((name) => machine(name)),
      daemonSets: [agent],
      pods: names.map((name) => pinned({ ...daemonPod(agent, name), requests: { cpu: 50, memory: 2 ** 20 } })),
    });
    const { apps } = importedScenario('imported', objects, CALM);
    assert.deepEqual(
      apps.map((app) => [app.requests.cpu, app.kind === 'DaemonSet' && app.onlyOnImportedNodes]),
      [
        [50, true],
        [100, undefined],
      ],
    );
  });
});

describe('Jobs of an imported cluster', () => {
  test('with completions start the next pod when one finishes', () => {
    const objects = cluster({
      machines: [machine('a')],
      pods: [owned(JOB, pod('report-x', { on: 'a' }))],
      workloads: [workload('Job', 'report', { job: { completions: 4, succeeded: 1 } })],
    });
    const simulation = simulated(objects);
    advanced(simulation, 30 * HOUR_MS);
    assert.equal(simulation.world.pods.size, 0);
    assert.equal(simulation.world.apps[0].podsCreated, 2);
  });

  test('of a CronJob run as long as the completed ones did, and start by its schedule', () => {
    const completed = workload('Job', 'nightly-1', {
      owners: [{ ...CRON_JOB, controller: true }],
      job: { succeeded: 1, runMs: 10 * MINUTE_MS },
    });
    const template = pod('template', { cpu: 700, labels: { app: 'nightly' } });
    const nightly = workload('CronJob', 'nightly', {
      replicas: 2,
      template: { labels: template.labels, requests: template.requests, constraints: template.constraints },
      schedule: { cron: '0 * * * *', suspended: false, completions: 3 },
    });
    const objects = cluster({ machines: [machine('a')], workloads: [completed, nightly] });
    const simulation = simulated(objects);
    const nextHourMs = Math.ceil((NOW_MS + 1) / HOUR_MS) * HOUR_MS;
    simulation.advanceTo(nextHourMs - 1);
    assert.equal(simulation.world.pods.size, 0);
    simulation.advanceTo(nextHourMs + 5 * MINUTE_MS);
    assert.deepEqual(
      [...simulation.world.pods.values()].map(({ object }) => [object.labels.app, object.requests.cpu]),
      [
        ['nightly', 700],
        ['nightly', 700],
      ],
    );
    simulation.advanceTo(nextHourMs + 15 * MINUTE_MS);
    assert.equal(simulation.world.pods.size, 1);
    simulation.advanceTo(nextHourMs + 30 * MINUTE_MS);
    assert.equal(simulation.world.pods.size, 0);
    simulation.advanceTo(nextHourMs + HOUR_MS + MINUTE_MS);
    assert.equal(simulation.world.pods.size, 2);
  });

  test('of a suspended CronJob do not start', () => {
    const { requests, constraints, labels } = pod('template');
    const suspended = workload('CronJob', 'nightly', {
      template: { requests, constraints, labels },
      schedule: { cron: '* * * * *', suspended: true },
    });
    const objects = cluster({ machines: [machine('a')], workloads: [suspended] });
    assert.equal(advanced(simulated(objects), HOUR_MS).world.pods.size, 0);
  });
});

test('a HorizontalPodAutoscaler limits the daily swing', () => {
  const pods = Array.from({ length: 10 }, (_, i) => pod(`web-${i}`, { owner: 'web-v1', on: `n${i}` }));
  const objects = cluster({
    machines: pods.map((_, i) => machine(`n${i}`)),
    pods,
    workloads: [
      workload('ReplicaSet', 'web-v1', {
        uid: 'uid-ReplicaSet-web-v1',
        owners: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd', controller: true }],
      }),
    ],
    autoscalers: [
      {
        namespace: 'default',
        name: 'web',
        targetKind: 'Deployment',
        targetName: 'web',
        minReplicas: 8,
        maxReplicas: 11,
      },
    ],
  });
  const simulation = simulated(objects, { wave: 0.8 });
  const replicas = Array.from({ length: 24 }, () => advanced(simulation, HOUR_MS).world.apps[0].desired);
  assert.deepEqual([Math.min(...replicas), Math.max(...replicas)], [8, 11]);
});

test('a StatefulSet pod comes back with its volume, in the zone of the volume', () => {
  const zones = ['zone-a', 'zone-b'];
  const objects = cluster({
    machines: [...zones, ...zones].map((zone, i) => machine(`n${i}`, { zone })),
    pods: [pod('db-0', { on: 'n0', ownedBy: 'StatefulSet', owner: 'db', volumeClaims: ['data-db-0'] })],
    persistentVolumeClaims: [volumeClaim('data-db-0', { volumeName: 'disk' })],
    persistentVolumes: [zonalVolume('disk', zones[0])],
  });
  const simulation = simulated(objects);
  const { world } = simulation;
  for (let round = 0; round < 2; round++) {
    const [{ node }] = world.pods.values();
    assert.equal(node?.zone, zones[0]);
    world.deleteNode(node, 'by-hand');
    advanced(simulation, 10 * MINUTE_MS);
    const [back] = world.pods.values();
    assert.deepEqual([back.object.name, back.object.volumeClaims], ['db-0', ['data-db-0']]);
    assert.equal(back.node?.zone, zones[0]);
  }
});
