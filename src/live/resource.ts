import { COMMAND_RESOURCE } from '../config/command-object.ts';
import { API_VERSIONS } from '../config/policy-object.ts';

/** A kind of objects and its API path. */
export interface Resource {
  readonly kind: string;
  /** '' is the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

const [DECANT_GROUP, DECANT_VERSION] = API_VERSIONS.ConsolidationPolicy.split('/');

/** All kinds that decisions depend on. */
export const RESOURCES = {
  // Required kinds first: if one is missing, the rest need not be listed.
  NodePool: karpenter('NodePool', 'nodepools'),
  NodeClaim: karpenter('NodeClaim', 'nodeclaims'),
  Node: core('Node', 'nodes'),
  Pod: core('Pod', 'pods'),
  PodDisruptionBudget: resource('PodDisruptionBudget', 'policy', 'poddisruptionbudgets'),
  DaemonSet: resource('DaemonSet', 'apps', 'daemonsets'),
  Deployment: resource('Deployment', 'apps', 'deployments'),
  ReplicaSet: resource('ReplicaSet', 'apps', 'replicasets'),
  StatefulSet: resource('StatefulSet', 'apps', 'statefulsets'),
  ReplicationController: core('ReplicationController', 'replicationcontrollers'),
  Job: resource('Job', 'batch', 'jobs'),
  PriorityClass: resource('PriorityClass', 'scheduling.k8s.io', 'priorityclasses'),
  PersistentVolume: core('PersistentVolume', 'persistentvolumes'),
  PersistentVolumeClaim: core('PersistentVolumeClaim', 'persistentvolumeclaims'),
  StorageClass: resource('StorageClass', 'storage.k8s.io', 'storageclasses'),
  CSINode: resource('CSINode', 'storage.k8s.io', 'csinodes'),
  Namespace: core('Namespace', 'namespaces'),
  Service: core('Service', 'services'),
  PodTemplate: core('PodTemplate', 'podtemplates'),
  NodeOverlay: resource('NodeOverlay', 'karpenter.sh', 'nodeoverlays', 'v1alpha1'),
  CapacityBuffer: resource('CapacityBuffer', 'autoscaling.x-k8s.io', 'capacitybuffers', 'v1beta1'),
} as const;

/** Read for rollouts only. */
export const AUTOSCALER_RESOURCE: Resource = resource(
  'HorizontalPodAutoscaler',
  'autoscaling',
  'horizontalpodautoscalers',
  'v2',
);

export const POLICY_RESOURCE: Resource = {
  kind: 'ConsolidationPolicy',
  group: DECANT_GROUP,
  version: DECANT_VERSION,
  plural: 'consolidationpolicies',
};

export const JOURNAL_RESOURCE: Resource = COMMAND_RESOURCE;

function core(kind: string, plural: string): Resource {
  return { kind, group: '', version: 'v1', plural };
}

function karpenter(kind: 'NodePool' | 'NodeClaim', plural: string): Resource {
  return resource(kind, 'karpenter.sh', plural);
}

function resource(kind: string, group: string, plural: string, version = 'v1'): Resource {
  return { kind, group, version, plural };
}

export function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

/** For all objects of the kind, or one cluster-scoped object. */
export function pathOf(resource: Resource, name?: string, namespace?: string): string {
  const base = resource.group === '' ? '/api' : '/apis';
  const within = namespace === undefined ? '' : `namespaces/${encodeURIComponent(namespace)}/`;
  const collection = `${base}/${apiVersionOf(resource)}/${within}${resource.plural}`;
  return name === undefined ? collection : `${collection}/${encodeURIComponent(name)}`;
}
