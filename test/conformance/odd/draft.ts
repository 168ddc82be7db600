import { Random } from './random.ts';
import type {
  DaemonSet,
  JsonObject,
  Labels,
  Meta,
  Node,
  NodeClaim,
  NodePool,
  Owner,
  Pod,
  PodSpec,
  Quantities,
  Requirement,
} from './shapes.ts';

export interface OfferingDraft {
  zone: string;
  capacityType: string;
  price: number;
  available: boolean;
  /** Of a reserved offering. */
  reservation?: string;
  slots?: number;
}

export interface TypeDraft {
  name: string;
  arch: string;
  os: string[];
  cpu: number;
  memoryMi: number;
  pods: number;
  extra: Quantities;
  allocatable?: Quantities;
  requirements?: Requirement[];
  volumeLimits?: Record<string, number>;
  offerings: OfferingDraft[];
}

export interface PoolDraft {
  object: NodePool;
  types: TypeDraft[];
  capacityTypes: string[];
  zones: string[];
}

export interface NodeDraft {
  name: string;
  pool?: PoolDraft;
  type: TypeDraft;
  zone: string;
  capacityType: string;
  /** Share of cpu that placement aims at. */
  target: number;
  createdMs: number;
  /** What is left: millicores, MiB, pods. */
  cpu: number;
  memoryMi: number;
  pods: number;
  fullCpu: number;
  node?: Node;
  claim?: NodeClaim;
}

export interface AppDraft {
  name: string;
  namespace: string;
  labels: Labels;
  annotations: Labels;
  spec: PodSpec;
  owner: { apiVersion: string; kind: string } | undefined;
  replicas: number;
  bornTogether: boolean;
  mixedVersions: boolean;
  /** Beyond node selector, required node affinity, taints and room. */
  admits: ((node: NodeDraft, pods: readonly Pod[]) => boolean)[];
  /** Called for each pod before it is written; node is undefined for pending pods. */
  onPod: ((pod: Pod, node: NodeDraft | undefined) => void)[];
}

/** A cluster being made up. Themes change it stage by stage; write.ts turns it into a snapshot. */
export interface Draft {
  readonly seed: number;
  readonly random: Random;
  readonly nowMs: number;
  themes: string[];
  options: { featureGates?: string; preferencePolicy?: string; minValuesPolicy?: string; schedulerConfig?: JsonObject };
  nodeCount: number;
  /** loose: room everywhere; tight: little room, so that replacements are found; mixed. */
  fill: 'loose' | 'mixed' | 'tight';
  zones: string[];
  families: number;
  /** Of how many types drawn a node gets the most expensive. */
  draws: number;
  types: TypeDraft[];
  pools: PoolDraft[];
  nodes: NodeDraft[];
  daemonSets: DaemonSet[];
  apps: AppDraft[];
  pods: Pod[];
  namespaces: { name: string; labels: Labels }[];
  others: JsonObject[];
  /** Host names differ from node names. */
  hostNames: boolean;
  betaLabels: boolean;
  /** Nodes carry the label that Karpenter makes of the node class. */
  classLabels: boolean;
  /** Write offerings as {zone, capacityType} instead of Requirements. */
  shortOfferings: boolean;
  counter: number;
}

export const NOW_MS = Date.UTC(2026, 7, 20, 12, 0, 0);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export function newDraft(seed: number): Draft {
  return {
    seed,
    random: new Random(seed),
    nowMs: NOW_MS,
    themes: [],
    options: {},
    nodeCount: 0,
    fill: 'mixed',
    zones: [],
    families: 0,
    draws: 2,
    types: [],
    pools: [],
    nodes: [],
    daemonSets: [],
    apps: [],
    pods: [],
    namespaces: [],
    others: [],
    hostNames: false,
    betaLabels: false,
    classLabels: false,
    shortOfferings: false,
    counter: 0,
  };
}

export function time(ms: number): string {
  return new Date(Math.floor(ms / SECOND) * SECOND).toISOString().replace('.000Z', 'Z');
}

export function uid(d: Draft): string {
  const hex = (digits: number) =>
    Math.floor(d.random.next() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return `${hex(8)}-0000-4000-8000-${hex(12)}`;
}

export function meta(d: Draft, name: string, createdMs: number, namespace?: string, labels: Labels = {}): Meta {
  const m: Meta = { name, uid: uid(d), creationTimestamp: time(createdMs), labels: { ...labels } };
  if (namespace !== undefined) m.namespace = namespace;
  return m;
}

export function owner(kind: { apiVersion: string; kind: string }, name: string): Owner {
  return { ...kind, name, uid: `owner-${kind.kind.toLowerCase()}-${name}`, controller: true };
}

export function addGate(d: Draft, gate: string): void {
  d.options.featureGates = d.options.featureGates === undefined ? gate : `${d.options.featureGates},${gate}`;
}
