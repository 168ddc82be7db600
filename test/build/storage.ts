import type { CsiNodeObject } from '../../src/engine/cluster/csi-node-object.ts';
import type {
  PersistentVolumeClaimObject,
  PersistentVolumeObject,
  StorageClassObject,
} from '../../src/engine/cluster/objects.ts';
import { ZONE } from '../../src/engine/cluster/well-known.ts';
import { is, nodeWith } from './constraints.ts';

export const DISK_DRIVER = 'disk.csi.example.com';

export function volume(name: string, sketch: Partial<PersistentVolumeObject> = {}): PersistentVolumeObject {
  return { terminating: false, csiDriver: DISK_DRIVER, awsElasticBlockStore: false, nodeLocal: false, ...sketch, name };
}

export function zonalVolume(name: string, ...zones: readonly string[]): PersistentVolumeObject {
  return volume(name, { nodeTerms: zones.map((zone) => nodeWith(is(ZONE, 'In', zone))) });
}

/** A claim that is bound to the volume of the same name, unless the sketch says otherwise. */
export function volumeClaim(
  name: string,
  sketch: Partial<PersistentVolumeClaimObject> = {},
): PersistentVolumeClaimObject {
  return {
    namespace: 'default',
    terminating: false,
    phase: 'Bound',
    volumeName: name,
    storageClass: 'disk',
    bindCompleted: true,
    ...sketch,
    name,
  };
}

/** A claim that waits for its first pod to be placed. */
export function unboundClaim(name: string, storageClass: string): PersistentVolumeClaimObject {
  return volumeClaim(name, { phase: 'Pending', volumeName: '', bindCompleted: false, storageClass });
}

export function storageClass(name: string, sketch: Partial<StorageClassObject> = {}): StorageClassObject {
  return {
    provisioner: DISK_DRIVER,
    volumeBindingMode: 'WaitForFirstConsumer',
    allowedTopologies: [],
    ...sketch,
    name,
  };
}

export function csiNode(name: string, disks: number): CsiNodeObject {
  return { name, limits: { [DISK_DRIVER]: disks } };
}
