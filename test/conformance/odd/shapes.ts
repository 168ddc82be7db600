/** The Kubernetes objects that the generator writes, as far as it touches them. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json | undefined;
}
export type Labels = { [key: string]: string };

export type Requirement = {
  key: string;
  operator: string;
  values?: string[];
  minValues?: number;
};
export type NodeTerm = { matchExpressions?: Requirement[]; matchFields?: Requirement[] };
export type Selector = { matchLabels?: Labels; matchExpressions?: Requirement[] };
export type PodTerm = {
  topologyKey: string;
  labelSelector?: Selector;
  namespaces?: string[];
  namespaceSelector?: Selector;
};
export type Affinity = {
  nodeAffinity?: {
    requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms: NodeTerm[] };
    preferredDuringSchedulingIgnoredDuringExecution?: { weight: number; preference: NodeTerm }[];
  };
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAffinity;
};
export type PodAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution?: PodTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: { weight: number; podAffinityTerm: PodTerm }[];
};
export type Spread = {
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: string;
  labelSelector?: Selector;
  minDomains?: number;
  nodeAffinityPolicy?: string;
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
};
export type Taint = { key: string; value?: string; effect: string };
export type Toleration = {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
};
export type Quantities = { [resource: string]: string };
export type Port = { containerPort: number; hostPort?: number; hostIP?: string; protocol?: string };
export type Container = {
  name: string;
  image: string;
  restartPolicy?: string;
  ports?: Port[];
  resources: { requests?: Quantities; limits?: Quantities; claims?: { name: string }[] };
};
export type Volume = { name: string } & JsonObject;
export type PodSpec = {
  containers: Container[];
  initContainers?: Container[];
  nodeName?: string;
  nodeSelector?: Labels;
  affinity?: Affinity;
  tolerations?: Toleration[];
  topologySpreadConstraints?: Spread[];
  volumes?: Volume[];
  priority?: number;
  overhead?: Quantities;
  resources?: { requests?: Quantities; limits?: Quantities };
  resourceClaims?: { name: string; resourceClaimName: string }[];
};
export type Owner = { apiVersion: string; kind: string; name: string; uid: string; controller?: boolean };
export type Meta = {
  name: string;
  namespace?: string;
  uid: string;
  creationTimestamp: string;
  labels: Labels;
  annotations?: Labels;
  ownerReferences?: Owner[];
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  finalizers?: string[];
};
export type Condition = {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
};
export type Pod = {
  apiVersion: 'v1';
  kind: 'Pod';
  metadata: Meta;
  spec: PodSpec;
  status: { phase: string; startTime?: string; nominatedNodeName?: string; conditions: Condition[] } & JsonObject;
};
export type Node = {
  apiVersion: 'v1';
  kind: 'Node';
  metadata: Meta;
  spec: { providerID?: string; taints?: Taint[]; unschedulable?: boolean };
  status: { capacity: Quantities; allocatable: Quantities; conditions: Condition[] };
};
export type NodeClaim = {
  apiVersion: 'karpenter.sh/v1';
  kind: 'NodeClaim';
  metadata: Meta;
  spec: {
    requirements: Requirement[];
    nodeClassRef: Labels;
    expireAfter?: string;
    terminationGracePeriod?: string;
    taints?: Taint[];
    startupTaints?: Taint[];
    resources: { requests?: Quantities };
  };
  status: {
    nodeName?: string;
    providerID: string;
    capacity: Quantities;
    allocatable: Quantities;
    conditions: Condition[];
    lastPodEventTime?: string;
  };
};
export type Budget = { nodes: string; reasons?: string[]; schedule?: string; duration?: string };
export type NodePool = {
  apiVersion: 'karpenter.sh/v1';
  kind: 'NodePool';
  metadata: Meta;
  spec: {
    weight?: number;
    replicas?: number;
    limits?: Quantities;
    template: {
      metadata: { labels?: Labels; annotations?: Labels };
      spec: {
        requirements: Requirement[];
        nodeClassRef: Labels;
        expireAfter?: string;
        taints?: Taint[];
        startupTaints?: Taint[];
      };
    };
    disruption: { consolidateAfter: string; consolidationPolicy: string; budgets?: Budget[] };
  };
  status: { conditions: Condition[] };
};
export type DaemonSet = {
  apiVersion: 'apps/v1';
  kind: 'DaemonSet';
  metadata: Meta;
  spec: { selector: Selector; template: { metadata: { labels: Labels; annotations?: Labels }; spec: PodSpec } };
};
