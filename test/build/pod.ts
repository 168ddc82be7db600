import type { DaemonSetObject, Owner, PodConstraints, PodObject, Resources } from '../../src/engine/cluster/objects.ts';
import { constrained } from './constraints.ts';
import { GIB, HOUR_MS, NOW_MS } from './units.ts';

type OwnerKind = 'ReplicaSet' | 'StatefulSet' | 'DaemonSet' | 'Job' | 'Node';

/** What a test wants to say about a pod; everything else is as ordinary as can be. */
export interface PodSketch extends Partial<PodConstraints>, Partial<Omit<PodObject, 'constraints' | 'requests'>> {
  /** The node that it runs on. */
  readonly on?: string;
  readonly cpu?: number;
  readonly memory?: number;
  /** Resources beyond cpu and memory. */
  readonly extra?: Resources;
  readonly ownedBy?: OwnerKind;
  /** The owner's name; the kind in lower case if absent. */
  readonly owner?: string;
}

export function pod(name: string, sketch: PodSketch = {}): PodObject {
  const { on = '', cpu = 500, memory = GIB, extra = {}, ownedBy = 'ReplicaSet', owner, ...rest } = sketch;
  return {
    namespace: 'default',
    uid: `uid-${name}`,
    createdMs: NOW_MS - HOUR_MS,
    startedMs: NOW_MS - HOUR_MS,
    terminating: false,
    labels: {},
    nodeName: on,
    nominatedNodeName: '',
    phase: 'Running',
    unschedulable: false,
    ready: 'True',
    volumeClaims: [],
    ...fieldsOfPod(rest),
    name,
    owners: [ownerOf(ownedBy, owner ?? ownedBy.toLowerCase())],
    requests: { cpu, memory, ...extra },
    constraints: constrained(constraintsIn(rest)),
  };
}

/** A pod that the scheduler has seen and found no node for. */
export function pendingPod(name: string, sketch: PodSketch = {}): PodObject {
  return pod(name, { phase: 'Pending', unschedulable: true, ready: '', startedMs: undefined, ...sketch, on: '' });
}

export function daemonSet(name: string, sketch: PodSketch = {}): DaemonSetObject {
  const { namespace, labels, requests, constraints } = pod(name, sketch);
  return { namespace, name, uid: ownerUid('DaemonSet', name), labels, requests, constraints };
}

/** The pod of a DaemonSet on one node. */
export function daemonPod(set: DaemonSetObject, on: string, sketch: PodSketch = {}): PodObject {
  const own = pod(`${set.name}-${on}`, {
    ...sketch,
    on,
    namespace: set.namespace,
    ownedBy: 'DaemonSet',
    owner: set.name,
  });
  return { ...own, requests: set.requests, constraints: set.constraints, labels: set.labels };
}

function ownerOf(kind: OwnerKind, name: string): Owner {
  const apiVersion = kind === 'Node' ? 'v1' : kind === 'Job' ? 'batch/v1' : 'apps/v1';
  return { apiVersion, kind, name, uid: ownerUid(kind, name), controller: true };
}

function ownerUid(kind: string, name: string): string {
  return `uid-${kind}-${name}`;
}

const CONSTRAINT_FIELDS = new Set<string>([
  'nodeSelector',
  'requiredNodeTerms',
  'preferredNodeTerms',
  'requiredAffinity',
  'preferredAffinity',
  'requiredAntiAffinity',
  'preferredAntiAffinity',
  'tolerations',
  'topologySpread',
  'hostPorts',
  'resourceClaims',
  'firstAvailable',
] satisfies (keyof PodConstraints)[]);

function constraintsIn(sketch: object): Partial<PodConstraints> {
  return Object.fromEntries(
    Object.entries(sketch).filter(([field, v]) => CONSTRAINT_FIELDS.has(field) && v !== undefined),
  );
}

function fieldsOfPod(sketch: object): Partial<PodObject> {
  return Object.fromEntries(Object.entries(sketch).filter(([field]) => !CONSTRAINT_FIELDS.has(field)));
}
