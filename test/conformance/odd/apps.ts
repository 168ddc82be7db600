import { type AppDraft, type Draft, HOUR, MINUTE, meta, type NodeDraft, owner, SECOND, time } from './draft.ts';
import { requestOf, selects, toleratesAll } from './matching.ts';
import type { Container, DaemonSet, Pod, PodSpec } from './shapes.ts';

const CPU = [50, 100, 100, 200, 250, 250, 400, 500, 500, 750, 1000, 1500];
const MEMORY = [64, 128, 256, 256, 512, 512, 1024, 1024, 2048, 3072];
const OWNERS = [
  { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  { apiVersion: 'apps/v1', kind: 'ReplicaSet' },
  { apiVersion: 'apps/v1', kind: 'StatefulSet' },
  { apiVersion: 'batch/v1', kind: 'Job' },
];

export function container(cpu: number, memoryMi: number, name = 'main'): Container {
  return {
    name,
    image: 'registry.example/app:1',
    resources: { requests: { cpu: `${cpu}m`, memory: `${memoryMi}Mi` } },
  };
}

export function addApp(d: Draft, name = `app-${String(d.apps.length + 1).padStart(2, '0')}`): AppDraft {
  const r = d.random;
  const app: AppDraft = {
    name,
    namespace: r.chance(0.8) ? 'default' : r.pick(d.namespaces).name,
    labels: { app: name, tier: r.pick(['front', 'back', 'batch']), version: r.pick(['v1', 'v2']) },
    annotations: {},
    spec: { containers: [container(r.pick(CPU), r.pick(MEMORY))] },
    owner: r.chance(0.95) ? r.pick(OWNERS) : undefined,
    replicas: r.int(1, 6),
    bornTogether: r.chance(0.3),
    mixedVersions: r.chance(0.2),
    admits: [],
    onPod: [],
  };
  d.apps.push(app);
  return app;
}

export function makeApps(d: Draft): void {
  const count = Math.max(3, Math.round(d.nodeCount * (0.5 + 0.5 * d.random.next())));
  for (let i = 0; i < count; i++) addApp(d);
}

export function makeDaemons(d: Draft): void {
  const r = d.random;
  const count = r.int(0, 2);
  for (let i = 0; i < count; i++) {
    addDaemon(d, `agent-${i}`, {
      containers: [container(r.pick([25, 50, 100]), r.pick([32, 64, 128]))],
      tolerations: [{ operator: 'Exists' }],
    });
  }
}

export function addDaemon(d: Draft, name: string, spec: PodSpec): DaemonSet {
  const set: DaemonSet = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: meta(d, name, d.nowMs - 1400 * HOUR, 'kube-system'),
    spec: { selector: { matchLabels: { ds: name } }, template: { metadata: { labels: { ds: name } }, spec } },
  };
  d.daemonSets.push(set);
  return set;
}

export function place(d: Draft): void {
  for (const set of d.daemonSets) placeDaemon(d, set);
  for (const app of d.random.shuffle(d.apps)) {
    for (let i = 0; i < app.replicas; i++) placeReplica(d, app);
  }
  for (const n of d.nodes) fillUp(d, n);
}

function placeDaemon(d: Draft, set: DaemonSet): void {
  for (const n of d.nodes) {
    // One daemon pod in ten has not come up yet: its room is still to be kept.
    if (!n.node || !admits(n, set.spec.template.spec) || d.random.chance(0.1)) continue;
    const pod = addPod(
      d,
      `${set.metadata.name}-${n.name}`,
      'kube-system',
      structuredClone(set.spec.template.spec),
      n,
      n.createdMs + MINUTE,
    );
    // Pods from before the DaemonSet controller did so lack it.
    if (d.random.chance(0.7)) pinToNode(pod);
    pod.metadata.labels = { ...set.spec.template.metadata.labels };
    pod.metadata.ownerReferences = [
      { apiVersion: 'apps/v1', kind: 'DaemonSet', name: set.metadata.name, uid: set.metadata.uid, controller: true },
    ];
  }
}

/** As the DaemonSet controller does: each required term also names the node. */
function pinToNode(pod: Pod): void {
  const affinity = pod.spec.affinity?.nodeAffinity;
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}];
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [pod.spec.nodeName ?? ''] }];
  const nodeSelectorTerms = terms.map((t) => ({ ...t, matchFields }));
  const nodeAffinity = { ...affinity, requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } };
  pod.spec.affinity = { ...pod.spec.affinity, nodeAffinity };
  const notReady = { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
  pod.spec.tolerations = [...(pod.spec.tolerations ?? []), notReady];
}

function admits(n: NodeDraft, spec: PodSpec): boolean {
  return selects(spec, n.node?.metadata.labels ?? {}) && toleratesAll(spec, n.node?.spec.taints ?? []);
}

function room(n: NodeDraft, spec: PodSpec, share: number): boolean {
  const need = requestOf(spec);
  return (
    n.cpu >= need.cpu && n.memoryMi >= need.memoryMi && n.pods >= 1 && n.fullCpu - n.cpu + need.cpu <= share * n.fullCpu
  );
}

function placeReplica(d: Draft, app: AppDraft): void {
  for (let attempt = 0; attempt < 20; attempt++) {
    const n = d.random.pick(d.nodes);
    if (!n.node || !admits(n, app.spec) || !room(n, app.spec, n.target)) continue;
    if (!app.admits.every((a) => a(n, d.pods)) && !d.random.chance(0.03)) continue;
    addReplica(d, app, n);
    return;
  }
}

/** Plain pods that bring a node to its target. */
function fillUp(d: Draft, n: NodeDraft): void {
  const r = d.random;
  if (!n.node || n.target < 0.6) return;
  for (let i = 0; i < 6; i++) {
    const left = n.target * n.fullCpu - (n.fullCpu - n.cpu);
    if (left < 20) return;
    // The last one takes what is left: a full node sends its neighbours' pods to new nodes.
    const cpu =
      i === 5 || left < 150 ? Math.floor(left) : Math.max(50, Math.floor((left * (0.3 + 0.7 * r.next())) / 50) * 50);
    const app = addApp(d, `fill-${n.name}-${i}`);
    app.spec.containers = [container(cpu, Math.max(32, Math.min(n.memoryMi - 64, r.pick([128, 256, 512, 1024]))))];
    app.spec.tolerations = (n.node.spec.taints ?? []).map((t) => ({ key: t.key, operator: 'Exists' }));
    if (room(n, app.spec, 1)) addReplica(d, app, n);
  }
}

export function addReplica(d: Draft, app: AppDraft, n: NodeDraft | undefined): Pod {
  const r = d.random;
  d.counter++;
  const earliest = n ? n.createdMs + 2 * MINUTE : d.nowMs - HOUR;
  const latest = d.nowMs - 10 * MINUTE;
  // Replicas of one rollout are born together: then the UID decides who is placed first.
  const created = app.bornTogether ? latest : earliest + Math.floor(r.next() * (latest - earliest));
  const pod = addPod(d, `${app.name}-${d.counter}`, app.namespace, structuredClone(app.spec), n, created);
  pod.metadata.labels = { ...app.labels };
  // In the middle of a rollout.
  if (app.mixedVersions) pod.metadata.labels.version = r.pick(['v1', 'v2']);
  if (Object.keys(app.annotations).length > 0) pod.metadata.annotations = { ...app.annotations };
  if (app.owner) pod.metadata.ownerReferences = [owner(app.owner, app.name)];
  for (const change of app.onPod) change(pod, n);
  return pod;
}

function addPod(
  d: Draft,
  name: string,
  namespace: string,
  spec: PodSpec,
  n: NodeDraft | undefined,
  createdMs: number,
): Pod {
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: meta(d, name, createdMs, namespace),
    spec,
    status: { phase: 'Pending', conditions: [] },
  };
  d.pods.push(pod);
  if (!n) {
    pod.status.conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }];
    return pod;
  }
  const need = requestOf(spec);
  n.cpu -= need.cpu;
  n.memoryMi -= need.memoryMi;
  n.pods -= 1;
  spec.nodeName = n.name;
  pod.status = {
    phase: 'Running',
    startTime: time(createdMs + 5 * SECOND),
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status: 'True' },
    ],
  };
  return pod;
}
