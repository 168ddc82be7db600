import type { Action } from '../../src/controller/cluster-port.ts';
import { type Command, isOpen } from '../../src/controller/command.ts';
import { karpenterLeavesAlone } from '../../src/controller/interlock.ts';
import { isTaken, isUnderWay } from '../../src/controller/leaving.ts';
import type { NodeClaimObject, NodePoolObject } from '../../src/engine/cluster/objects.ts';
import { isDisruptable, isEvictable } from '../../src/engine/cluster/pods.ts';
import { conditionIsTrue } from '../../src/engine/cluster/state-nodes.ts';
import {
  objectName,
  undecodableByNode,
  undecodableDaemonSets,
  undecodableEverywhere,
} from '../../src/engine/cluster/undecodable.ts';
import { DISRUPTED_TAINT, NODE_POOL } from '../../src/engine/cluster/well-known.ts';
import { allowedDisruptions } from '../../src/engine/disruption/budgets.ts';
import { compileSelector } from '../../src/engine/selection/label-selector.ts';
import type { FakeCluster } from './fake-cluster.ts';
import { MINUTE_MS } from './units.ts';

export interface Circumstances {
  /**
   * One may have written a command anew since another read it. Taints of both kinds and rollouts are no part of that
   * write: the command must have allowed them at some time.
   */
  readonly severalLeaders?: boolean;
  /** Nothing has changed since the controller read the cluster, except by itself. */
  isCurrent?(action: Action): boolean;
}

/**
 * Watches everything that is done to the cluster, by rules that look at nothing but what the cluster holds at that
 * moment. Returns the breaches, to be filled as they happen.
 */
export function watchLaws(port: FakeCluster, circumstances: Circumstances = {}): readonly string[] {
  const { severalLeaders = false, isCurrent = () => true } = circumstances;
  const breaches: string[] = [];
  const begun = new Set<string>();
  const launched = new Set<string>();
  const rolled = new Set<string>();
  port.watch((action) => {
    if (action.kind === 'save-command') for (const { node } of action.command.nodes) begun.add(node);
    if (action.kind === 'save-command' && action.command.phase === 'launching') {
      for (const { node } of action.command.nodes) launched.add(node);
      if (action.command.rollingMs !== undefined) rolled.add(action.command.id);
    }
    const wasOurs =
      severalLeaders &&
      ((action.kind === 'taint' && launched.has(action.node)) ||
        (action.kind === 'steer-node' && begun.has(action.node)) ||
        ((action.kind === 'restart-deployment' || action.kind === 'extra-replica') && rolled.has(action.command)));
    const breach = wasOurs ? undefined : breachBy(action, port);
    if (breach !== undefined) breaches.push(`${action.kind} at ${port.asked.length}: ${breach}`);
    const unseen = severalLeaders || !isCurrent(action) ? undefined : breachByValidation(action, port);
    if (unseen !== undefined) breaches.push(`${action.kind} at ${port.asked.length}: ${unseen}`);
  });
  return breaches;
}

/** A command is begun only on nodes that may go, and as many as budgets allow with those of other commands. */
function breachByValidation(action: Action, port: FakeCluster): string | undefined {
  if (action.kind === 'delete-node-claim') return breachByCapacity(action.nodeClaim, port);
  if (action.kind !== 'save-command' || action.command.phase !== 'launching') return undefined;
  const { id, nodes, reason, replacements } = action.command;
  if (reason !== undefined || port.commands.find((c) => c.id === id)?.phase !== 'waiting') return undefined;
  const [daemonSet] = undecodableDaemonSets(port.objects.undecodable);
  if (daemonSet !== undefined && replacements.length > 0)
    return `begun with a new node, but ${objectName(daemonSet)} cannot be decoded`;
  const underWay = port.commands.filter((c) => isUnderWay(c) && c.phase !== 'waiting').flatMap((c) => c.nodes);
  const leaving = new Set([...underWay, ...nodes].map((n) => n.nodeClaim));
  for (const { nodeClaim } of nodes) {
    const claim = port.objects.nodeClaims.find((c) => c.name === nodeClaim);
    const breach = claim && (mustStay(claim, port) ?? overBudget(claim, port, leaving));
    if (breach !== undefined) return `begun, but ${breach}`;
  }
  return undefined;
}

/** Its own pods and those that are on their way keep a place, also if it is the new node of an abandoned command. */
function breachByCapacity(nodeClaim: string, port: FakeCluster): string | undefined {
  const pods = port.withoutPlace([nodeClaim]);
  return pods === 0 || pods <= port.withoutPlace([]) ? undefined : `${pods} pods have no place without it`;
}

/** Longer than any wait, with the clock set back by just less than it. */
const PATIENCE_MS = 25 * MINUTE_MS;

/** What must hold after every pass: commands wait neither for ever nor for nodes that are Karpenter's. */
export class PassLaws {
  private readonly port: FakeCluster;
  /** By command and state: since when, in elapsed time. */
  private since = new Map<string, number>();

  constructor(port: FakeCluster) {
    this.port = port;
  }

  /** `isUndisturbed`: the view was current and no write failed. */
  breaches(isUndisturbed: boolean): readonly string[] {
    const { commands, elapsedMs, jumpedMs } = this.port;
    const out: string[] = [];
    const since = new Map<string, number>();
    for (const { id, phase, reason, rollingMs } of commands) {
      if (phase !== 'waiting' && phase !== 'launching') continue;
      const key = `${id} ${phase} ${reason} ${rollingMs}`;
      const fromMs = Math.max(this.since.get(key) ?? elapsedMs, jumpedMs);
      since.set(key, fromMs);
      if (elapsedMs - fromMs > PATIENCE_MS) out.push(`command ${id} is ${phase} for ever`);
    }
    this.since = since;
    if (!isUndisturbed) return out;
    const taken = new Set(this.port.objects.nodeClaims.filter((c) => !c.terminating && isTaken(c)).map((c) => c.name));
    for (const { id, nodes } of commands.filter((c) => isUnderWay(c) && c.phase === 'launching'))
      if (nodes.some((n) => taken.has(n.nodeClaim))) out.push(`command ${id} replaces a node that Karpenter replaces`);
    return out;
  }
}

function breachBy(action: Action, port: FakeCluster): string | undefined {
  if (action.kind === 'taint') {
    const own = port.commands.some(
      (c) => isOpen(c) && c.phase !== 'waiting' && c.nodes.some((n) => n.node === action.node),
    );
    return own ? undefined : `${action.node} belongs to no command that was written down`;
  }
  if (action.kind === 'steer-node' && action.steered && !port.steers) {
    const own = port.commands.some((c) => isOpen(c) && c.nodes.some((n) => n.node === action.node));
    return own ? undefined : `${action.node} belongs to no command that was written down`;
  }
  if (action.kind === 'untaint') {
    const claim = port.objects.nodeClaims.find((c) => c.nodeName === action.node);
    return claim !== undefined && isTaken(claim) ? `the taint of ${action.node} is Karpenter’s` : undefined;
  }
  if (action.kind === 'create-node-claim') {
    const command = port.commands.find((c) => c.id === action.command);
    return command?.phase === 'launching' && command.reason === undefined ? undefined : 'nothing may be launched';
  }
  if (action.kind === 'restart-deployment' || action.kind === 'extra-replica') return breachByRollout(action, port);
  if (action.kind !== 'delete-node-claim') return undefined;
  const command = port.commands.find((c) => c.id === action.command);
  if (command === undefined) return 'unknown command';
  return command.nodes.some((n) => n.nodeClaim === action.nodeClaim)
    ? breachByRemoval(command, action.nodeClaim, port)
    : breachByUndoing(command, action.nodeClaim, port);
}

/** A rollout begins only for a command that is written down, and when no new pod goes to the old pod's node. */
function breachByRollout(
  action: Extract<Action, { kind: 'restart-deployment' | 'extra-replica' }>,
  { commands, objects: { pods, nodes, nodeClaims } }: FakeCluster,
): string | undefined {
  const begins = action.kind === 'restart-deployment' ? action.undo === undefined : action.wanted;
  if (!begins) return undefined;
  const command = commands.find((c) => c.id === action.command);
  const own = command?.rollouts?.find((r) => r.deploymentUid === action.uid);
  if (own === undefined) return 'it belongs to no command that was written down';
  if (command?.phase !== 'launching' || command.reason !== undefined || command.rollingMs === undefined)
    return `nothing may be rolled: ${command?.phase}`;
  const node = nodes.find((n) => n.name === pods.find((p) => p.uid === own.podUid)?.nodeName);
  // No pod goes to a node that is being deleted either.
  if (node === undefined || nodeClaims.some((c) => c.nodeName === node.name && c.terminating)) return undefined;
  return node.taints.some((t) => t.key === DISRUPTED_TAINT.key) ? undefined : `${node.name} is not tainted`;
}

function breachByUndoing(command: Command, nodeClaim: string, port: FakeCluster): string | undefined {
  if (command.reason === undefined) return 'a replacement is deleted by a command that is not abandoned';
  const claim = port.objects.nodeClaims.find((c) => c.name === nodeClaim);
  return claim !== undefined && port.objects.pods.some((p) => p.nodeName === claim.nodeName && p.nodeName !== '')
    ? 'pods run on the replacement'
    : undefined;
}

function breachByRemoval(command: Command, nodeClaim: string, port: FakeCluster): string | undefined {
  const { nodeClaims, nodes, pods, nowMs } = port.objects;
  const claim = nodeClaims.find((c) => c.name === nodeClaim);
  if (claim === undefined || claim.terminating) return undefined;
  if (isTaken(claim)) return 'Karpenter is disrupting it';
  const unwanted = mustStay(claim, port);
  if (unwanted !== undefined) return unwanted;
  if (command.phase !== 'draining') return `the journal says ${command.phase}`;
  const node = nodes.find((n) => n.name === claim.nodeName);
  if (node?.taints.some((t) => t.key === DISRUPTED_TAINT.key) !== true) return 'it is not tainted';
  for (const { nodeClaim: name } of command.replacements) {
    // Who began to delete while it was up may go on if pods have room without it.
    if (port.lost.has(name)) continue;
    const up = nodeClaims.find((c) => c.name === name);
    if (up === undefined || !conditionIsTrue(up, 'Initialized')) return `${name} is not up`;
  }
  if (pods.some((p) => p.nodeName === claim.nodeName && !isDisruptable(p, nowMs))) return 'a pod may not be disrupted';
  return overBudget(claim, port) ?? overPodBudgets(command, claim, port);
}

/** What forbids to remove a node, whatever its pods say. */
function mustStay({ nodeName, labels, doNotDisrupt }: NodeClaimObject, port: FakeCluster): string | undefined {
  const { nodes, nodePools, undecodable } = port.objects;
  const pool = nodePools.find((p) => p.name === labels[NODE_POOL]);
  if (pool?.terminating === true) return `NodePool ${pool.name} is being deleted`;
  if (port.interlock && pool !== undefined && !karpenterLeavesAlone(pool)) return `Karpenter consolidates ${pool.name}`;
  const node = nodes.find((n) => n.name === nodeName);
  if (doNotDisrupt === 'true' || node?.doNotDisrupt === 'true') return 'its annotation forbids it';
  const bad = undecodableByNode(undecodable).get(nodeName)?.[0] ?? undecodableEverywhere(port.objects)[0];
  return bad === undefined ? undefined : `${objectName(bad)} cannot be decoded`;
}

/** Nodes of the pool on their way out, this one and those of commands included. */
function overBudget(
  claim: NodeClaimObject,
  port: FakeCluster,
  leaving: ReadonlySet<string> = new Set(),
): string | undefined {
  const { nodePools, nowMs } = port.objects;
  const pool = nodePools.find((p) => p.name === claim.labels[NODE_POOL]);
  if (pool === undefined) return 'no pool';
  const own = port.objects.nodeClaims.filter(
    (c) => c.labels[NODE_POOL] === pool.name && conditionIsTrue(c, 'Initialized'),
  );
  const going = own.filter((c) => c === claim || leaving.has(c.name) || isGoing(c, port)).length;
  const allowed = Math.max(
    allowedDisruptions(pool, own.length, 'Empty', nowMs),
    allowedDisruptions(pool, own.length, 'Underutilized', nowMs),
  );
  return going > allowed ? `${going} nodes of ${pool.name} would go, ${allowed} may` : undefined;
}

/** Pods under one PodDisruptionBudget on nodes that go: no more than it allows, unless they are all of one command. */
function overPodBudgets(command: Command, claim: NodeClaimObject, port: FakeCluster): string | undefined {
  const { nowMs } = port.objects;
  const own = new Set(command.nodes.map((n) => n.nodeClaim));
  const going = port.objects.nodeClaims.filter((c) => c.terminating || c === claim);
  for (const budget of port.objects.podDisruptionBudgets) {
    const selector = compileSelector(budget.selector);
    const guarded = (of: readonly NodeClaimObject[]) =>
      port.objects.pods.filter(
        (p) => isEvictable(p, nowMs) && of.some((c) => c.nodeName === p.nodeName) && selector.matches(p.labels),
      ).length;
    const others = guarded(going.filter((c) => !own.has(c.name)));
    const mine = guarded([claim]);
    if (mine === 0) continue;
    if (budget.disruptionsAllowed === 0) return `${budget.name} allows nothing`;
    if (others > 0 && others + mine > budget.disruptionsAllowed) return `${budget.name} allows less`;
  }
  return undefined;
}

/** Against a budget of its NodePool; as in Karpenter, a node that is not ready counts. */
function isGoing(claim: NodeClaimObject, { objects: { nodes } }: FakeCluster): boolean {
  return claim.terminating || isTaken(claim) || nodes.find((n) => n.name === claim.nodeName)?.ready !== 'True';
}

function allowedNow(pool: NodePoolObject, port: FakeCluster): number {
  const own = port.objects.nodeClaims.filter((c) => c.labels[NODE_POOL] === pool.name);
  const going = own.filter((c) => isGoing(c, port)).length;
  return allowedDisruptions(pool, own.length, 'Empty', port.nowMs) - going;
}

/** What must hold when nothing is under way any more. */
export function leftovers(port: FakeCluster): readonly string[] {
  const { nodes, nodeClaims, pods } = port.objects;
  const out: string[] = [];
  for (const c of port.commands.filter(isOpen)) out.push(`command ${c.id} is ${c.phase}`);
  const staying = new Set(nodeClaims.filter((c) => !c.terminating && !isTaken(c)).map((c) => c.nodeName));
  for (const { name, taints, steered } of nodes)
    if (staying.has(name) && ((steered === true && !port.steers) || taints.some((t) => t.key === DISRUPTED_TAINT.key)))
      out.push(`${name} is tainted`);
  for (const { id, phase, nodes: old, replacements } of port.commands) {
    for (const { nodeClaim, nodePool } of replacements) {
      const claim = nodeClaims.find((c) => c.name === nodeClaim && !c.terminating);
      const used = claim !== undefined && claim.nodeName !== '' && pods.some((p) => p.nodeName === claim.nodeName);
      const wanted = old.some(
        (n) => port.taken.has(n.nodeClaim) || !nodeClaims.some((c) => c.name === n.nodeClaim && !c.terminating),
      );
      if (phase !== 'abandoned' || claim === undefined || used || wanted) continue;
      // Once it was up, pods may have come and gone again, or are on their way: it goes as an empty node does, when nothing
      // forbids it and its pool lets one go; not while the clock, which was set back, says that it is not up yet.
      const mayGo =
        claim.nodeName === '' ||
        (mustStay(claim, port) === undefined &&
          breachByCapacity(nodeClaim, port) === undefined &&
          claim.conditions.every((c) => c.changedMs <= port.nowMs) &&
          port.objects.nodePools.some((p) => p.name === nodePool && allowedNow(p, port) > 0));
      if (mayGo) out.push(`${nodeClaim} of ${id} is left over`);
    }
  }
  for (const { name, replicas, rollout } of port.objects.workloads)
    if (rollout?.extraReplica !== undefined) out.push(`${name} has ${replicas} replicas for ${rollout.extraReplica}`);
  for (const { name } of port.unplacedPods) out.push(`pod ${name} had no place`);
  return out;
}
