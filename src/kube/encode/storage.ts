import type { CsiNodeObject } from '../../engine/cluster/csi-node-object.ts';
import type {
  PersistentVolumeClaimObject,
  PersistentVolumeObject,
  StorageClassObject,
} from '../../engine/cluster/objects.ts';
import { nothingLeft, unlessNone, type Written, writeObject } from './metadata.ts';

export function writePersistentVolume(volume: PersistentVolumeObject, nowMs: number): Written {
  const { name, terminating, csiDriver, awsElasticBlockStore, nodeLocal, nodeTerms, ...rest } = volume;
  nothingLeft(rest);
  const spec = {
    csi: csiDriver === '' ? undefined : { driver: csiDriver },
    awsElasticBlockStore: awsElasticBlockStore ? {} : undefined,
    local: nodeLocal ? {} : undefined,
    nodeAffinity: nodeTerms === undefined ? undefined : { required: { nodeSelectorTerms: nodeTerms } },
  };
  return writeObject('v1', 'PersistentVolume', { name, deletedMs: terminating ? nowMs : undefined }, { spec });
}

export function writePersistentVolumeClaim(claim: PersistentVolumeClaimObject, nowMs: number): Written {
  const { namespace, name, terminating, phase, volumeName, storageClass, bindCompleted, accessModes, ...rest } = claim;
  nothingLeft(rest);
  const annotations = { 'pv.kubernetes.io/bind-completed': bindCompleted ? 'yes' : undefined };
  return writeObject(
    'v1',
    'PersistentVolumeClaim',
    { namespace, name, deletedMs: terminating ? nowMs : undefined, annotations },
    {
      spec: { volumeName: volumeName || undefined, storageClassName: storageClass || undefined, accessModes },
      status: { phase: phase || undefined },
    },
  );
}

export function writeStorageClass(storageClass: StorageClassObject): Written {
  const { name, provisioner, volumeBindingMode, allowedTopologies, ...rest } = storageClass;
  nothingLeft(rest);
  return writeObject(
    'storage.k8s.io/v1',
    'StorageClass',
    { name },
    {
      provisioner,
      volumeBindingMode: volumeBindingMode || undefined,
      allowedTopologies: unlessNone(allowedTopologies.map((expressions) => ({ matchLabelExpressions: expressions }))),
    },
  );
}

export function writeCsiNode({ name, limits, uncounted = [], ...rest }: CsiNodeObject): Written {
  nothingLeft(rest);
  const drivers = [
    ...Object.entries(limits).map(([driver, count]) => ({ name: driver, allocatable: { count } })),
    ...uncounted.map(({ driver, allocatable }) => ({ name: driver, allocatable: allocatable ? {} : undefined })),
  ];
  return writeObject('storage.k8s.io/v1', 'CSINode', { name }, { spec: { drivers } });
}
