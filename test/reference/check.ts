import type { ClusterObjects, PodObject } from '../../src/engine/cluster/objects.ts';
import { daemonsFor, total } from './daemons.ts';
import { exceededLimits } from './limits.ts';
import { problemsOfNewNode } from './new-node-rules.ts';
import { portClashes, quarrelsWithNode, shortages } from './node-rules.ts';
import type { NewNode, Result } from './outcome.ts';
import { type Located, placeOfHost, placeOfNewNode } from './places.ts';
import { brokenAntiAffinity } from './pod-affinity.ts';
import { problemsInEveryOrder } from './replay.ts';
import { overAttached } from './storage.ts';
import { podsToBePlaced } from './to-be-placed.ts';
import { type Host, hostsOf, isOf } from './world.ts';

/**
 * Everything that is wrong with an outcome, from the point of view of the Kubernetes documentation: slow, and with no idea
 * of how the engine works. Empty for a sound outcome.
 */
export function problemsOf(objects: ClusterObjects, result: Result): string[] {
  const hosts = hostsOf(objects);
  const wanted = podsToBePlaced(objects, hosts, result.removed);
  return problemsOfStep(objects, { hosts, launched: [], gone: new Set() }, wanted, result);
}

/** What earlier steps have made of a cluster. */
export interface World {
  /** With the pods that are on them now. */
  readonly hosts: readonly Host[];
  /** Nodes launched by earlier steps, whatever they became. */
  readonly launched: readonly NewNode[];
  /** Hosts that earlier steps removed; what did not move with the others is still there. */
  readonly gone: ReadonlySet<string>;
}

/** As `problemsOf`, one step of several: `wanted` are the pods that it has to place. */
export function problemsOfStep(
  objects: ClusterObjects,
  world: World,
  wanted: readonly PodObject[],
  result: Result,
): string[] {
  const { hosts, launched, gone } = world;
  const survivors = hosts.filter((h) => !h.deleting && !gone.has(h.name) && !result.removed.has(h.name));
  const problems = [...lostPods(wanted, result), ...exceededLimits(objects, survivors, result.newNodes, launched)];
  for (const host of hosts) problems.push(...problemsOfHost(objects, host, survivors.includes(host), wanted, result));
  for (const node of [...result.newNodes, ...joined(launched, result)])
    problems.push(...problemsOfNewNode(objects, node));
  return [...problems, ...topologyProblems(objects, world, survivors, wanted, result)];
}

/** Nodes of earlier steps that take pods of this one in, with all that is on them then. */
function joined(launched: readonly NewNode[], { onLaunched }: Result): NewNode[] {
  return launched.flatMap((node) => {
    const arriving = onLaunched.filter((p) => p.node === node.name).map((p) => p.pod);
    return arriving.length === 0 ? [] : [{ ...node, pods: [...node.pods, ...arriving] }];
  });
}

function lostPods(wanted: readonly PodObject[], result: Result): string[] {
  const seen = new Map<PodObject, number>();
  const { onExisting, onLaunched, newNodes, unplaced } = result;
  const all = [...[...onExisting, ...onLaunched].map((p) => p.pod), ...newNodes.flatMap((n) => n.pods), ...unplaced];
  for (const pod of all) seen.set(pod, (seen.get(pod) ?? 0) + 1);
  return [
    ...wanted.filter((pod) => seen.get(pod) !== 1).map((pod) => `${pod.name} is placed ${seen.get(pod) ?? 0} times`),
    ...[...seen.keys()].filter((pod) => !wanted.includes(pod)).map((pod) => `${pod.name} is placed and need not be`),
  ];
}

function problemsOfHost(
  objects: ClusterObjects,
  host: Host,
  survives: boolean,
  wanted: readonly PodObject[],
  result: Result,
): string[] {
  const arriving = result.onExisting.filter((p) => p.node === host.name).map((p) => p.pod);
  if (arriving.length === 0) return [];
  if (!survives) return [`${host.name} is gone, yet takes ${arriving[0].name}`];
  const staying = host.pods.filter((p) => !wanted.includes(p));
  const all = [...staying, ...arriving];
  const problems = [
    ...arriving.flatMap((pod) =>
      quarrelsWithNode(objects, pod, host.labels, host.taints).map((p) => `${pod.name} ${p}`),
    ),
    ...shortages(withExpectedDaemons(objects, host, all), host.allocatable, total(arriving)),
    ...portClashes([staying.flatMap((p) => p.constraints.hostPorts), ...arriving.map((p) => p.constraints.hostPorts)]),
    ...(host.isNode ? overAttached(objects, host.name, all) : []),
  ];
  return problems.map((p) => `${host.name}: ${p}`);
}

/** What the pods ask for, and what DaemonSets that belong on the node will ask for beyond their pods that run there. */
function withExpectedDaemons(objects: ClusterObjects, host: Host, pods: readonly PodObject[]): Record<string, number> {
  const asked = total(pods);
  const running = total(pods.filter((p) => isOf(p, 'DaemonSet')));
  for (const [name, amount] of Object.entries(total(daemonsFor(objects, host.labels, host.taints)))) {
    asked[name] = (asked[name] ?? 0) + Math.max(0, amount - (running[name] ?? 0));
  }
  return asked;
}

function topologyProblems(
  objects: ClusterObjects,
  { hosts, launched }: World,
  survivors: readonly Host[],
  wanted: readonly PodObject[],
  result: Result,
): string[] {
  const placeOf = new Map(hosts.map((h) => [h.name, placeOfHost(h)]));
  // Pods that stay behind on a node that goes (DaemonSets, terminating ones) count until they are gone.
  const runningOnHosts: Located[] = hosts
    .flatMap((h) => h.pods.map((pod) => ({ pod, place: placeOf.get(h.name)!, moved: false })))
    .filter(({ pod }) => !wanted.includes(pod));
  const running = [...runningOnHosts, ...launched.flatMap((node) => locatedOn(node, false))];
  const onExisting: Located[] = result.onExisting.map(({ pod, node }) => ({
    pod,
    place: placeOf.get(node)!,
    moved: true,
  }));
  const onLaunched = launched.flatMap((node) => {
    const pods = result.onLaunched.filter((p) => p.node === node.name).map((p) => p.pod);
    return locatedOn({ ...node, pods }, true);
  });
  const onNew = result.newNodes.map((node) => locatedOn(node, true));
  return [
    ...brokenAntiAffinity(objects, [...running, ...onExisting, ...onLaunched, ...onNew.flat()]),
    ...problemsInEveryOrder(objects, survivors, running, [[...onExisting, ...onLaunched], ...onNew]),
  ];
}

function locatedOn(node: NewNode, moved: boolean): Located[] {
  const place = placeOfNewNode(node);
  return node.pods.map((pod) => ({ pod, place, moved }));
}
