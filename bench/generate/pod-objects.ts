import { type App, constraintsOf } from './apps.ts';
import type { Placed } from './fill.ts';
import { controller, daysAgo, type KubeObject, metadata } from './kube-object.ts';
import { BATCH } from './node-pools.ts';
import type { GeneratedNode } from './nodes.ts';
import { NOW_MS } from './parameters.ts';
import type { Request } from './placement.ts';
import { bytesText, cpuText, timeText } from './quantity-text.ts';
import type { Random } from './random.ts';

const MIB = 2 ** 20;
const MINUTE_MS = 60_000;

interface DaemonDesign {
  readonly name: string;
  readonly request: Request;
  readonly toleratesAll: boolean;
}

/** Clusters without constraints have the first only. The last one stays off the tainted nodes. */
const DAEMONS: readonly DaemonDesign[] = [
  { name: 'node-agent', request: { cpuMilli: 50, memoryBytes: 64 * MIB }, toleratesAll: true },
  { name: 'log-shipper', request: { cpuMilli: 100, memoryBytes: 128 * MIB }, toleratesAll: true },
  { name: 'metrics', request: { cpuMilli: 25, memoryBytes: 64 * MIB }, toleratesAll: false },
];

function containers(request: Request) {
  const requests = { cpu: cpuText(request.cpuMilli), memory: bytesText(request.memoryBytes) };
  return [{ name: 'main', image: 'registry.example/app:1', resources: { requests } }];
}

function runningPod(meta: KubeObject['metadata'], spec: object, createdMs: number): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: meta,
    spec,
    status: {
      phase: 'Running',
      startTime: timeText(createdMs + 5000),
      conditions: [
        { type: 'PodScheduled', status: 'True' },
        { type: 'Ready', status: 'True' },
      ],
    },
  };
}

/** DaemonSets and their pods, which take their room before anything else does. */
export function* daemonObjects(
  mode: 'plain' | 'mixed',
  nodes: readonly GeneratedNode[],
  random: Random,
): Generator<KubeObject> {
  for (const { name, request, toleratesAll } of DAEMONS.slice(0, mode === 'plain' ? 1 : undefined)) {
    const labels = { app: name };
    const spec = { containers: containers(request), tolerations: toleratesAll ? [{ operator: 'Exists' }] : undefined };
    const meta = metadata(random, 'kube-system', name, daysAgo(60));
    yield {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: meta,
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    };
    for (const node of nodes) {
      if (!toleratesAll && node.pool.name === BATCH) continue;
      node.freeCpu -= request.cpuMilli;
      node.cpuForApps -= request.cpuMilli;
      node.freeMemory -= request.memoryBytes;
      node.freePods--;
      const pod = {
        ...metadata(random, 'kube-system', `${name}-${node.name}`, node.createdMs),
        labels,
        ownerReferences: controller('apps/v1', 'DaemonSet', name, meta.uid),
      };
      yield runningPod(pod, { ...spec, nodeName: node.name }, node.createdMs);
    }
  }
}

/** The pod, after the volume that it needs. */
export function* podObjects({ app, node, request }: Placed, number: number, random: Random): Generator<KubeObject> {
  const name = `${app.name}-${String(number).padStart(5, '0')}`;
  // Not so young that the node would still wait for its consolidateAfter.
  const createdMs = node.createdMs + random.fraction() * (NOW_MS - node.createdMs - 10 * MINUTE_MS);
  const claimName = `data-${name}`;
  if (app.volumes) yield* volumeObjects(claimName, node.zone, createdMs, random);
  const spec = {
    containers: containers(request),
    ...constraintsOf(app),
    volumes: app.volumes ? [{ name: 'data', persistentVolumeClaim: { claimName } }] : undefined,
    nodeName: node.name,
  };
  const meta = {
    ...metadata(random, 'default', name, createdMs),
    labels: { app: app.name },
    annotations: annotationsOf(app),
    ownerReferences: controller('apps/v1', app.volumes ? 'StatefulSet' : 'ReplicaSet', app.name, `owner-${app.name}`),
  };
  yield runningPod(meta, spec, createdMs);
}

function annotationsOf(app: App): Record<string, string> | undefined {
  if (app.deletionCost === undefined && app.doNotDisrupt === undefined) return undefined;
  const annotations: Record<string, string> = {};
  if (app.deletionCost !== undefined) annotations['controller.kubernetes.io/pod-deletion-cost'] = app.deletionCost;
  if (app.doNotDisrupt !== undefined) annotations['karpenter.sh/do-not-disrupt'] = app.doNotDisrupt;
  return annotations;
}

function* volumeObjects(claimName: string, zone: string, createdMs: number, random: Random): Generator<KubeObject> {
  const size = { storage: '20Gi' };
  const accessModes = ['ReadWriteOnce'];
  const volumeName = `pv-${claimName}`;
  yield {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: metadata(random, 'default', claimName, createdMs),
    spec: { storageClassName: 'gp3', volumeName, accessModes, resources: { requests: size } },
    status: { phase: 'Bound' },
  };
  const inZone = [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] }];
  yield {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: metadata(random, '', volumeName, createdMs),
    spec: {
      storageClassName: 'gp3',
      capacity: size,
      accessModes,
      csi: { driver: 'ebs.csi.aws.com', volumeHandle: claimName },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: inZone }] } },
    },
  };
}
