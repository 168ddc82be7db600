import type { ClusterObjects, PodObject } from './objects.ts';

/**
 * An object that cannot be decoded. It is set aside, and decisions stay on the safe side of whatever it says.
 */
export interface UndecodableObject {
  readonly kind: string;
  /** '' for kinds without namespaces. */
  readonly namespace: string;
  readonly name: string;
  /** The node that it runs on or stands for; '' if there is none. */
  readonly nodeName: string;
  /** Which field, and what is wrong with it. */
  readonly problem: string;
}

/** "Pod default/web-1" */
export function objectName({ kind, namespace, name }: Pick<UndecodableObject, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

/** Kinds whose objects stand for a node or run on one: that node is neither a candidate nor a destination. */
const OF_NODES: ReadonlySet<string> = new Set(['Pod', 'Node', 'NodeClaim', 'CSINode']);

/** Undecodable objects by the name of the node that they keep out of all decisions. */
export function undecodableByNode(objects: readonly UndecodableObject[]): ReadonlyMap<string, UndecodableObject[]> {
  return Map.groupBy(
    objects.filter(({ kind, nodeName }) => nodeName !== '' && OF_NODES.has(kind)),
    ({ nodeName }) => nodeName,
  );
}

/** The DaemonSets among them: what they would take of a new node is unknown, so that none may be launched. */
export function undecodableDaemonSets(objects: readonly UndecodableObject[]): readonly UndecodableObject[] {
  return objects.filter(({ kind }) => kind === 'DaemonSet');
}

type Storage = Pick<ClusterObjects, 'undecodable' | 'persistentVolumeClaims'>;

/** Answers which undecodable PersistentVolumeClaim, PersistentVolume or StorageClass keeps a pod where it is. */
export function undecodableStorage(objects: Storage): (pod: PodObject) => UndecodableObject | undefined {
  const bad = new Map(objects.undecodable.map((each) => [objectName(each), each]));
  const ofKind = (kind: string, name: string, namespace = '') => bad.get(objectName({ kind, namespace, name }));
  const blocked = new Map<string, UndecodableObject>();
  for (const each of objects.undecodable)
    if (each.kind === 'PersistentVolumeClaim') blocked.set(`${each.namespace}/${each.name}`, each);
  if (objects.undecodable.length > 0) {
    for (const { namespace, name, volumeName, storageClass } of objects.persistentVolumeClaims) {
      // A claim that is bound does not ask its class any more.
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
