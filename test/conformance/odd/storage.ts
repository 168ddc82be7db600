import { type Draft, HOUR, meta, type NodeDraft } from './draft.ts';
import { HOSTNAME, ZONE } from './names.ts';
import type { Json, JsonObject, NodeTerm, Pod } from './shapes.ts';

export const EBS = 'ebs.csi.aws.com';

/** What stands, or does not stand, behind a pod's volume. */
export type VolumeKind =
  | 'bound'
  | 'shared'
  | 'two-terms'
  | 'in-tree'
  | 'local'
  | 'no-affinity'
  | 'unbound'
  | 'instant'
  | 'zonal'
  | 'one-term'
  | 'no-class'
  | 'missing-class'
  | 'missing-claim'
  | 'missing-volume'
  | 'ephemeral'
  | 'empty-dir'
  | 'lost'
  | 'going';

/** The StorageClass of claims that have no volume yet. */
const UNBOUND: Partial<Record<VolumeKind, string>> = {
  unbound: 'waiting',
  instant: 'instant',
  zonal: 'zonal',
  'one-term': 'one-term',
  'missing-class': 'no-such-class',
  'no-class': '',
  ephemeral: 'waiting',
};

export function storageClass(d: Draft, name: string, provisioner: string, mode: string, topologies?: Json[]): void {
  const metadata = { ...meta(d, name, d.nowMs - 1500 * HOUR) };
  const o: JsonObject = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata, provisioner };
  o.volumeBindingMode = mode;
  if (topologies) o.allowedTopologies = topologies;
  d.others.push(o);
}

export function claimSpec(storageClassName: string | undefined, volumeName?: string): JsonObject {
  const spec: JsonObject = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '20Gi' } } };
  if (storageClassName !== undefined) spec.storageClassName = storageClassName;
  if (volumeName !== undefined) spec.volumeName = volumeName;
  return spec;
}

/** Writes the claim and the volume behind it, unless they are there already. */
export function backVolume(d: Draft, kind: VolumeKind, pod: Pod, claim: string, node: NodeDraft | undefined): void {
  const namespace = pod.metadata.namespace ?? 'default';
  if (hasClaim(d, namespace, claim)) return;
  const waiting = UNBOUND[kind];
  if (waiting !== undefined) {
    // "No class" is written as '' or left out.
    addClaim(d, namespace, claim, claimSpec(waiting === '' && d.random.chance(0.5) ? undefined : waiting), 'Pending');
    return;
  }
  const pv = `pv-${namespace}-${claim}`;
  const metadata = addClaim(d, namespace, claim, claimSpec('waiting', pv), kind === 'lost' ? 'Lost' : 'Bound');
  if (kind === 'going')
    Object.assign(metadata, {
      deletionTimestamp: '2026-08-20T11:00:00Z',
      finalizers: ['kubernetes.io/pvc-protection'],
    });
  // Karpenter's state cannot take in a running pod whose claim names a volume that is not there.
  if (kind !== 'missing-volume' || node) addVolume(d, kind, pv, claim, node);
}

function addVolume(d: Draft, kind: VolumeKind, name: string, handle: string, node: NodeDraft | undefined): void {
  const spec: JsonObject = {
    storageClassName: 'waiting',
    capacity: { storage: '20Gi' },
    accessModes: ['ReadWriteOnce'],
  };
  if (kind === 'in-tree') spec.awsElasticBlockStore = { volumeID: handle };
  else if (kind === 'local') spec.local = { path: '/mnt/disk' };
  else spec.csi = { driver: EBS, volumeHandle: handle };
  // Now and then a volume lies in another zone than its pod's node: two of them may contradict.
  const zone = node && d.random.chance(0.9) ? node.zone : d.random.pick(d.zones);
  const terms = volumeTerms(d, kind, zone, node);
  if (terms) spec.nodeAffinity = { required: { nodeSelectorTerms: terms as Json } };
  const metadata = { ...meta(d, name, d.nowMs - 500 * HOUR) };
  d.others.push({ apiVersion: 'v1', kind: 'PersistentVolume', metadata, spec });
}

function volumeTerms(d: Draft, kind: VolumeKind, zone: string, node: NodeDraft | undefined): NodeTerm[] | undefined {
  const inZone = (z: string, key = ZONE): NodeTerm => ({ matchExpressions: [{ key, operator: 'In', values: [z] }] });
  if (kind === 'no-affinity') return undefined;
  if (kind === 'two-terms') return [inZone(d.random.pick(d.zones)), inZone(zone)];
  if (kind === 'in-tree') return [inZone(zone, 'failure-domain.beta.kubernetes.io/zone')];
  if (kind !== 'local') {
    const values = d.random.chance(0.1) ? [...new Set([zone, d.random.pick(d.zones)])] : [zone];
    return [{ matchExpressions: [{ key: ZONE, operator: 'In', values }] }];
  }
  const host = { key: HOSTNAME, operator: 'In', values: [node?.name ?? 'nowhere'] };
  const alone = d.random.chance(0.5);
  return [{ matchExpressions: alone ? [host] : [host, { key: ZONE, operator: 'In', values: [zone] }] }];
}

function hasClaim(d: Draft, namespace: string, name: string): boolean {
  return d.others.some((o) => {
    const m = o.metadata as JsonObject;
    return o.kind === 'PersistentVolumeClaim' && m.name === name && m.namespace === namespace;
  });
}

function addClaim(d: Draft, namespace: string, name: string, spec: JsonObject, phase: string): JsonObject {
  const metadata: JsonObject = { ...meta(d, name, d.nowMs - 500 * HOUR, namespace) };
  if (spec.volumeName !== undefined && d.random.chance(0.9))
    metadata.annotations = { 'pv.kubernetes.io/bind-completed': 'yes' };
  d.others.push({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec, status: { phase } });
  return metadata;
}
