import type { NodeObject, PodObject } from '../../engine/cluster/objects.ts';
import { fields, type Row, whole } from '../read/json-shape.ts';
import { type JsonObject, list, object, text } from './field-value.ts';
import { nameOf, objectShape } from './metadata.ts';

export const RESOURCE_CLAIM = objectShape({
  top: { spec: whole(), status: fields({ reservedFor: whole(), allocation: whole() }) },
});
export const RESOURCE_SLICE = objectShape({ top: { spec: whole() } });
export const DEVICE_CLASS = objectShape({ top: { spec: whole() } });

/** Devices of one class, as a resource of pods and nodes. */
const PREFIX = 'resource.k8s.io/';

/** Devices that a claim asks for, by class. */
interface Demand {
  readonly counts: ReadonlyMap<string, number>;
  /** The one request with alternatives, whose smallest number is in `counts`. */
  readonly choice?: Choice;
}

interface Choice {
  readonly className: string;
  readonly amounts: readonly number[];
  /** Devices that it has now. */
  readonly allocated: number;
}

/**
 * Devices of dynamic resource allocation, as far as they are like a counted resource: claims for a number of devices of
 * one class, or the first available of several numbers, each claim of one pod, and devices that belong to one node. A
 * pod with any other claim stays one that cannot be placed, and devices that are more than that do not count.
 */
export class DynamicResources {
  /** By uid of the pod: what each of its claims asks for; undefined for one that cannot be counted. */
  private readonly claimsOfPod = new Map<string, (Demand | undefined)[]>();
  /** By node and driver. */
  private readonly devices = new Map<string, Map<string, number>>();
  /** The only driver of a class, or undefined: any. */
  private readonly driverOfClass = new Map<string, string | undefined>();

  addClaim(row: Row): void {
    const users = list(row.reservedFor, 'status.reservedFor').map((user) => text((user as JsonObject)?.uid, 'uid'));
    const demand = users.length === 1 ? demandOf(object(row.spec, 'spec') ?? {}, allocatedIn(row)) : undefined;
    for (const uid of users) this.claimsOfPod.set(uid, [...(this.claimsOfPod.get(uid) ?? []), demand]);
  }

  addSlice(row: Row): void {
    const spec = object(row.spec, 'spec') ?? {};
    const node = text(spec.nodeName, 'spec.nodeName');
    const driver = text(spec.driver, 'spec.driver');
    const plain = list(spec.devices, 'spec.devices').filter((device) => isPlain(device as JsonObject));
    if (node === '' || spec.sharedCounters !== undefined) return;
    const ofNode = this.devices.get(node) ?? new Map<string, number>();
    ofNode.set(driver, (ofNode.get(driver) ?? 0) + plain.length);
    this.devices.set(node, ofNode);
  }

  addClass(row: Row): void {
    const selectors = list(object(row.spec, 'spec')?.selectors, 'spec.selectors');
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
    /** By node: devices that pods with a choice have beyond the smallest number. */
    const chosen = new Map<string, Map<string, number>>();
    const counted = pods.map((pod) => {
      const demand = pod.constraints.resourceClaims ? this.demandOf(pod.uid, claims.get(pod.uid), classes) : undefined;
      if (demand === undefined) return pod;
      const requests: Record<string, number> = { ...pod.requests };
      for (const [name, n] of demand.counts) requests[PREFIX + name] = n;
      const { choice } = demand;
      if (choice === undefined) return { ...pod, requests, constraints: { ...pod.constraints, resourceClaims: false } };
      const ofNode = chosen.get(pod.nodeName) ?? new Map<string, number>();
      const beyond = choice.allocated - Math.min(...choice.amounts);
      chosen.set(pod.nodeName, ofNode.set(choice.className, (ofNode.get(choice.className) ?? 0) + beyond));
      const total = demand.counts.get(choice.className) ?? 0;
      const others = total - Math.min(...choice.amounts);
      const firstAvailable = { resource: PREFIX + choice.className, amounts: choice.amounts.map((n) => n + others) };
      return { ...pod, requests, constraints: { ...pod.constraints, resourceClaims: false, firstAvailable } };
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
      for (const [name, n] of chosen.get(node.name) ?? []) allocatable[PREFIX + name] -= n;
      return { ...node, allocatable };
    });
    return { pods: counted, nodes: equipped };
  }

  /** What a pod with this many claims asks for in all; undefined if that cannot be counted. */
  private demandOf(uid: string, claims: number | undefined, classes: ReadonlySet<string>): Demand | undefined {
    const own = this.claimsOfPod.get(uid) ?? [];
    if (own.length === 0 || own.length !== claims) return undefined;
    const counts = new Map<string, number>();
    let choice: Choice | undefined;
    for (const demand of own) {
      if (demand === undefined || (choice !== undefined && demand.choice !== undefined)) return undefined;
      choice ??= demand.choice;
      for (const [name, n] of demand.counts) {
        if (!classes.has(name)) return undefined;
        counts.set(name, (counts.get(name) ?? 0) + n);
      }
    }
    return choice === undefined ? { counts } : { counts, choice };
  }

  /** Classes whose devices belong to no other class that is asked for. */
  private separateClasses(): ReadonlySet<string> {
    const used = new Set([...this.claimsOfPod.values()].flat().flatMap((demand) => [...(demand?.counts.keys() ?? [])]));
    const known = [...used].filter((name) => this.driverOfClass.has(name));
    const overlap = (a: string, b: string) => {
      const [one, other] = [this.driverOfClass.get(a), this.driverOfClass.get(b)];
      return one === undefined || other === undefined || one === other;
    };
    return new Set(known.filter((name) => known.every((other) => other === name || !overlap(name, other))));
  }
}

/** Undefined if the claim asks for more than numbers. `allocated`: the request of each of its devices. */
function demandOf(spec: JsonObject, allocated: readonly string[]): Demand | undefined {
  const { requests, constraints } = (object(spec.devices, 'spec.devices') ?? {}) as JsonObject;
  if (list(constraints, 'spec.devices.constraints').length > 0) return undefined;
  const counts = new Map<string, number>();
  let choice: Choice | undefined;
  for (const each of list(requests, 'spec.devices.requests')) {
    const { name, exactly, firstAvailable } = each as JsonObject;
    const options = exactly === undefined ? list(firstAvailable, 'firstAvailable') : [exactly];
    const plain = options.map((option) => plainCount(option as JsonObject));
    const [first] = plain;
    if (first === undefined || !plain.every((p) => p?.className === first.className)) return undefined;
    const amounts = plain.map((p) => p?.count ?? 0);
    const { className } = first;
    counts.set(className, (counts.get(className) ?? 0) + Math.min(...amounts));
    if (exactly !== undefined) continue;
    if (choice !== undefined) return undefined;
    const request = text(name, 'name');
    const results = allocated.filter((of) => of === request || of.startsWith(`${request}/`)).length;
    choice = { className, amounts, allocated: results === 0 ? Math.max(...amounts) : results };
  }
  return choice === undefined ? { counts } : { counts, choice };
}

function plainCount({ name: _, ...request }: JsonObject): { className: string; count: number } | undefined {
  const { deviceClassName: className, allocationMode = 'ExactCount', count = 1, ...more } = request;
  const isPlain = allocationMode === 'ExactCount' && typeof count === 'number' && Object.keys(more).length === 0;
  return isPlain && typeof className === 'string' ? { className, count } : undefined;
}

function allocatedIn(row: Row): readonly string[] {
  const devices = object(object(row.allocation, 'status.allocation')?.devices, 'status.allocation.devices');
  const results = list(devices?.results, 'status.allocation.devices.results');
  return results.map((result) => text((result as JsonObject)?.request, 'request'));
}

/** A device that one claim takes as a whole, on its own node. */
function isPlain(device: JsonObject): boolean {
  const { name: _1, attributes: _2, capacity: _3, ...more } = device;
  return Object.keys(more).length === 0;
}
