import { addReplica } from '../apps.ts';
import { type AppDraft, type Draft, meta } from '../draft.ts';
import { ZONE } from '../names.ts';
import type { Json, JsonObject } from '../shapes.ts';
import { backVolume, claimSpec, EBS, storageClass, type VolumeKind } from '../storage.ts';
import type { Theme } from '../theme.ts';
import { pending } from './pods.ts';

const KINDS: readonly VolumeKind[] = [
  ...Array<VolumeKind>(5).fill('bound'),
  ...([
    'shared',
    'two-terms',
    'two-terms',
    'in-tree',
    'local',
    'no-affinity',
    'unbound',
    'instant',
    'zonal',
    'zonal',
  ] as const),
  ...([
    'one-term',
    'no-class',
    'missing-class',
    'missing-claim',
    'missing-volume',
    'ephemeral',
    'empty-dir',
    'lost',
    'going',
  ] as const),
];

/** Volumes that hold pods in a zone, limits on how many a node attaches, and broken references. */
export const volumes: Theme = {
  catalog(d) {
    const r = d.random;
    for (const t of d.types) if (r.chance(0.4)) t.volumeLimits = { [EBS]: r.pick([1, 2, 3, 25]) };
    const inZones = (...values: string[]) => ({ matchLabelExpressions: [{ key: ZONE, values }] });
    storageClass(d, 'waiting', EBS, 'WaitForFirstConsumer');
    storageClass(d, 'instant', 'kubernetes.io/aws-ebs', 'Immediate');
    storageClass(
      d,
      'zonal',
      EBS,
      'WaitForFirstConsumer',
      r.some(d.zones, 1, 2).map((z) => inZones(z)),
    );
    storageClass(d, 'one-term', 'kubernetes.io/aws-ebs', 'WaitForFirstConsumer', [inZones(...r.some(d.zones, 2))]);
  },
  nodes(d) {
    for (const n of d.nodes) {
      if (!d.random.chance(0.6)) continue;
      const count = d.random.pick([1, 2, 3, 25]);
      const limit = d.random.pick<JsonObject>([{ count }, { count }, { count }, {}]);
      const counted = { name: EBS, nodeID: n.name, topologyKeys: [ZONE] };
      const drivers: Json[] = [d.random.chance(0.9) ? { ...counted, allocatable: limit } : counted];
      if (d.random.chance(0.2)) drivers.push({ name: 'other.csi.example', nodeID: n.name, topologyKeys: null });
      const metadata = { ...meta(d, n.name, n.createdMs) };
      d.others.push({ apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata, spec: { drivers } });
    }
  },
  apps(d) {
    for (const app of d.apps) {
      if (!d.random.chance(0.5)) continue;
      const count = d.random.pick([1, 1, 2, 3]);
      for (let i = 0; i < count; i++) mount(d, app, i);
      if (!d.random.chance(0.3)) continue;
      app.spec.topologySpreadConstraints = [
        {
          maxSkew: 1,
          topologyKey: ZONE,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: app.name } },
        },
      ];
    }
  },
  placed(d) {
    const mounting = d.apps.filter((app) => app.onPod.length > 0);
    const count = mounting.length > 0 ? d.random.int(0, 4) : 0;
    for (let i = 0; i < count; i++) addReplica(d, d.random.pick(mounting), undefined);
    if (d.random.chance(0.5)) pending(d);
  },
};

function mount(d: Draft, app: AppDraft, i: number): void {
  const kind = d.random.pick(KINDS);
  app.onPod.push((pod, node) => {
    const volume = `data-${i}`;
    const claim = kind === 'shared' ? `shared-${app.name}-${i}` : `${pod.metadata.name}-${volume}`;
    pod.spec.volumes ??= [];
    if (kind === 'empty-dir') pod.spec.volumes.push({ name: volume, emptyDir: {} });
    else if (kind === 'ephemeral')
      pod.spec.volumes.push({ name: volume, ephemeral: { volumeClaimTemplate: { spec: claimSpec('waiting') } } });
    else pod.spec.volumes.push({ name: volume, persistentVolumeClaim: { claimName: claim } });
    if (kind !== 'empty-dir' && kind !== 'missing-claim') backVolume(d, kind, pod, claim, node);
  });
}
