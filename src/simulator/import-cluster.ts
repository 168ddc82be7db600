import { capacityTypeOf } from '../engine/cluster/node-group.ts';
import { quoteOf } from '../engine/cluster/node-price.ts';
import type {
  InstanceType,
  NodeClaimObject,
  NodeObject,
  NodePoolObject,
  PodObject,
} from '../engine/cluster/objects.ts';
import { isTerminal } from '../engine/cluster/pods.ts';
import { conditionIsTrue } from '../engine/cluster/state-nodes.ts';
import {
  DISRUPTED_TAINT,
  INITIALIZED,
  INSTANCE_TYPE,
  NODE_POOL,
  REGISTERED,
  ZONE,
} from '../engine/cluster/well-known.ts';
import { isEphemeral, sameTaint } from '../engine/selection/taints.ts';
import type { NodeLifecycle } from './node-lifecycle.ts';
import { addTimes } from './resource-columns.ts';
import type { ImportedCluster } from './scenario.ts';
import { type ImportedNode, newNode, type SimNode } from './sim-node.ts';
import type { AppState, SimPod } from './sim-pod.ts';
import type { World } from './world.ts';

/** Creates the nodes and pods of an imported cluster in the simulation, with their objects as imported. */
export function importCluster(world: World, lifecycle: NodeLifecycle, { objects, appOfPod }: ImportedCluster): void {
  const claimOf = new Map(objects.nodeClaims.filter((c) => c.providerId !== '').map((c) => [c.providerId, c]));
  for (const node of objects.nodes) {
    const claim = node.providerId === '' ? undefined : claimOf.get(node.providerId);
    if (claim !== undefined) claimOf.delete(node.providerId);
    place(world, { node, claim });
  }
  for (const claim of objects.nodeClaims)
    if (claim.providerId === '' || claimOf.has(claim.providerId)) place(world, { node: undefined, claim });
  objects.pods.forEach((pod, i) => {
    const app = appOfPod[i];
    if (app === undefined) world.inactivePods.push(pod);
    else placePod(world, world.apps[app], pod);
  });
  world.importCompleted(objects);
  for (const node of world.nodes.values()) {
    for (const l of world.listeners) l.nodeImported?.(node);
    if (isTerminating(node.imported)) world.queue.after(0, () => world.deleteNode(node, 'by-hand'));
    else if (!node.registered) lifecycle.registerLater(node);
    else if (node.readyMs === undefined) lifecycle.initializeLater(node);
  }
  for (const pod of world.pods.values()) for (const l of world.listeners) l.podImported?.(pod);
}

function isTerminating(imported: ImportedNode | undefined): boolean {
  return (imported?.claim ?? imported?.node)?.terminating === true;
}

function place(world: World, imported: ImportedNode): void {
  const { node, claim } = imported;
  const source = (node ?? claim) as NodeObject | NodeClaimObject;
  const { labels } = source;
  const isManaged = claim !== undefined;
  const initialized = node !== undefined && (!isManaged || node.labels[INITIALIZED] === 'true');
  const pool = poolOf(world, imported);
  const allocatable = world.columns.amounts(node?.allocatable ?? claim?.allocatable ?? {});
  const startup = claim?.startupTaints ?? [];
  const lasting = (node ?? claim)?.taints.filter(
    (t) => !isEphemeral(t) && !sameTaint(t, DISRUPTED_TAINT) && !startup.some((s) => sameTaint(s, t)),
  );
  const zone = labels[ZONE] ?? '';
  const capacityType = capacityTypeOf(labels);
  const type = typeOf(world, labels[INSTANCE_TYPE] ?? '', source);
  const price = Math.max(0, quoteOf(type, labels)?.price ?? 0);
  const { name, createdMs } = source;
  const origin = { name, pool, type, zone, capacityType, labels, taints: lasting ?? [], createdMs, price, allocatable };
  const sim = newNode(origin, {
    imported,
    registered: node !== undefined && (!isManaged || node.labels[REGISTERED] === 'true'),
    readyMs: initialized ? initializedMs(imported) : undefined,
    lastPodEventMs: claim?.lastPodEventMs,
    tainted: node?.taints.some((t) => sameTaint(t, DISRUPTED_TAINT)) ?? false,
    steered: node?.steered ?? false,
    drifted: claim !== undefined && conditionIsTrue(claim, 'Drifted'),
    cachedClaim: claim,
    cachedNode: node,
  });
  sim.consolidatableMs = consolidatableMs(sim, world.nowMs);
  world.nodes.set(sim.name, sim);
  if (claim !== undefined && claim.name !== sim.name) world.nodeOfImportedClaim.set(claim.name, sim.name);
}

/** A claim that should be Consolidatable and is not becomes so 1 ms later: the first view is the imported one. */
function consolidatableMs({ pool, imported, readyMs, lastPodEventMs }: SimNode, nowMs: number): number {
  const after = pool.consolidateAfterMs;
  if (imported?.claim === undefined || readyMs === undefined || after === undefined) return Number.POSITIVE_INFINITY;
  const dueMs = (lastPodEventMs ?? readyMs) + after;
  return conditionIsTrue(imported.claim, 'Consolidatable') ? dueMs : Math.max(dueMs, nowMs + 1);
}

function initializedMs({ node, claim }: ImportedNode): number {
  return claim?.conditions.find((c) => c.type === 'Initialized')?.changedMs ?? claim?.createdMs ?? node?.createdMs ?? 0;
}

/** Its NodePool, or for nodes without one a placeholder that launches nothing. */
function poolOf({ scenario }: World, { node, claim }: ImportedNode): NodePoolObject {
  const name = claim === undefined ? undefined : (claim.labels[NODE_POOL] ?? node?.labels[NODE_POOL]);
  return (
    scenario.nodePools.find((p) => p.name === name) ?? {
      name: name ?? 'unmanaged',
      uid: '',
      labels: {},
      terminating: false,
      ready: false,
      weight: 0,
      limits: {},
      templateLabels: {},
      requirements: [],
      taints: [],
      startupTaints: [],
      nodeClass: { group: '', kind: '', name: '' },
      consolidationPolicy: 'WhenEmpty',
      budgets: [],
      disruption: {},
    }
  );
}

/** A type that the catalog does not have gets the node's own capacity and no price. */
function typeOf(
  { offerings }: World,
  name: string,
  { capacity, allocatable }: NodeObject | NodeClaimObject,
): InstanceType {
  return (
    offerings.types.find((t) => t.name === name) ?? { name, requirements: [], capacity, allocatable, offerings: [] }
  );
}

function placePod(world: World, state: AppState, object: PodObject): void {
  const node = world.nodes.get(object.nodeName);
  const ready = !object.terminating && object.ready === 'True';
  const pod: SimPod = {
    state,
    revision: state.revision,
    node,
    readyMs: ready ? (object.readyChangedMs ?? object.startedMs ?? object.createdMs) : undefined,
    predecessorEvictedMs: undefined,
    stopping: object.terminating ? 'scaled-in' : undefined,
    expectedOn: undefined,
    expectedUntilMs: 0,
    gone: false,
    object,
  };
  state.pods.add(pod);
  if (!object.terminating) {
    state.active++;
    state.desired++;
  }
  if (ready) state.ready++;
  world.pods.set(`${object.namespace}/${object.name}`, pod);
  if (node === undefined) return;
  node.pods.add(pod);
  addTimes(node.free, state.requests, -1);
}

/** The pod runs on a node of the cluster, or waits for one. */
export function isSimulated(pod: PodObject, nodes: ReadonlySet<string>): boolean {
  return !isTerminal(pod) && (pod.nodeName === '' ? !pod.terminating : nodes.has(pod.nodeName));
}
