import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsedRow } from '../read/parsed-row.ts';
import { CAPACITY_BUFFER, decodeCapacityBuffer } from './capacity-buffer.ts';
import { decodePodDisruptionBudget, POD_DISRUPTION_BUDGET } from './disruption-budget.ts';
import { decodeNamespace, NAMESPACE_SHAPE } from './namespace.ts';
import { NODE, NodeDecoder } from './node.ts';
import {
  CSI_NODE,
  decodeCsiNode,
  decodePersistentVolume,
  decodePersistentVolumeClaim,
  decodeStorageClass,
  PERSISTENT_VOLUME,
  PERSISTENT_VOLUME_CLAIM,
  STORAGE_CLASS,
} from './storage.ts';
import { JOB, SCALABLE, WORKLOAD, WorkloadDecoder } from './workload.ts';

test('a node', () => {
  const object = {
    kind: 'Node',
    metadata: {
      name: 'n1',
      labels: { zone: 'a' },
      annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
      creationTimestamp: '2026-08-20T12:00:00Z',
    },
    spec: { providerID: 'aws://i-1', taints: [{ key: 'k', effect: 'NoSchedule' }] },
    status: {
      capacity: { cpu: '4', 'nvidia.com/gpu': '1' },
      allocatable: { cpu: '3920m', memory: '15Gi', pods: '58' },
      conditions: [{ type: 'Ready', status: 'Unknown' }],
    },
  };
  assert.deepEqual(new NodeDecoder().decode(parsedRow(object, NODE)), {
    name: 'n1',
    labels: { zone: 'a' },
    doNotDisrupt: 'true',
    createdMs: 1787227200000,
    terminating: false,
    providerId: 'aws://i-1',
    taints: [{ key: 'k', value: '', effect: 'NoSchedule' }],
    capacity: { cpu: 4000, 'nvidia.com/gpu': 1 },
    allocatable: { cpu: 3920, memory: 15 * 1024 ** 3, pods: 58 },
    ready: 'Unknown',
  });
});

test('a node of an old cluster has the newer names of its labels too; nodes of Karpenter are as they are', () => {
  const old = {
    'beta.kubernetes.io/instance-type': 'm5.large',
    'failure-domain.beta.kubernetes.io/zone': 'eu-west-1a',
  };
  const decoded = (labels: object) =>
    new NodeDecoder().decode(parsedRow({ kind: 'Node', metadata: { name: 'n', labels } }, NODE)).labels;
  assert.deepEqual(decoded({ ...old, 'topology.kubernetes.io/zone': 'eu-west-1b' }), {
    ...old,
    'node.kubernetes.io/instance-type': 'm5.large',
    'topology.kubernetes.io/zone': 'eu-west-1b',
  });
  const own = { ...old, 'karpenter.sh/nodepool': 'p' };
  assert.deepEqual(decoded(own), own);
});

test('a node is cordoned by its spec only while the taint for that is missing', () => {
  const decoded = (spec: object) =>
    new NodeDecoder().decode(parsedRow({ kind: 'Node', metadata: { name: 'n' }, spec }, NODE)).cordoned;
  const taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
  assert.equal(decoded({ unschedulable: true }), true);
  assert.equal(decoded({ unschedulable: true, taints }), undefined);
  assert.equal(decoded({ unschedulable: false }), undefined);
});

const budget = (spec: object, status?: object) =>
  decodePodDisruptionBudget(
    parsedRow({ metadata: { name: 'b', namespace: 'shop', uid: 'u' }, spec, status }, POD_DISRUPTION_BUDGET),
  );

const blocking = [
  { spec: { maxUnavailable: 0 }, want: true },
  { spec: { maxUnavailable: '0%' }, want: true },
  { spec: { maxUnavailable: '0' }, want: false },
  { spec: { maxUnavailable: 1 }, want: false },
  { spec: { minAvailable: '100%' }, want: true },
  { spec: { minAvailable: 100 }, want: false },
  { spec: {}, want: false },
];

for (const { spec, want } of blocking) {
  test(`a budget with ${JSON.stringify(spec)} ${want ? 'blocks' : 'does not block'} every eviction`, () => {
    assert.equal(budget(spec).fullyBlocking, want);
  });
}

test('a budget', () => {
  const selector = { matchLabels: { app: 'web' } };
  assert.deepEqual(
    budget({ selector, minAvailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' }, { disruptionsAllowed: 2 }),
    {
      namespace: 'shop',
      name: 'b',
      uid: 'u',
      selector,
      disruptionsAllowed: 2,
      fullyBlocking: false,
      evictsUnhealthy: true,
    },
  );
  assert.equal(budget({}).selector, undefined);
  assert.equal(budget({}).disruptionsAllowed, 0);
});

test('volumes and their claims', () => {
  const volume = (spec: object) =>
    decodePersistentVolume(parsedRow({ metadata: { name: 'pv' }, spec }, PERSISTENT_VOLUME));
  const nodeSelectorTerms = [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['a'] }] }];
  assert.deepEqual(volume({ csi: { driver: 'ebs.csi.aws.com' }, nodeAffinity: { required: { nodeSelectorTerms } } }), {
    name: 'pv',
    terminating: false,
    csiDriver: 'ebs.csi.aws.com',
    awsElasticBlockStore: false,
    nodeLocal: false,
    nodeTerms: nodeSelectorTerms,
  });
  assert.equal(volume({ local: { path: '/x' } }).nodeLocal, true);
  assert.equal(volume({ hostPath: { path: '/x' } }).nodeLocal, true);
  assert.equal(volume({ awsElasticBlockStore: { volumeID: 'v' } }).awsElasticBlockStore, true);
  assert.equal(volume({}).nodeTerms, undefined);

  const claim = {
    metadata: { name: 'data', namespace: 'shop', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    spec: { volumeName: 'pv', storageClassName: 'gp3' },
    status: { phase: 'Bound' },
  };
  assert.deepEqual(decodePersistentVolumeClaim(parsedRow(claim, PERSISTENT_VOLUME_CLAIM)), {
    namespace: 'shop',
    name: 'data',
    terminating: false,
    phase: 'Bound',
    volumeName: 'pv',
    storageClass: 'gp3',
    bindCompleted: true,
  });
});

test('storage classes and CSI nodes', () => {
  const object = {
    metadata: { name: 'gp3' },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
  };
  assert.deepEqual(decodeStorageClass(parsedRow(object, STORAGE_CLASS)), {
    name: 'gp3',
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [[{ key: 'zone', values: ['a', 'b'] }]],
  });
  const drivers = [
    { name: 'ebs.csi.aws.com', allocatable: { count: 25 } },
    { name: 'efs' },
    { name: 'none', allocatable: {} },
  ];
  assert.deepEqual(decodeCsiNode(parsedRow({ metadata: { name: 'n1' }, spec: { drivers } }, CSI_NODE)), {
    name: 'n1',
    limits: { 'ebs.csi.aws.com': 25 },
    uncounted: [
      { driver: 'efs', allocatable: false },
      { driver: 'none', allocatable: true },
    ],
  });
});

test('workloads say how many pods they want and have', () => {
  const metadata = {
    name: 'web',
    namespace: 'shop',
    uid: 'u',
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd' }],
  };
  const set = { kind: 'ReplicationController', metadata, spec: { replicas: 3 }, status: { readyReplicas: 2 } };
  assert.deepEqual(new WorkloadDecoder().decode(parsedRow(set, WORKLOAD)), {
    kind: 'ReplicationController',
    namespace: 'shop',
    name: 'web',
    uid: 'u',
    owners: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd', controller: false }],
    replicas: 3,
    readyReplicas: 2,
  });
  const job = new WorkloadDecoder().decode(
    parsedRow({ kind: 'Job', metadata, spec: { parallelism: 5 }, status: { ready: 4 } }, JOB),
  );
  assert.deepEqual([job.replicas, job.readyReplicas], [5, 4]);
  const bare = new WorkloadDecoder().decode(parsedRow({ kind: 'Deployment', metadata }, WORKLOAD));
  assert.deepEqual([bare.replicas, bare.readyReplicas], [1, 0]);
});

test('a Deployment has a template, in which limits are no requests', () => {
  const resources = { requests: { cpu: '1' }, limits: { memory: '1Gi' } };
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', resources }] } };
  const deployment = { kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 2, template } };
  const decoded = new WorkloadDecoder().decode(parsedRow(deployment, SCALABLE)).template;
  assert.deepEqual([decoded?.labels, decoded?.requests], [{ app: 'web' }, { cpu: 1000 }]);
});

test('a CapacityBuffer', () => {
  const object = {
    kind: 'CapacityBuffer',
    metadata: { name: 'spare', namespace: 'shop', uid: 'u' },
    spec: {
      scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'web' },
      replicas: 2,
      percentage: 20,
      limits: { cpu: '16' },
    },
    status: { conditions: [{ type: 'ReadyForProvisioning', status: 'True' }] },
  };
  assert.deepEqual(decodeCapacityBuffer(parsedRow(object, CAPACITY_BUFFER)), {
    namespace: 'shop',
    name: 'spare',
    uid: 'u',
    podTemplate: undefined,
    scalable: { group: 'apps', kind: 'Deployment', name: 'web' },
    replicas: 2,
    percentage: 20,
    limits: { cpu: 16_000 },
    ready: true,
  });
});

test('a namespace', () => {
  const row = parsedRow({ metadata: { name: 'shop', labels: { team: 'a' } } }, NAMESPACE_SHAPE);
  assert.deepEqual(decodeNamespace(row), { name: 'shop', labels: { team: 'a' } });
});
