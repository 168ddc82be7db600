import { isEphemeral, sameTaint } from '../selection/taints.ts';
import { amountOf, type Labels, type NodeClaimObject, type NodeObject, type Resources, type Taint } from './objects.ts';
import { isSameList } from './same-list.ts';
import { type UndecodableObject, undecodableByNode } from './undecodable.ts';
import {
  canonicalLabels,
  HOSTNAME,
  INITIALIZED,
  INSTANCE_TYPE,
  NODE_POOL,
  REBOOTING_TAINT,
  REGISTERED,
} from './well-known.ts';

/**
 * A machine as Karpenter sees it: a Node, a NodeClaim, or both joined by provider ID. Until the node is registered, its
 * claim represents it; until it is initialized, the claim fills in what the node does not report yet.
 */
export interface StateNode {
  readonly name: string;
  readonly node?: NodeObject;
  readonly claim?: NodeClaimObject;
  readonly labels: Labels;
  /** Labels for requirements: under their newer names, with the hostname. */
  readonly selectable: Labels;
  readonly taints: readonly Taint[];
  readonly capacity: Resources;
  readonly allocatable: Resources;
  readonly hostname: string;
  readonly doNotDisrupt?: string;
  readonly managed: boolean;
  readonly registered: boolean;
  readonly initialized: boolean;
  /** Its pods must be placed elsewhere, and nothing is placed on it. */
  readonly deleting: boolean;
  /** Node repair is restarting it in place. */
  readonly rebooting: boolean;
  /** false for a Node that Karpenter does not track (yet); its pods only count for topology. */
  readonly tracked: boolean;
  /**
   * Objects of the node that cannot be decoded, including its pods: if any, it is neither a candidate nor a
   * destination.
   */
  readonly undecodable: readonly UndecodableObject[];
}

export interface JoinSettings {
  /** Nodes can be rebooting, supported by Karpenter since 1.15. */
  readonly reboots: boolean;
  /**
   * Older nodes come first: a node that joins takes only pods that had no place, so verdicts on other nodes stand. Karpenter goes
   * by name.
   */
  readonly byAge: boolean;
}

const AS_KARPENTER: JoinSettings = { reboots: true, byAge: false };

/**
 * Nodes joined with their NodeClaims, across passes: a StateNode is the same object while its Node and NodeClaim are.
 * Tracked nodes come first, in the order in which pods are tried on them: initialized, then by age or name.
 */
export class StateNodes {
  private known = new Map<NodeObject | NodeClaimObject, StateNode>();
  private settings = AS_KARPENTER;
  /** The last nodes, in given and in sorted order. */
  private last: { readonly given: readonly StateNode[]; readonly inOrder: Int32Array } | undefined;

  join(
    nodes: readonly NodeObject[],
    claims: readonly NodeClaimObject[],
    settings = AS_KARPENTER,
    undecodable: readonly UndecodableObject[] = NOTHING,
  ): StateNode[] {
    const { reboots, byAge } = settings;
    if (reboots !== this.settings.reboots) this.known = new Map();
    if (byAge !== this.settings.byAge) this.last = undefined;
    this.settings = settings;
    const now = new Map<NodeObject | NodeClaimObject, StateNode>();
    const byNode = undecodableByNode(undecodable);
    const given = joined(nodes, claims, (node, claim, tracked) => {
      const speaker = (node ?? claim) as NodeObject | NodeClaimObject;
      const before = this.known.get(speaker);
      const bad = byNode.get(node?.name ?? claim?.nodeName ?? '') ?? NOTHING;
      const same = before !== undefined && before.node === node && before.claim === claim && before.tracked === tracked;
      const state =
        same && isSameList(before.undecodable, bad) ? before : stateNode(node, claim, tracked, reboots, bad);
      now.set(speaker, state);
      return state;
    });
    this.known = now;
    return this.sorted(given);
  }

  /** Most changes of nodes keep their order. */
  private sorted(given: readonly StateNode[]): StateNode[] {
    const { byAge } = this.settings;
    const compare = (a: number, b: number) => byPlacementOrder(given[a], given[b], byAge) || a - b;
    let inOrder = this.last?.inOrder;
    if (inOrder === undefined || !areOrderedAlike(this.last?.given ?? [], given))
      inOrder = Int32Array.from(given.keys()).sort(compare);
    else if (inOrder.length < given.length) inOrder = withMore(inOrder, given.length, compare);
    this.last = { given, inOrder };
    const sorted = new Array<StateNode>(given.length);
    for (let i = 0; i < sorted.length; i++) sorted[i] = given[inOrder[i]];
    return sorted;
  }
}

/** Inserts the numbers up to `length`; later ones usually belong at the end. */
function withMore(inOrder: Int32Array, length: number, compare: (a: number, b: number) => number): Int32Array {
  const out = new Int32Array(length);
  out.set(inOrder);
  for (let next = inOrder.length; next < length; next++) {
    let at = next;
    for (; at > 0 && compare(out[at - 1], next) > 0; at--) out[at] = out[at - 1];
    out[at] = next;
  }
  return out;
}

const MANY_MORE = 64;

/** Nodes of the earlier list come first, and are ordered as before; a few may have been added. */
function areOrderedAlike(a: readonly StateNode[], b: readonly StateNode[]): boolean {
  if (a.length > b.length || b.length - a.length > MANY_MORE) return false;
  for (let i = 0; i < a.length; i++) {
    const [p, q] = [a[i], b[i]];
    if (p === q) continue;
    if (p.name !== q.name || p.initialized !== q.initialized || p.tracked !== q.tracked) return false;
    if (createdMs(p) !== createdMs(q)) return false;
  }
  return true;
}

/** Equal except for conditions of the claim, which only gates read. */
export function isSameMachine(a: StateNode, b: StateNode): boolean {
  return (
    a === b ||
    (a.node === b.node &&
      a.name === b.name &&
      a.claim?.name === b.claim?.name &&
      a.labels === b.labels &&
      a.taints === b.taints &&
      a.capacity === b.capacity &&
      a.allocatable === b.allocatable &&
      a.initialized === b.initialized &&
      a.deleting === b.deleting &&
      a.rebooting === b.rebooting &&
      a.tracked === b.tracked &&
      isSameList(a.undecodable, b.undecodable))
  );
}

const NOTHING: readonly UndecodableObject[] = [];

function joined(
  nodes: readonly NodeObject[],
  claims: readonly NodeClaimObject[],
  make: (node: NodeObject | undefined, claim: NodeClaimObject | undefined, tracked: boolean) => StateNode,
): StateNode[] {
  const claimByProvider = new Map<string, NodeClaimObject>();
  for (const claim of claims) if (claim.providerId !== '') claimByProvider.set(claim.providerId, claim);
  const out: StateNode[] = [];
  for (const node of nodes) {
    const claim = node.providerId === '' ? undefined : claimByProvider.get(node.providerId);
    const tracked = isTracked(node);
    if (tracked && claim !== undefined) claimByProvider.delete(node.providerId);
    out.push(make(node, tracked ? claim : undefined, tracked));
  }
  for (const claim of claimByProvider.values()) out.push(make(undefined, claim, true));
  return out;
}

/** A managed node that has no provider ID, or no instance type before it is initialized, is not tracked yet. */
function isTracked(node: NodeObject): boolean {
  const managed = (node.labels[NODE_POOL] ?? '') !== '';
  if (!managed) return true;
  return (
    node.providerId !== '' && ((node.labels[INSTANCE_TYPE] ?? '') !== '' || (node.labels[INITIALIZED] ?? '') !== '')
  );
}

function byPlacementOrder(a: StateNode, b: StateNode, byAge: boolean): number {
  if (a.tracked !== b.tracked) return a.tracked ? -1 : 1;
  if (a.initialized !== b.initialized) return a.initialized ? -1 : 1;
  if (byAge && createdMs(a) !== createdMs(b)) return createdMs(a) - createdMs(b);
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function createdMs({ node, claim }: StateNode): number {
  return (node ?? claim)?.createdMs ?? 0;
}

function stateNode(
  node: NodeObject | undefined,
  claim: NodeClaimObject | undefined,
  tracked: boolean,
  reboots: boolean,
  undecodable: readonly UndecodableObject[],
): StateNode {
  const managed = claim !== undefined;
  const registered = !managed || node?.labels[REGISTERED] === 'true';
  const initialized = !managed || node?.labels[INITIALIZED] === 'true';
  // Represents the machine: at least one of the two exists.
  const speaker = (registered ? node : claim) ?? claim ?? node;
  if (speaker === undefined) throw new Error('a state node needs a Node or a NodeClaim');
  const name = speaker.name;
  const taints = speaker.taints;
  const hostname = speaker.labels[HOSTNAME] ?? '';
  const rebooting = reboots && claim !== undefined && conditionIsTrue(claim, 'Rebooting');
  return {
    name,
    node,
    claim,
    labels: speaker.labels,
    selectable: selectableLabels(speaker.labels, hostname === '' ? name : hostname),
    taints: initialized && !rebooting ? taints : withoutPassingTaints(taints, claim?.startupTaints ?? [], reboots),
    capacity: reported(node?.capacity, initialized ? undefined : claim?.capacity),
    allocatable: reported(node?.allocatable, initialized ? undefined : claim?.allocatable),
    hostname: hostname === '' ? name : hostname,
    doNotDisrupt: speaker.doNotDisrupt,
    managed,
    registered,
    initialized,
    deleting: tracked && isDeleting(node, claim),
    rebooting,
    tracked,
    undecodable,
  };
}

function selectableLabels(labels: Labels, hostname: string): Labels {
  const canonical = canonicalLabels(labels);
  return canonical[HOSTNAME] === hostname ? canonical : { ...canonical, [HOSTNAME]: hostname };
}

function isDeleting(node: NodeObject | undefined, claim: NodeClaimObject | undefined): boolean {
  if (claim !== undefined) return claim.terminating || conditionIsTrue(claim, 'InstanceTerminating');
  return node?.terminating === true;
}

export function conditionIsTrue(claim: NodeClaimObject, type: string): boolean {
  return claim.conditions.some((c) => c.type === type && c.status === 'True');
}

function withoutPassingTaints(taints: readonly Taint[], startup: readonly Taint[], reboots: boolean): readonly Taint[] {
  const passing = reboots ? [...startup, REBOOTING_TAINT] : startup;
  return taints.filter((taint) => !isEphemeral(taint) && !passing.some((s) => sameTaint(s, taint)));
}

/** The node's values, with zeros replaced by the claim's. */
function reported(own: Resources | undefined, promised: Resources | undefined): Resources {
  if (promised === undefined) return own ?? {};
  if (own === undefined) return promised;
  const out: Record<string, number> = { ...own };
  for (const [name, amount] of Object.entries(promised)) if ((amountOf(out, name) ?? 0) === 0) out[name] = amount;
  return out;
}
