import type { NodeObject, PodObject } from '../../engine/cluster/objects.ts';
import { fields, type Row, whole } from '../read/json-shape.ts';
import { type JsonObject, list, object, text } from './field-value.ts';
import { FIRST, nameOf, objectShape } from './metadata.ts';

const SPEC = FIRST;
const RESERVED_FOR = FIRST + 1;

export const RESOURCE_CLAIM = objectShape({
  top: { spec: whole(SPEC), status: fields({ reservedFor: whole(RESERVED_FOR) }) },
});
export const RESOURCE_SLICE = objectShape({ top: { spec: whole(SPEC) } });
export const DEVICE_CLASS = objectShape({ top: { spec: whole(SPEC) } });

/** Devices of one class, as a resource of pods and nodes. */
const PREFIX = 'resource.k8s.io/';

/**
 * Devices of dynamic resource allocation, as far as they are like a counted resource: claims for a number of devices of
 * one class, each claim of one pod, and devices that belong to one node. A pod with any other claim stays one that
 * cannot be placed, and devices that are more than that do not count.
 */
export class DynamicResources {
  /** By uid of the pod: classes and numbers of each of its claims; undefined for one that cannot be counted. */
  private readonly claimsOfPod = new Map<string, (ReadonlyMap<string, number> | undefined)[]>();
  /** By node and driver. */
  private readonly devices = new Map<string, Map<string, number>>();
  /** The only driver of a class, or undefined: any. */
  private readonly driverOfClass = new Map<string, string | undefined>();

  addClaim(row: Row): void {
    const users = list(row[RESERVED_FOR], 'status.reservedFor').map((user) => text((user as JsonObject)?.uid, 'uid'));
    const counts = users.length === 1 ? countsIn(object(row[SPEC], 'spec') ?? {}) : undefined;
    for (const uid of users) this.claimsOfPod.set(uid, [...(this.claimsOfPod.get(uid) ?? []), counts]);
  }

  addSlice(row: Row): void {
    const spec = object(row[SPEC], 'spec') ?? {};
    const node = text(spec.nodeName, 'spec.nodeName');
    const driver = text(spec.driver, 'spec.driver');
    const plain = list(spec.devices, 'spec.devices').filter((device) => isPlain(device as JsonObject));
    if (node === '' || spec.sharedCounters !== undefined) return;
    const ofNode = this.devices.get(node) ?? new Map<string, number>();
    ofNode.set(driver, (ofNode.get(driver) ?? 0) + plain.length);
    this.devices.set(node, ofNode);
  }

  addClass(row: Row): void {
    const selectors = list(object(row[SPEC], 'spec')?.selectors, 'spec.selectors');
    if (selectors.length === 0) this.driverOfClass.set(nameOf(row), undefined);
    const [only] = selectors.map((selector) => object((selector as JsonObject)?.cel, 'cel')?.expression);
    const driver = /^\s*device\.driver\s*==\s*["']([^"']+)["']\s*$/.exec(String(only))?.[1];
    if (selectors.length === 1 && driver !== undefined) this.driverOfClass.set(nameOf(row), driver);
  }

  /** Pods whose claims can all be counted ask for devices; their nodes have them. `claims`: how many the pod names. */
  applied(
    pods: readonly PodObject[],
    nodes: readonly NodeObject[],
    claims: ReadonlyMap<string, number>,
  ): { readonly pods: readonly PodObject[]; readonly nodes: readonly NodeObject[] } {
    const classes = this.separateClasses();
    const counted = pods.map((pod) => {
      const own = this.claimsOfPod.get(pod.uid) ?? [];
      if (!pod.constraints.resourceClaims || own.length === 0 || own.length !== claims.get(pod.uid)) return pod;
      const requests: Record<string, number> = { ...pod.requests };
      for (const counts of own) {
        if (counts === undefined) return pod;
        for (const [name, n] of counts) {
          if (!classes.has(name)) return pod;
          requests[PREFIX + name] = (requests[PREFIX + name] ?? 0) + n;
        }
      }
      return { ...pod, requests, constraints: { ...pod.constraints, resourceClaims: false } };
    });
    const equipped = nodes.map((node) => {
      const ofNode = this.devices.get(node.name);
      if (ofNode === undefined) return node;
      const allocatable: Record<string, number> = { ...node.allocatable };
      for (const name of classes) {
        const driver = this.driverOfClass.get(name);
        for (const [own, n] of ofNode)
          if (driver === undefined || driver === own)
            allocatable[PREFIX + name] = (allocatable[PREFIX + name] ?? 0) + n;
      }
      return { ...node, allocatable };
    });
    return { pods: counted, nodes: equipped };
  }

  /** Classes whose devices belong to no other class that is asked for. */
  private separateClasses(): ReadonlySet<string> {
    const used = new Set([...this.claimsOfPod.values()].flat().flatMap((counts) => [...(counts?.keys() ?? [])]));
    const known = [...used].filter((name) => this.driverOfClass.has(name));
    const overlap = (a: string, b: string) => {
      const [one, other] = [this.driverOfClass.get(a), this.driverOfClass.get(b)];
      return one === undefined || other === undefined || one === other;
    };
    return new Set(known.filter((name) => known.every((other) => other === name || !overlap(name, other))));
  }
}

/** Devices of each class that a claim asks for; undefined if it asks for more than numbers. */
function countsIn(spec: JsonObject): ReadonlyMap<string, number> | undefined {
  const { requests, constraints } = (object(spec.devices, 'spec.devices') ?? {}) as JsonObject;
  if (list(constraints, 'spec.devices.constraints').length > 0) return undefined;
  const counts = new Map<string, number>();
  for (const request of list(requests, 'spec.devices.requests')) {
    const exactly = object((request as JsonObject)?.exactly, 'exactly');
    if (exactly === undefined) return undefined;
    const { deviceClassName, allocationMode = 'ExactCount', count = 1, ...more } = exactly;
    const isPlainCount = allocationMode === 'ExactCount' && typeof count === 'number' && Object.keys(more).length === 0;
    if (!isPlainCount || typeof deviceClassName !== 'string') return undefined;
    counts.set(deviceClassName, (counts.get(deviceClassName) ?? 0) + count);
  }
  return counts;
}

/** A device that one claim takes as a whole, on its own node. */
function isPlain(device: JsonObject): boolean {
  const { name: _1, attributes: _2, capacity: _3, ...more } = device;
  return Object.keys(more).length === 0;
}
