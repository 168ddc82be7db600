import { getOrInsert } from './get-or-insert.ts';
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
  /** The nodes of a ConsolidationCommand; undefined: they cannot be read either. */
  readonly nodeNames?: readonly string[];
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
  const byNode = new Map<string, UndecodableObject[]>();
  for (const object of objects) {
    const { kind, nodeName, nodeNames = [] } = object;
    for (const name of new Set(nodeName !== '' && OF_NODES.has(kind) ? [nodeName] : nodeNames)) {
      getOrInsert(byNode, name, () => []).push(object);
    }
  }
  return byNode;
}

/**
 * Those that may concern any node: a ConsolidationCommand whose nodes cannot be read, and what a CapacityBuffer is or is
 * made of, because its pods may be meant for the free capacity of every node.
 */
export function undecodableEverywhere({ undecodable, capacityBuffers, options }: ClusterObjects): UndecodableObject[] {
  if (undecodable.length === 0) return [];
  const templates = new Set(
    capacityBuffers.map(({ namespace, podTemplate, scalable }) =>
      podTemplate === undefined
        ? objectName({ kind: scalable?.kind ?? '', namespace, name: scalable?.name ?? '' })
        : objectName({ kind: 'PodTemplate', namespace, name: podTemplate }),
    ),
  );
  const buffersCount = options.capacityBuffers !== false;
  return undecodable.filter((object) => {
    if (object.kind === 'ConsolidationCommand') return object.nodeNames === undefined;
    return buffersCount && (object.kind === 'CapacityBuffer' || templates.has(objectName(object)));
  });
}

/** The DaemonSets among them: their requests on new nodes are unknown, so that none may be launched. */
export function undecodableDaemonSets(objects: readonly UndecodableObject[]): readonly UndecodableObject[] {
  return objects.filter(({ kind }) => kind === 'DaemonSet');
}

type Reasons = Pick<ClusterObjects, 'undecodable' | 'persistentVolumeClaims'>;

/**
 * Returns the undecodable object that keeps a pod on its node: a PersistentVolumeClaim, PersistentVolume or StorageClass of
 * its volumes, or a Namespace: what namespaceSelectors select is unknown to the pods in it and to pods that have such terms.
 */
export function undecodableOfPods(objects: Reasons): (pod: PodObject) => UndecodableObject | undefined {
  if (objects.undecodable.length === 0) return () => undefined;
  const storage = undecodableStorage(objects);
  const namespaces = objects.undecodable.filter(({ kind }) => kind === 'Namespace');
  return (pod) =>
    storage(pod) ??
    namespaces.find(({ name }) => name === pod.namespace) ??
    (namespaces.length > 0 && selectsNamespaces(pod) ? namespaces[0] : undefined);
}

function selectsNamespaces({ constraints: c }: PodObject): boolean {
  const preferred = [...c.preferredAffinity, ...c.preferredAntiAffinity].map(({ term }) => term);
  return [...c.requiredAffinity, ...c.requiredAntiAffinity, ...preferred].some(
    (t) => t.namespaceSelector !== undefined,
  );
}

function undecodableStorage(objects: Reasons): (pod: PodObject) => UndecodableObject | undefined {
  const bad = new Map(objects.undecodable.map((each) => [objectName(each), each]));
  const ofKind = (kind: string, name: string, namespace = '') => bad.get(objectName({ kind, namespace, name }));
  const blocked = new Map<string, UndecodableObject>();
  for (const each of objects.undecodable)
    if (each.kind === 'PersistentVolumeClaim') blocked.set(`${each.namespace}/${each.name}`, each);
  for (const { namespace, name, volumeName, storageClass } of objects.persistentVolumeClaims) {
    // A bound claim no longer depends on its class.
    const found = volumeName === '' ? ofKind('StorageClass', storageClass) : ofKind('PersistentVolume', volumeName);
    if (found !== undefined) blocked.set(`${namespace}/${name}`, found);
  }
  return ({ namespace, volumeClaims }) => {
    for (const name of volumeClaims) {
      const found = blocked.get(`${namespace}/${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}
