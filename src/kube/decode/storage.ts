import type { CsiNodeObject } from '../../engine/cluster/csi-node-object.ts';
import type {
  PersistentVolumeClaimObject,
  PersistentVolumeObject,
  StorageClassObject,
} from '../../engine/cluster/objects.ts';
import { fields, type Row, shared, text as textLeaf, whole } from '../read/json-shape.ts';
import { count, isAbsent, object, objects, requiredText, text, texts } from './field-value.ts';
import { FIRST, isTerminating, nameOf, namespaceOf, objectShape } from './metadata.ts';
import { decodeNodeTerms } from './selector.ts';

const CSI_DRIVER = FIRST;
const AWS_VOLUME = FIRST + 1;
const LOCAL = FIRST + 2;
const HOST_PATH = FIRST + 3;
const NODE_AFFINITY = FIRST + 4;

export const PERSISTENT_VOLUME = objectShape({
  top: {
    spec: fields({
      csi: fields({ driver: shared(CSI_DRIVER) }),
      awsElasticBlockStore: whole(AWS_VOLUME),
      local: whole(LOCAL),
      hostPath: whole(HOST_PATH),
      nodeAffinity: fields({ required: shared(NODE_AFFINITY) }),
    }),
  },
});

export function decodePersistentVolume(row: Row): PersistentVolumeObject {
  return {
    name: nameOf(row),
    terminating: isTerminating(row),
    csiDriver: text(row[CSI_DRIVER], 'spec.csi.driver'),
    awsElasticBlockStore: !isAbsent(row[AWS_VOLUME]),
    nodeLocal: !isAbsent(row[LOCAL]) || !isAbsent(row[HOST_PATH]),
    nodeTerms: decodeNodeTerms(row[NODE_AFFINITY], 'spec.nodeAffinity.required'),
  };
}

const VOLUME_NAME = FIRST;
const CLASS_NAME = FIRST + 1;
const PHASE = FIRST + 2;
const BIND_COMPLETED = FIRST + 3;
const ACCESS_MODES = FIRST + 4;

export const PERSISTENT_VOLUME_CLAIM = objectShape({
  annotations: { 'pv.kubernetes.io/bind-completed': shared(BIND_COMPLETED) },
  top: {
    spec: fields({
      volumeName: textLeaf(VOLUME_NAME),
      storageClassName: shared(CLASS_NAME),
      accessModes: shared(ACCESS_MODES),
    }),
    status: fields({ phase: shared(PHASE) }),
  },
});

export function decodePersistentVolumeClaim(row: Row): PersistentVolumeClaimObject {
  return {
    namespace: namespaceOf(row),
    name: nameOf(row),
    terminating: isTerminating(row),
    phase: text(row[PHASE], 'status.phase'),
    volumeName: text(row[VOLUME_NAME], 'spec.volumeName'),
    storageClass: text(row[CLASS_NAME], 'spec.storageClassName'),
    bindCompleted: row[BIND_COMPLETED] !== undefined,
    ...(isAbsent(row[ACCESS_MODES]) ? {} : { accessModes: texts(row[ACCESS_MODES], 'spec.accessModes') }),
  };
}

const PROVISIONER = FIRST;
const BINDING_MODE = FIRST + 1;
const ALLOWED_TOPOLOGIES = FIRST + 2;

export const STORAGE_CLASS = objectShape({
  top: {
    provisioner: shared(PROVISIONER),
    volumeBindingMode: shared(BINDING_MODE),
    allowedTopologies: whole(ALLOWED_TOPOLOGIES),
  },
});

export function decodeStorageClass(row: Row): StorageClassObject {
  return {
    name: nameOf(row),
    provisioner: text(row[PROVISIONER], 'provisioner'),
    volumeBindingMode: text(row[BINDING_MODE], 'volumeBindingMode'),
    allowedTopologies: objects(row[ALLOWED_TOPOLOGIES], 'allowedTopologies', (term, path) =>
      objects(term.matchLabelExpressions, `${path}.matchLabelExpressions`, (expression, at) => ({
        key: requiredText(expression.key, `${at}.key`),
        values: texts(expression.values, `${at}.values`),
      })),
    ),
  };
}

const DRIVERS = FIRST;

export const CSI_NODE = objectShape({ top: { spec: fields({ drivers: whole(DRIVERS) }) } });

export function decodeCsiNode(row: Row): CsiNodeObject {
  const limits = new Map<string, number>();
  const uncounted: { driver: string; allocatable: boolean }[] = [];
  objects(row[DRIVERS], 'spec.drivers', (raw, path) => {
    const allocatable = object(raw.allocatable, `${path}.allocatable`);
    const limit = count(allocatable?.count, `${path}.allocatable.count`);
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
