import type { ClusterObjects, PodObject } from './objects.ts';

/**
 * An object that cannot be decoded. It is set aside, and decisions stay conservative about everything it could contain.
 */
export interface UndecodableObject {
  readonly kind: string;
  /** '' for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  /** The node of a pod or claim, or the node itself; '' if there is none. */
  readonly nodeName: string;
  /** Which field, and what is wrong with it. */
  readonly problem: string;
}

/** "Pod default/web-1" */
export function objectName({ kind, namespace, name }: Pick<UndecodableObject, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** Kinds of objects that are or run on a node: that node is neither a candidate nor a destination. */
const OF_NODES: ReadonlySet<string> = new Set(['Pod', 'Node', 'NodeClaim', 'CSINode']);

/** Undecodable objects by the name of the node that they exclude. */
export function undecodableByNode(objects: readonly UndecodableObject[]): ReadonlyMap<string, UndecodableObject[]> {
  return Map.groupBy(
    objects.filter(({ kind, nodeName }) => nodeName !== '' && OF_NODES.has(kind)),
    ({ nodeName }) => nodeName,
  );
}

/** The DaemonSets among them: their requests on new nodes are unknown, so that none may be launched. */
export function undecodableDaemonSets(objects: readonly UndecodableObject[]): readonly UndecodableObject[] {
  return objects.filter(({ kind }) => kind === 'DaemonSet');
}

type Storage = Pick<ClusterObjects, 'undecodable' | 'persistentVolumeClaims'>;

/** Returns the undecodable PersistentVolumeClaim, PersistentVolume or StorageClass that keeps a pod on its node. */
export function undecodableStorage(objects: Storage): (pod: PodObject) => UndecodableObject | undefined {
  const bad = new Map(objects.undecodable.map((each) => [objectName(each), each]));
  const ofKind = (kind: string, name: string, namespace = '') => bad.get(objectName({ kind, namespace, name }));
  const blocked = new Map<string, UndecodableObject>();
  for (const each of objects.undecodable)
    if (each.kind === 'PersistentVolumeClaim') blocked.set(`${each.namespace}/${each.name}`, each);
  if (objects.undecodable.length > 0) {
    for (const { namespace, name, volumeName, storageClass } of objects.persistentVolumeClaims) {
      // A bound claim no longer depends on its class.
      const found = volumeName === '' ? ofKind('StorageClass', storageClass) : ofKind('PersistentVolume', volumeName);
      if (found !== undefined) blocked.set(`${namespace}/${name}`, found);
    }
  }
  if (blocked.size === 0) return () => undefined;
  return ({ namespace, volumeClaims }) => {
    for (const name of volumeClaims) {
      const found = blocked.get(`${namespace}/${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
