import type { LabelSelector, PodConstraints } from '../engine/cluster/objects.ts';
import { HOSTNAME } from '../engine/cluster/well-known.ts';
import { compileSelector } from '../engine/selection/label-selector.ts';
import type { NodeLoad } from './node-load.ts';
import { add, CPU, MEMORY } from './resource-columns.ts';
import type { App } from './scenario.ts';
import type { AppState, SimPod } from './sim-pod.ts';
import type { World } from './world.ts';

/** A pod that Karpenter's simulation of a removal has to place. */
export interface QueuedPod {
  readonly pod: SimPod;
  readonly requests: Float64Array;
  /** It goes to the first node that has room for it: nothing but its size matters. */
  readonly plain: boolean;
  /** If not: nodes that are alike in this label are alike to it but for their room. */
  readonly domains: string;
  /** It is placed for sure: no annotation and no budget keeps it where it is. */
  readonly sure: boolean;
}

/** What can be told beforehand of how Karpenter's simulation places pods: in which order, and of whom only the size matters. */
export class QueuedPods {
  /** What DaemonSets ask for on every node. */
  readonly reserve: Float64Array;
  /** All nodes are alike to who asks for no labels: no pool has taints, and every DaemonSet runs everywhere. */
  readonly foreseeable: boolean;
  private readonly traits = new Map<AppState, Traits>();
  private readonly queues = new WeakMap<NodeLoad, readonly QueuedPod[]>();

  constructor({ apps, columns, scenario }: World) {
    const daemons = apps.filter(({ app }) => app.kind === 'DaemonSet');
    this.reserve = new Float64Array(columns.count);
    for (const { requests } of daemons) add(this.reserve, requests, 1);
    this.foreseeable =
      // Real nodes have taints, sizes and DaemonSets of their own.
      scenario.start === undefined &&
      scenario.nodePools.every((pool) => pool.taints.length === 0) &&
      daemons.every(({ app }) => asksForNothing(app.constraints)) &&
      apps.every(({ requests }) => requests.every(Number.isInteger));
    const repelled = apps.flatMap(({ app }) => app.constraints.requiredAntiAffinity);
    for (const state of apps) {
      const { app } = state;
      const sure = isSurelyPlaced(app, apps);
      const isLeftAlone = !repelled.some((term) => selects(term.labelSelector, app));
      const plain = sure && isLeftAlone && asksForNothing(app.constraints);
      this.traits.set(state, { plain, sure, domains: isLeftAlone ? domainsOf(app.constraints) : HOSTNAME });
    }
  }

  of(pods: Iterable<SimPod>): QueuedPod[] {
    const queue: QueuedPod[] = [];
    for (const pod of pods) {
      const traits = this.traits.get(pod.state) as Traits;
      queue.push({ pod, requests: pod.state.requests, ...traits });
    }
    return queue.sort(byQueueOrder);
  }

  /** Those that would have to move. */
  ofLoad(load: NodeLoad): readonly QueuedPod[] {
    let known = this.queues.get(load);
    if (known === undefined) {
      known = this.of(load.movers);
      this.queues.set(load, known);
    }
    return known;
  }
}

type Traits = Pick<QueuedPod, 'plain' | 'domains' | 'sure'>;

/** Two queues, each in order, as one. */
export function merged(left: readonly QueuedPod[], right: readonly QueuedPod[]): readonly QueuedPod[] {
  if (left.length === 0) return right;
  const out: QueuedPod[] = [];
  for (let l = 0, r = 0; l < left.length || r < right.length; ) {
    const fromRight = l === left.length || (r < right.length && byQueueOrder(right[r], left[l]) < 0);
    out.push(fromRight ? right[r++] : left[l++]);
  }
  return out;
}

/** As Karpenter has it: large pods first, by cpu, then memory, then age, then UID. */
function byQueueOrder({ requests: x, pod: a }: QueuedPod, { requests: y, pod: b }: QueuedPod): number {
  if (x !== y) {
    if (x[CPU] !== y[CPU]) return y[CPU] - x[CPU];
    if (x[MEMORY] !== y[MEMORY]) return y[MEMORY] - x[MEMORY];
  }
  if (a.object.createdMs !== b.object.createdMs) return a.object.createdMs - b.object.createdMs;
  return a.object.uid < b.object.uid ? -1 : 1;
}

/** Nothing that Karpenter looks at, whether it is demanded or only preferred. */
function asksForNothing(c: PodConstraints): boolean {
  return (
    Object.keys(c.nodeSelector).length === 0 &&
    c.requiredNodeTerms === undefined &&
    !c.resourceClaims &&
    [c.preferredNodeTerms, c.requiredAffinity, c.preferredAffinity, c.requiredAntiAffinity].every(isEmpty) &&
    [c.preferredAntiAffinity, c.topologySpread, c.hostPorts].every(isEmpty)
  );
}

/** The label by which its pods are spread, if there is one and nothing else matters to them. */
function domainsOf(c: PodConstraints): string {
  const keys = new Set(c.topologySpread.map(({ topologyKey }) => topologyKey));
  const [key = HOSTNAME] = keys;
  return keys.size === 1 && asksForNothing({ ...c, topologySpread: [] }) ? key : HOSTNAME;
}

/** A budget that never allows an eviction keeps pods where they are, as do several on one pod. */
function isSurelyPlaced(app: App, apps: readonly AppState[]): boolean {
  if (app.doNotDisrupt !== undefined) return false;
  const guarding = apps.filter(
    ({ app: other }) =>
      other.budget !== undefined && other.namespace === app.namespace && selects({ matchLabels: other.labels }, app),
  );
  return guarding.every(({ app: { budget } }) => !neverAllows(budget)) && guarding.length < 2;
}

function neverAllows(budget: App['budget']): boolean {
  const { maxUnavailable, minAvailable } = budget ?? {};
  return maxUnavailable === 0 || maxUnavailable === '0%' || minAvailable === '100%';
}

/** Namespaces aside: who is taken for special does no harm. */
function selects(selector: LabelSelector | undefined, { labels }: App): boolean {
  return compileSelector(selector).matches(labels);
}

function isEmpty(list: readonly unknown[]): boolean {
  return list.length === 0;
}
