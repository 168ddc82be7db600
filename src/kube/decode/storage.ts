import type { CsiNodeObject } from '../../engine/cluster/csi-node-object.ts';
import type {
  PersistentVolumeClaimObject,
  PersistentVolumeObject,
  StorageClassObject,
} from '../../engine/cluster/objects.ts';
import { fields, type Row, shared, text as textLeaf, whole } from '../read/json-shape.ts';
import { isAbsent, nonNegative, object, objects, requiredText, text, texts } from './field-value.ts';
import { isTerminating, nameOf, namespaceOf, objectShape } from './metadata.ts';
import { decodeNodeTerms } from './selector.ts';

export const PERSISTENT_VOLUME = objectShape({
  top: {
    spec: fields({
      csi: fields({ driver: shared() }),
      awsElasticBlockStore: whole(),
      local: whole(),
      hostPath: whole(),
      nodeAffinity: fields({ required: shared() }),
    }),
  },
});

export function decodePersistentVolume(row: Row): PersistentVolumeObject {
  return {
    name: nameOf(row),
    terminating: isTerminating(row),
    csiDriver: text(row.driver, 'spec.csi.driver'),
    awsElasticBlockStore: !isAbsent(row.awsElasticBlockStore),
    nodeLocal: !isAbsent(row.local) || !isAbsent(row.hostPath),
    nodeTerms: decodeNodeTerms(row.required, 'spec.nodeAffinity.required'),
  };
}

export const PERSISTENT_VOLUME_CLAIM = objectShape({
  annotations: { 'pv.kubernetes.io/bind-completed': shared('bindCompleted') },
  top: {
    spec: fields({
      volumeName: textLeaf(),
      storageClassName: shared(),
      accessModes: shared(),
    }),
    status: fields({ phase: shared() }),
  },
});

export function decodePersistentVolumeClaim(row: Row): PersistentVolumeClaimObject {
  return {
    namespace: namespaceOf(row),
    name: nameOf(row),
    terminating: isTerminating(row),
    phase: text(row.phase, 'status.phase'),
    volumeName: text(row.volumeName, 'spec.volumeName'),
    storageClass: text(row.storageClassName, 'spec.storageClassName'),
    bindCompleted: row.bindCompleted !== undefined,
    ...(isAbsent(row.accessModes) ? {} : { accessModes: texts(row.accessModes, 'spec.accessModes') }),
  };
}

export const STORAGE_CLASS = objectShape({
  top: {
    provisioner: shared(),
    volumeBindingMode: shared(),
    allowedTopologies: whole(),
  },
});

export function decodeStorageClass(row: Row): StorageClassObject {
  return {
    name: nameOf(row),
    provisioner: text(row.provisioner, 'provisioner'),
    volumeBindingMode: text(row.volumeBindingMode, 'volumeBindingMode'),
    allowedTopologies: objects(row.allowedTopologies, 'allowedTopologies', (term, path) =>
      objects(term.matchLabelExpressions, `${path}.matchLabelExpressions`, (expression, at) => ({
        key: requiredText(expression.key, `${at}.key`),
        values: texts(expression.values, `${at}.values`),
      })),
    ),
  };
}

export const CSI_NODE = objectShape({ top: { spec: fields({ drivers: whole() }) } });

export function decodeCsiNode(row: Row): CsiNodeObject {
  const limits = new Map<string, number>();
  const uncounted: { driver: string; allocatable: boolean }[] = [];
  objects(row.drivers, 'spec.drivers', (raw, path) => {
    const allocatable = object(raw.allocatable, `${path}.allocatable`);
    const limit = nonNegative(allocatable?.count, `${path}.allocatable.count`);
    const driver = requiredText(raw.name, `${path}.name`);
    if (limit === undefined) uncounted.push({ driver, allocatable: allocatable !== undefined });
    else limits.set(driver, limit);
  });
  return {
    name: nameOf(row),
    limits: Object.fromEntries(limits),
    ...(uncounted.length === 0 ? {} : { uncounted }),
  };
}
