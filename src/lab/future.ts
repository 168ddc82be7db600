import { addTimes } from '../simulator/resource-columns.ts';
import type { Scenario } from '../simulator/scenario.ts';
import { SimulatedCluster } from '../simulator/simulated-cluster.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * What a workload will ask for, recorded by running it without consolidation: replica curves and starts of Jobs depend on
 * the seed and not on the policy.
 */
export interface Future {
  readonly startMs: number;
  readonly endMs: number;
  /** Requests of all pods but DaemonSets' by resource column: the most in each minute. */
  readonly demand: readonly Float64Array[];
  /** Desired replicas by index of the app; the first step is at the start. */
  readonly desired: readonly (readonly { readonly atMs: number; readonly replicas: number }[])[];
}

export function recordedFuture(workload: Scenario, seed: number, days: number): Future {
  const cluster = new SimulatedCluster(workload, { seed, consolidation: 'none' });
  const { world } = cluster;
  const { startMs } = workload;
  const endMs = startMs + days * DAY_MS;
  const desired = world.apps.map(({ desired: replicas }) => [{ atMs: startMs, replicas }]);
  const indexOf = new Map(world.apps.map((state, i) => [state, i]));
  const sum = new Float64Array(world.columns.count);
  for (const { state } of world.pods.values()) if (state.app.kind !== 'DaemonSet') addTimes(sum, state.requests, 1);
  let most = sum.slice();
  const changed = (requests: Float64Array, times: number) => {
    addTimes(sum, requests, times);
    for (let i = 0; i < sum.length; i++) most[i] = Math.max(most[i], sum[i]);
  };
  world.listeners.push({
    appScaled: (state) => desired[indexOf.get(state) ?? 0].push({ atMs: world.nowMs, replicas: state.desired }),
    podCreated: ({ state }) => {
      if (state.app.kind !== 'DaemonSet') changed(state.requests, 1);
    },
    podStopping: ({ state }) => {
      if (state.app.kind !== 'DaemonSet') changed(state.requests, -1);
    },
  });
  const demand: Float64Array[] = [];
  for (let atMs = startMs; atMs < endMs; atMs += MINUTE_MS) {
    cluster.advanceTo(atMs + MINUTE_MS - 1);
    demand.push(most);
    most = sum.slice();
  }
  return { startMs, endMs, demand, desired };
}

/** The first time after `nowMs` at which the demand does not fit into the capacity; the end of the run if it always does. */
export function outgrownMs({ startMs, endMs, demand }: Future, capacity: Float64Array, nowMs: number): number {
  const now = Math.floor((nowMs - startMs) / MINUTE_MS);
  for (let minute = now + 1; minute < demand.length; minute++)
    if (demand[minute].some((amount, i) => amount > capacity[i])) return startMs + minute * MINUTE_MS;
  return endMs;
}
