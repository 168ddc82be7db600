import type { Command, CommandReplacement } from '../controller/command.ts';
import type { EvictionPrice, MoveTiming } from '../controller/forgone-savings.ts';
import { INSTANCE_TYPE } from '../engine/cluster/well-known.ts';
import type { MoveRefusal } from '../engine/refusal.ts';
import { add } from '../simulator/resource-columns.ts';
import type { SimNode } from '../simulator/sim-node.ts';
import type { SimPod } from '../simulator/sim-pod.ts';
import type { World } from '../simulator/world.ts';
import { type Future, outgrownMs } from './future.ts';

const HOUR_MS = 3_600_000;

export interface Hindsight {
  readonly world: World;
  readonly future: Future;
  /** Share of the nodes' capacity that pods can use: what is left over on each node adds up. */
  readonly usable: number;
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
  private readonly maySpend: () => boolean;

  constructor({ world, future, usable, maySpend }: Hindsight) {
    this.world = world;
    this.future = future;
    this.usable = usable;
    this.maySpend = maySpend;
  }

  observed(): void {}

  refuse(command: Command, { centsPerUnit }: EvictionPrice, nowMs: number): MoveRefusal | undefined {
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
    if (nowCents <= bestCents && this.maySpend()) return undefined;
    return {
      code: 'not-paid-back',
      forgoneCents: 0,
      disruptionCents: nowCents,
      lostWorkCents: 0,
      grewAgoMs: null,
      waitMs: Math.ceil(bestMs - nowMs),
    };
  }

  /** For pods other than DaemonSets'. */
  private capacityWithout(removed: readonly SimNode[], replacements: readonly CommandReplacement[]): Float64Array {
    const { nodes, columns, scenario } = this.world;
    const capacity = new Float64Array(columns.count);
    for (const node of nodes.values()) {
      if (node.deleting || removed.includes(node)) continue;
      add(capacity, node.allocatable, this.usable);
      for (const { state } of node.pods) if (state.app.kind === 'DaemonSet') add(capacity, state.requests, -1);
    }
    for (const { requirements, requests, centsPerHour } of replacements) {
      const names = requirements.find(({ key }) => key === INSTANCE_TYPE)?.values ?? [];
      const type = scenario.instanceTypes.find(
        ({ name, offerings }) =>
          names.includes(name) && offerings.some(({ price }) => Math.abs(100 * price - centsPerHour) < 1e-6),
      );
      add(capacity, columns.amounts(type?.allocatable ?? requests), this.usable);
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

function ordinal({ object }: SimPod): number {
  return Number(object.name.slice(object.name.lastIndexOf('-') + 1));
}
