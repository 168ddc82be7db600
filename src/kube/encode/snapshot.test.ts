import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { findCases } from '../../../test/conformance/case-files.ts';
import { loadCatalog } from '../../catalog/load.ts';
import type { ClusterObjects, InstanceType } from '../../engine/cluster/objects.ts';
import { SAFE_TO_EVICT } from '../../engine/cluster/well-known.ts';
import { loadCluster } from '../read/load.ts';
import { writeSnapshot } from './snapshot.ts';

const RECORDED = join(import.meta.dirname, '../../../test/conformance/recorded');

async function load(paths: readonly string[], text?: string): Promise<ClusterObjects> {
  const stdin = text === undefined ? undefined : Readable.from([Buffer.from(text)]);
  const { objects, instanceTypes: entries, warnings } = await loadCluster(paths, { stdin });
  assert.deepEqual(text === undefined ? [] : warnings, []);
  return { ...objects, instanceTypes: (await loadCatalog({ entries })).types };
}

function textOf(cluster: ClusterObjects): string {
  const { objects, ...header } = writeSnapshot(cluster);
  return JSON.stringify({ ...header, objects: [...objects] });
}

function readBack(cluster: ClusterObjects): Promise<ClusterObjects> {
  return load(['-'], textOf(cluster));
}

/** Labels of a type by key: their order means nothing. */
function sorted(cluster: ClusterObjects): ClusterObjects {
  const byKey = ({ key: a }: { key: string }, { key: b }: { key: string }) => (a < b ? -1 : a > b ? 1 : 0);
  const sortedType = (type: InstanceType) => ({
    ...type,
    requirements: [...type.requirements].sort(byKey),
    offerings: type.offerings.map((o) => ({ ...o, requirements: [...o.requirements].sort(byKey) })),
  });
  return { ...cluster, instanceTypes: cluster.instanceTypes.map(sortedType) };
}

// Of the odd ones, which differ in everything, a third; of the ordinary ones a few say as much as all.
for (const [folder, step] of [
  ['odd', 3],
  ['ordinary', 10],
] as const) {
  describe(`the snapshot of a recorded cluster is read as the cluster itself, ${folder}`, () => {
    const cases = findCases(join(RECORDED, folder)).filter((_, i) => i % step === 0);
    for (const { name, cluster: file } of cases) {
      test(name, async () => {
        const cluster = await load([file]);
        assert.deepEqual(sorted(await readBack(cluster)), sorted(cluster));
      });
    }
  });
}

test('and so is everything that the recorded ones do not have', async () => {
  const metadata = { name: 'a', namespace: 'shop', creationTimestamp: '2026-08-20T11:00:00.25Z', labels: { app: 'a' } };
  const terminating = { ...metadata, name: 'b', deletionTimestamp: '2026-08-20T12:00:30Z' };
  const spec = {
    nodeName: 'n',
    priorityClassName: 'vip',
    containers: [
      {
        name: 'main',
        resources: { requests: { cpu: '0.5', memory: '1.5Gi', 'example.com/fpga': '3' }, claims: [{ name: 'gpu' }] },
        ports: [{ hostPort: 80, hostIP: '10.0.0.1', protocol: 'UDP' }, { containerPort: 81 }],
      },
      { name: 'second', resources: { requests: { cpu: '1n', memory: '1e22' } }, ports: [{ hostPort: 443 }] },
    ],
    initContainers: [{ name: 'side', restartPolicy: 'Always', resources: { requests: { cpu: '100m' } } }],
    overhead: { memory: '64Mi' },
    nodeSelector: { disk: 'fast' },
    tolerations: [{ operator: 'Exists' }, { key: 'k', value: 'v', effect: 'NoExecute', tolerationSeconds: 0 }],
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: 'data-a' } },
      { name: 'scratch', ephemeral: { volumeClaimTemplate: {} } },
      { name: 'cache', emptyDir: { sizeLimit: '1Gi' } },
      { name: 'logs', hostPath: { path: '/var/log' } },
    ],
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } },
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 7, podAffinityTerm: { topologyKey: 'zone', namespaces: ['x'], namespaceSelector: {} } },
        ],
      },
    },
    topologySpreadConstraints: [{ topologyKey: 'zone', maxSkew: 2, minDomains: 3, matchLabelKeys: ['h'] }],
  };
  const objects = [
    { kind: 'PriorityClass', apiVersion: 'scheduling.k8s.io/v1', metadata: { name: 'vip' }, value: -7 },
    {
      kind: 'Node',
      metadata: { name: 'leaving' },
      spec: { taints: [{ key: 'decant.sh/leaving', effect: 'PreferNoSchedule' }] },
    },
    {
      kind: 'Pod',
      metadata: {
        ...metadata,
        name: 'steered',
        annotations: { 'controller.kubernetes.io/pod-deletion-cost': '-9000', 'decant.sh/steered-cost': '-9000' },
      },
    },
    {
      kind: 'Pod',
      metadata: {
        ...metadata,
        name: 'changed-since',
        annotations: { 'controller.kubernetes.io/pod-deletion-cost': '7', 'decant.sh/steered-cost': '-9000' },
      },
    },
    { kind: 'Node', metadata: { name: 'n' }, status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } },
    { kind: 'Pod', metadata, spec, status: { phase: 'Running', nominatedNodeName: 'm' } },
    {
      kind: 'Pod',
      metadata: {
        ...terminating,
        annotations: {
          'karpenter.sh/do-not-disrupt': '',
          'karpenter.sh/do-not-evict': 'x',
          [SAFE_TO_EVICT]: 'false',
          'decant.sh/move': 'evict',
        },
      },
      status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
    },
    { kind: 'Job', metadata, spec: { parallelism: 3 }, status: { ready: 1 } },
    {
      kind: 'Job',
      metadata: {
        ...metadata,
        name: 'done',
        ownerReferences: [{ kind: 'CronJob', name: 'a', uid: 'c', controller: true }],
      },
      spec: { parallelism: 2, completions: 5 },
      status: { succeeded: 5, startTime: '2026-08-20T11:00:00Z', completionTime: '2026-08-20T11:04:00Z' },
    },
    {
      kind: 'CronJob',
      metadata: { ...metadata, uid: 'c' },
      spec: {
        schedule: '*/5 * * * *',
        timeZone: 'Europe/Berlin',
        suspend: true,
        jobTemplate: { spec: { parallelism: 2, completions: 5, template: { spec } } },
      },
    },
    {
      kind: 'HorizontalPodAutoscaler',
      metadata,
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }, maxReplicas: 9 },
    },
    ...[{ type: 'Recreate' }, { rollingUpdate: { maxSurge: '50%', maxUnavailable: 1 } }].map((strategy, i) => ({
      kind: 'Deployment',
      metadata: {
        ...metadata,
        name: `d${i}`,
        labels: { 'kustomize.toolkit.fluxcd.io/name': 'shop' },
        annotations: { 'decant.sh/move': 'rollout', 'decant.sh/extra-replica': 'c1' },
      },
      spec: {
        replicas: 3 * i,
        strategy,
        paused: i === 1,
        template: { metadata: { annotations: { 'decant.sh/restarted-by': 'c2' } }, spec },
      },
      status: i === 0 ? { replicas: 1 } : { replicas: 3, updatedReplicas: 3, availableReplicas: 3 },
    })),
    { kind: 'ReplicationController', metadata, spec: { replicas: 0 } },
    {
      kind: 'StatefulSet',
      metadata: { ...metadata, ownerReferences: [{ apiVersion: 'x/v1', kind: 'App', name: 'o', uid: 'u' }] },
    },
    {
      kind: 'NodeClaim',
      metadata: { ...terminating, name: 'c' },
      spec: { expireAfter: '1h0.000001s' },
      status: { lastPodEventTime: '2026-08-20T11:59:59Z', conditions: [{ type: 'Ready', status: 'False' }] },
    },
    {
      kind: 'NodePool',
      metadata: { ...terminating, name: 'p' },
      spec: {
        replicas: 0,
        weight: 3,
        limits: { cpu: '1500m', memory: '10G' },
        disruption: { consolidateAfter: 'Never' },
      },
    },
    { kind: 'NodePool', metadata: { name: 'q' }, spec: { disruption: null } },
    { kind: 'PersistentVolume', metadata: terminating, spec: { local: { path: '/' }, awsElasticBlockStore: {} } },
    {
      kind: 'PersistentVolumeClaim',
      metadata: terminating,
      spec: { storageClassName: 'gp3', accessModes: ['ReadWriteMany'] },
    },
    {
      kind: 'StorageClass',
      metadata: { name: 'gp3' },
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a'] }] }],
    },
    {
      kind: 'PodDisruptionBudget',
      metadata,
      spec: { minAvailable: '100%', unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    },
    { kind: 'PodTemplate', metadata, template: { metadata: { labels: { app: 'a' } }, spec } },
    { kind: 'Deployment', metadata, spec: { replicas: 2, template: { spec } } },
    {
      kind: 'CapacityBuffer',
      metadata: { ...metadata, uid: 'u' },
      spec: { podTemplateRef: { name: 'a' }, replicas: 0, percentage: 7, limits: { cpu: '1500m' } },
      status: { conditions: [{ type: 'ReadyForProvisioning', status: 'True' }] },
    },
    {
      kind: 'CapacityBuffer',
      metadata: { ...metadata, name: 'b' },
      spec: { scalableRef: { kind: 'Deployment', name: 'a' }, limits: {} },
    },
    {
      kind: 'NodeOverlay',
      metadata: { name: 'o' },
      spec: {
        requirements: [{ key: 'k', operator: 'Exists' }],
        priceAdjustment: '-5%',
        capacity: { fuse: '3' },
        weight: 7,
      },
    },
    { kind: 'NodeOverlay', metadata: { name: 'p' }, spec: { price: '0.5' } },
    { kind: 'CSINode', metadata: { name: 'n' }, spec: { drivers: [{ name: 'ebs', allocatable: { count: 25 } }] } },
  ];
  const options = {
    featureGates: 'SpotToSpotConsolidation=true,ReservedCapacity=false,CapacityBuffer=false',
    preferencePolicy: 'Ignore',
    minValuesPolicy: 'BestEffort',
  };
  const now = '2026-08-20T12:00:00.125Z';
  const cluster = await load(['-'], JSON.stringify({ now, options, objects }));
  const podNamed = (name: string) => cluster.pods.find((pod) => pod.name === name);
  assert.equal(podNamed('a')?.priority, -7);
  assert.deepEqual(
    ['steered', 'changed-since'].map(podNamed).map((pod) => [pod?.deletionCost, pod?.steeredCost]),
    [
      [undefined, -9000],
      ['7', undefined],
    ],
  );
  const [leaving] = cluster.nodes;
  assert.deepEqual([leaving.name, leaving.taints, leaving.steered], ['leaving', [], true]);
  const [, done, cronJob] = cluster.workloads;
  assert.deepEqual(done.job, { completions: 5, succeeded: 5, runMs: 240_000 });
  const schedule = { cron: '*/5 * * * *', timeZone: 'Europe/Berlin', suspended: true, completions: 5 };
  assert.deepEqual([cronJob.replicas, cronJob.schedule], [2, schedule]);
  assert.deepEqual(cluster.autoscalers, [
    { namespace: 'shop', name: 'a', targetKind: 'Deployment', targetName: 'a', minReplicas: 1, maxReplicas: 9 },
  ]);
  assert.deepEqual(sorted(await readBack(cluster)), sorted(cluster));
});
