import type { Command, CommandReplacement } from '../controller/command.ts';
import type { MoveTiming } from '../controller/forgone-savings.ts';
import { INSTANCE_TYPE } from '../engine/cluster/well-known.ts';
import type { MoveRefusal } from '../engine/refusal.ts';
import { hash } from '../simulator/random-streams.ts';
import { addTimes } from '../simulator/resource-columns.ts';
import type { SimNode } from '../simulator/sim-node.ts';
import type { AppState } from '../simulator/sim-pod.ts';
import { ordinal } from '../simulator/workload-controllers.ts';
import type { World } from '../simulator/world.ts';
import { type Future, outgrownMs } from './future.ts';

const HOUR_MS = 3_600_000;
/** Time in which an empty node is removed. */
const EMPTY_MS = 3 * 60_000;

export interface Hindsight {
  readonly world: World;
  readonly future: Future;
  /** Share of the nodes' capacity that pods can use: what is left over on each node adds up. */
  readonly usable: number;
  /** Of the order in which nodes are steered; 0: the best as far as the next scale-in goes. */
  readonly variant: number;
  /** The price of an eviction in cents. */
  readonly centsPerUnit: number;
  /** Whether the run may have more evictions. */
  readonly maySpend: () => boolean;
}

/**
 * Times moves by the future of the run. A move saves until the demand outgrows the nodes that it leaves. If it waits, pods
 * end by themselves in the meantime: Jobs finish, workloads scale in (steering takes these pods first) or roll out. Of all
 * times until then, and never, it is made at the one with the least cost: savings lost by waiting, and `centsPerUnit` for
 * each pod that is still there.
 */
export class HindsightTiming implements MoveTiming {
  private readonly world: World;
  private readonly future: Future;
  private readonly usable: number;
  private readonly variant: number;
  private readonly centsPerUnit: number;
  private readonly maySpend: () => boolean;

  constructor({ world, future, usable, variant, centsPerUnit, maySpend }: Hindsight) {
    this.world = world;
    this.future = future;
    this.usable = usable;
    this.variant = variant;
    this.centsPerUnit = centsPerUnit;
    this.maySpend = maySpend;
    world.listeners.push({ appScaled: (state) => this.steer(state) });
  }

  /**
   * Workloads that scale in take their pods from one node after the other: first from the one with the fewest pods that stay,
   * given what all workloads scale in by at this moment.
   */
  private steer(state: AppState): void {
    if (state.app.kind !== 'Deployment' || state.desired >= state.active) return;
    const { world, future } = this;
    const surplus = new Map<AppState, number>();
    world.apps.forEach((app, i) => {
      const desired = future.desired[i].findLast(({ atMs }) => atMs <= world.nowMs)?.replicas ?? app.desired;
      if (app.app.kind === 'Deployment') surplus.set(app, Math.max(0, app.active - desired));
    });
    const left = new Set([...world.nodes.values()].filter((node) => !node.deleting));
    for (let rank = 0; left.size > 0; rank++) {
      const [next] = [...left]
        .map((node) => ({ node, counts: countsOf(node) }))
        .map(({ node, counts }) => ({ node, counts, stay: stayingOf(counts, surplus) + this.deviation(node) }))
        .sort((a, b) => a.stay - b.stay || a.node.pods.size - b.node.pods.size || (a.node.name < b.node.name ? -1 : 1));
      left.delete(next.node);
      for (const [app, count] of next.counts) surplus.set(app, Math.max(0, (surplus.get(app) ?? 0) - count));
      for (const pod of next.node.pods) if (pod.state === state) world.steerPod(pod, rank);
    }
  }

  observed(): void {}

  refuse(command: Command, _: unknown, nowMs: number): MoveRefusal | undefined {
    const { centsPerUnit } = this;
    const { predicted, nodes: removed, replacements } = command;
    if (predicted.evictions === 0) return undefined;
    const nodes = removed.flatMap(({ node }) => this.world.nodes.get(node) ?? []);
    const endMs = outgrownMs(this.future, this.capacityWithout(nodes, replacements), nowMs);
    const ends = this.endsOf(nodes, nowMs).sort((a, b) => a - b);
    const centsUntil = (ms: number) => (predicted.savingsCentsPerHour * (ms - nowMs)) / HOUR_MS;
    const nowCents = centsPerUnit * ends.length;
    let [bestMs, bestCents] = [endMs, centsUntil(endMs)];
    ends.forEach((ms, i) => {
      const cents = centsUntil(ms) + centsPerUnit * (ends.length - i - 1);
      if (ms < endMs && cents < bestCents) [bestMs, bestCents] = [ms, cents];
    });
    const waitsForEmpty = this.someAreNewlyEmpty(nowMs);
    if (nowCents <= bestCents && !waitsForEmpty && this.maySpend()) return undefined;
    return {
      code: 'not-paid-back',
      forgoneCents: 0,
      disruptionCents: nowCents,
      lostWorkCents: 0,
      waitMs: waitsForEmpty ? EMPTY_MS : Math.ceil(bestMs - nowMs),
    };
  }

  /** Up to two pods, so that variants take other nodes first where several are about as good. */
  private deviation({ name }: SimNode): number {
    return this.variant === 0 ? 0 : ((hash(`${this.variant} ${name}`) >>> 8) % 21) / 10;
  }

  /** Nodes that are newly empty are removed first: pods must not move onto them. */
  private someAreNewlyEmpty(nowMs: number): boolean {
    for (const node of this.world.nodes.values()) {
      const sinceMs = Math.max(node.lastPodEventMs ?? 0, node.readyMs ?? node.createdMs);
      if (!node.deleting && countsOf(node).size === 0 && nowMs - sinceMs < EMPTY_MS) return true;
    }
    return false;
  }

  /** For pods other than DaemonSets'. */
  private capacityWithout(removed: readonly SimNode[], replacements: readonly CommandReplacement[]): Float64Array {
    const { nodes, columns, scenario } = this.world;
    const capacity = new Float64Array(columns.count);
    for (const node of nodes.values()) {
      if (node.deleting || removed.includes(node)) continue;
      addTimes(capacity, node.allocatable, this.usable);
      for (const { state } of node.pods) if (state.app.kind === 'DaemonSet') addTimes(capacity, state.requests, -1);
    }
    for (const { requirements, requests, centsPerHour } of replacements) {
      const names = requirements.find(({ key }) => key === INSTANCE_TYPE)?.values ?? [];
      const type = scenario.instanceTypes.find(
        ({ name, offerings }) =>
          names.includes(name) && offerings.some(({ price }) => Math.abs(100 * price - centsPerHour) < 1e-6),
      );
      addTimes(capacity, columns.amounts(type?.allocatable ?? requests), this.usable);
    }
    return capacity;
  }

  /** When each pod that a move of these nodes would evict ends without it; Infinity: not in this run. */
  private endsOf(nodes: readonly SimNode[], nowMs: number): number[] {
    const ends: number[] = [];
    const pods = nodes.flatMap((node) => [...node.pods]).filter((pod) => pod.stopping === undefined);
    for (const [state, own] of Map.groupBy(pods, (pod) => pod.state)) {
      const { app } = state;
      if (app.kind === 'DaemonSet') continue;
      if (app.kind === 'Job') {
        ends.push(...own.map(({ endsMs }) => endsMs ?? Number.POSITIVE_INFINITY));
        continue;
      }
      const elapsedMs = nowMs - this.future.startMs;
      const rolledMs = Math.min(
        ...app.rollouts.map(({ afterMs, everyMs }) => {
          if (afterMs > elapsedMs) return this.future.startMs + afterMs;
          if (everyMs === undefined) return Number.POSITIVE_INFINITY;
          return this.future.startMs + afterMs + Math.ceil((elapsedMs - afterMs) / everyMs) * everyMs;
        }),
      );
      const steps = this.future.desired[this.world.apps.indexOf(state)].filter(({ atMs }) => atMs > nowMs);
      const belowMs = (replicas: number) =>
        steps.find((step) => step.replicas <= replicas)?.atMs ?? Number.POSITIVE_INFINITY;
      own.forEach((pod, i) => {
        const scaledInMs = belowMs(app.kind === 'StatefulSet' ? ordinal(pod) : state.desired - i - 1);
        ends.push(Math.min(rolledMs, scaledInMs));
      });
    }
    return ends;
  }
}

function countsOf({ pods }: SimNode): ReadonlyMap<AppState, number> {
  const counts = new Map<AppState, number>();
  for (const { state, stopping } of pods)
    if (state.app.kind !== 'DaemonSet' && stopping === undefined) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}

function stayingOf(counts: ReadonlyMap<AppState, number>, surplus: ReadonlyMap<AppState, number>): number {
  let stay = 0;
  for (const [app, count] of counts) stay += Math.max(0, count - (surplus.get(app) ?? 0));
  return stay;
}
