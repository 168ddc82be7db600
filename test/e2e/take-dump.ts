// npm run -s e2e:dump -- aws: a cluster on the real control plane, with what users have in theirs, dumped by kubectl as
// the help of decant plan tells, into test/dumps. Run it to renew the dumps; tests read those that are committed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Cluster } from './cluster.ts';
import { nodePool } from './control-plane/karpenter-objects.ts';
import { everyKind } from './dump.ts';
import { CLOUDS, type Cloud, kwokTypes } from './dump-clouds.ts';
import { daemonSet, deployment, disruptionBudget } from './workloads.ts';

const BATCH_POD = {
  spec: {
    restartPolicy: 'Never',
    containers: [{ name: 'main', image: 'none', resources: { requests: { cpu: '500m', memory: '512Mi' } } }],
  },
};

const name = process.argv[2] ?? 'aws';
const cloud = CLOUDS[name];
if (cloud === undefined) throw new Error(`no cloud ${name}: ${Object.keys(CLOUDS).join(', ')}`);

const types = join(process.env.TMPDIR ?? '/tmp', `decant-types-${process.pid}.json`);
writeFileSync(types, JSON.stringify(kwokTypes(cloud)));
await using cluster = await Cluster.start({ instanceTypes: types });
await cluster.apply(...storage(cloud), ...nodeGroup(cloud));
await cluster.apply(
  nodePool({ capacityTypes: ['on-demand', 'spot'], consolidateAfter: '30s', budget: '0' }),
  daemonSet('agent', { cpu: '50m' }),
);
await cluster.apply(
  deployment('web', { replicas: 14, cpu: '700m', memory: '1Gi', acrossZones: true }),
  deployment('api', { replicas: 9, cpu: '400m', memory: '900Mi' }),
  deployment('cart', { replicas: 3, cpu: '250m', memory: '512Mi', apart: true }),
  deployment('report', { replicas: 1, cpu: '1', annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
  disruptionBudget('web', 1),
  disruptionBudget('report', 0),
  statefulSet(),
  job(),
  cronJob(),
  autoscaler('api'),
  { apiVersion: 'v1', kind: 'Service', metadata: { name: 'db' }, spec: { clusterIP: 'None', selector: { app: 'db' } } },
);
const running = async () => (await cluster.list('pods', '-n', 'default')).filter((p) => p.status.phase === 'Running');
await cluster.until('the pods run', async () => (await running()).length >= 29, { timeoutMs: 240_000 });
// Scaled down, so that there is something to consolidate; and a minute for the CronJob.
await cluster.scale('web', 8);
await cluster.scale('api', 5);
await cluster.until(
  'the CronJob has run',
  async () => {
    const pods = await cluster.list('pods', '-n', 'default');
    return pods.some((p) => p.metadata.name.startsWith('tidy-'));
  },
  { timeoutMs: 150_000 },
);
for (const node of await cluster.list('nodes')) {
  await cluster.plane.kubectl([
    'label',
    'node',
    node.metadata.name,
    `topology.kubernetes.io/region=${cloud.region}`,
    '--overwrite',
  ]);
}
await cluster.apply(...(await csiNodes(cloud)));
// Karpenter left the nodes alone so far; now it would not, but waits 15 s before it acts.
await cluster.apply(nodePool({ capacityTypes: ['on-demand', 'spot'], consolidateAfter: '30s', budget: '10%' }));
const target = join(import.meta.dirname, '../dumps', `${cloud.region}.json.gz`);
writeFileSync(target, gzipSync(await everyKind(cluster), { level: 9 }));
process.stderr.write(`written: ${target}\n`);

/** One zonal volume for each replica of the database, as a CSI driver would have provisioned it. */
function storage({ zones, csiDriver }: Cloud): object[] {
  return [
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'standard' },
      provisioner: csiDriver,
      volumeBindingMode: 'WaitForFirstConsumer',
    },
    ...zones.map((zone, i) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `pv-${i}` },
      spec: {
        capacity: { storage: '10Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'standard',
        csi: { driver: csiDriver, volumeHandle: `vol-${i}` },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }] },
            ],
          },
        },
      },
    })),
  ];
}

function statefulSet(): object {
  const labels = { app: 'db' };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'default' },
    spec: {
      serviceName: 'db',
      replicas: 2,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: 'main',
              image: 'none',
              resources: { requests: { cpu: '500m', memory: '2Gi' } },
              volumeMounts: [{ name: 'data', mountPath: '/data' }],
            },
          ],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: 'standard',
            resources: { requests: { storage: '10Gi' } },
          },
        },
      ],
    },
  };
}

function job(): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'import', namespace: 'default' },
    spec: { completions: 6, parallelism: 3, template: BATCH_POD },
  };
}

function cronJob(): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tidy', namespace: 'default' },
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: BATCH_POD } } },
  };
}

function autoscaler(target: string): object {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: target, namespace: 'default' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target },
      minReplicas: 3,
      maxReplicas: 20,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
      ],
    },
  };
}

/** Two nodes that Karpenter does not manage, as a managed node group has them. */
function nodeGroup({ region, zones, types, nodeGroup: labels, providerId }: Cloud): object[] {
  const [type, cpu, gib] = types[1];
  return [0, 1].map((i) => {
    const node = `system-${i}`;
    const capacity = { cpu: String(cpu), memory: `${gib}Gi`, pods: '58', 'ephemeral-storage': '20Gi' };
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: node,
        annotations: { 'kwok.x-k8s.io/node': 'fake' },
        labels: {
          'kubernetes.io/hostname': node,
          'kubernetes.io/arch': 'amd64',
          'kubernetes.io/os': 'linux',
          'node.kubernetes.io/instance-type': type,
          'topology.kubernetes.io/region': region,
          'topology.kubernetes.io/zone': zones[i],
          ...labels,
        },
      },
      spec: { providerID: providerId(zones[i], `a1b2c3d4${i}`) },
      status: { capacity, allocatable: capacity },
    };
  });
}

/** What the kubelet's CSI plugin would have registered. */
async function csiNodes({ csiDriver }: Cloud): Promise<object[]> {
  return (await cluster.list('nodes')).map(({ metadata }) => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: metadata.name },
    spec: {
      drivers: [{ name: csiDriver, nodeID: metadata.name, topologyKeys: [], allocatable: { count: 25 } }],
    },
  }));
}
