import type {
  InstanceType,
  Labels,
  NodeClaimObject,
  NodeObject,
  Resources,
  Taint,
} from '../../src/engine/cluster/objects.ts';
import {
  ARCH,
  CAPACITY_TYPE,
  HOSTNAME,
  INITIALIZED,
  INSTANCE_TYPE,
  NODE_POOL,
  ON_DEMAND,
  OS,
  REGISTERED,
  ZONE,
} from '../../src/engine/cluster/well-known.ts';
import { MEDIUM } from './instance-type.ts';
import { HOUR_MS, NOW_MS } from './units.ts';

/** A Node and the NodeClaim that it came from; either may be missing. */
export interface Machine {
  readonly node?: NodeObject;
  readonly claim?: NodeClaimObject;
}

export interface MachineSketch {
  readonly pool?: string;
  readonly type?: InstanceType;
  readonly zone?: string;
  readonly capacityType?: string;
  readonly labels?: Labels;
  /** Labels that it should have by its kind but has not. */
  readonly without?: readonly string[];
  readonly taints?: readonly Taint[];
  readonly startupTaints?: readonly Taint[];
  /** Instead of the type's. */
  readonly allocatable?: Resources;
  /**
   * ready: up and running. starting: registered, not initialized. launched: a NodeClaim whose Node has not
   * come yet. unmanaged: a Node without NodeClaim.
   */
  readonly state?: 'ready' | 'starting' | 'launched' | 'unmanaged';
  readonly deleting?: boolean;
  readonly doNotDisrupt?: string;
  readonly lastPodEventMs?: number;
}

export function machine(name: string, sketch: MachineSketch = {}): Machine {
  const { state = 'ready' } = sketch;
  const node = state === 'launched' ? undefined : nodeOf(name, sketch);
  const claim = state === 'unmanaged' ? undefined : claimOf(name, sketch);
  return { node, claim };
}

function nodeOf(name: string, sketch: MachineSketch): NodeObject {
  const { type = MEDIUM, state = 'ready', taints = [], startupTaints = [], deleting = false } = sketch;
  const allocatable = sketch.allocatable ?? type.allocatable;
  const initialized: Labels =
    state === 'ready' ? { [REGISTERED]: 'true', [INITIALIZED]: 'true' } : { [REGISTERED]: 'true' };
  const labels: Labels = { ...labelsOf(sketch), [HOSTNAME]: name, ...(state === 'unmanaged' ? {} : initialized) };
  return {
    name,
    labels: withoutKeys(labels, sketch.without ?? []),
    createdMs: NOW_MS - 2 * HOUR_MS,
    terminating: deleting,
    providerId: state === 'unmanaged' ? '' : providerId(name),
    taints: state === 'starting' ? [...taints, ...startupTaints] : taints,
    capacity: allocatable,
    allocatable,
    ready: 'True',
    doNotDisrupt: sketch.doNotDisrupt,
  };
}

function claimOf(name: string, sketch: MachineSketch): NodeClaimObject {
  const { type = MEDIUM, state = 'ready', taints = [], startupTaints = [], deleting = false } = sketch;
  const allocatable = sketch.allocatable ?? type.allocatable;
  const reached = state === 'ready' ? ['Launched', 'Registered', 'Initialized', 'Consolidatable'] : ['Launched'];
  return {
    name: state === 'launched' ? name : `claim-${name}`,
    uid: `uid-claim-${name}`,
    labels: withoutKeys(labelsOf(sketch), sketch.without ?? []),
    createdMs: NOW_MS - 2 * HOUR_MS,
    terminating: deleting,
    taints,
    startupTaints,
    providerId: providerId(name),
    nodeName: state === 'launched' ? '' : name,
    capacity: allocatable,
    allocatable,
    conditions: reached.map((kind) => ({ type: kind, status: 'True', changedMs: NOW_MS - 2 * HOUR_MS })),
    lastPodEventMs: sketch.lastPodEventMs,
  };
}

function labelsOf(sketch: MachineSketch): Labels {
  const { pool = 'default', type = MEDIUM, zone = 'zone-a', capacityType = ON_DEMAND, labels = {}, state } = sketch;
  const single = type.requirements.filter((r) => r.operator === 'In' && r.values?.length === 1);
  const fromType = Object.fromEntries(single.map((r) => [r.key, r.values?.[0] ?? '']));
  const managed: Labels = state === 'unmanaged' ? {} : { [NODE_POOL]: pool };
  return {
    [ARCH]: 'amd64',
    [OS]: 'linux',
    ...fromType,
    [INSTANCE_TYPE]: type.name,
    [ZONE]: zone,
    [CAPACITY_TYPE]: capacityType,
    ...managed,
    ...labels,
  };
}

function withoutKeys(labels: Labels, keys: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !keys.includes(key)));
}

function providerId(name: string): string {
  return `provider:///${name}`;
}
