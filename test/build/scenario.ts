import type { DurationRange } from '../../src/simulator/random-streams.ts';
import type { ReplicaCurve } from '../../src/simulator/replica-curve.ts';
import type { App, ClusterSettings, DaemonApp, JobApp, ReplicatedApp, Scenario } from '../../src/simulator/scenario.ts';
import { UNCONSTRAINED } from './constraints.ts';
import { LARGE, MEDIUM, SMALL } from './instance-type.ts';
import { nodePool } from './node-pool.ts';
import { GIB, NOW_MS } from './units.ts';

export function exactly(ms: number): DurationRange {
  return { leastMs: ms, mostMs: ms };
}

/** Everything takes a fixed time, and nothing goes wrong. */
export const CALM: ClusterSettings = {
  scoring: 'LeastAllocated',
  launchDelay: exactly(30_000),
  initDelay: exactly(10_000),
  terminationDelay: exactly(5_000),
  insufficientCapacityRate: 0,
  spotInterruptionsPerDay: 0,
  drifts: [],
  priceChanges: [],
  drains: [],
};

export interface ScenarioSketch extends Partial<Omit<Scenario, 'settings' | 'options'>> {
  readonly settings?: Partial<ClusterSettings>;
  readonly options?: Partial<Scenario['options']>;
}

/** One pool, three sizes of node, on demand. */
export function scenario({ settings, options, ...sketch }: ScenarioSketch): Scenario {
  return {
    name: 'test',
    startMs: NOW_MS,
    instanceTypes: [SMALL, MEDIUM, LARGE],
    nodePools: [
      nodePool('default', {
        requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }],
        consolidateAfterMs: 60_000,
      }),
    ],
    apps: [],
    ...sketch,
    options: { spotToSpot: false, reservedCapacity: true, preferences: 'Respect', minValues: 'Strict', ...options },
    settings: { ...CALM, ...settings },
  };
}

export function flat(base: number, more: Partial<ReplicaCurve> = {}): ReplicaCurve {
  return { base, everyMs: 60_000, steps: [], growthPerHour: 0, noise: 0, stabilizationMs: 0, ...more };
}

type Sketch<A extends App> = Partial<Omit<A, 'name' | 'kind'>> & { readonly cpu?: number; readonly memory?: number };

function base(name: string, { cpu = 500, memory = GIB, ...rest }: Sketch<App>) {
  return {
    name,
    namespace: 'default',
    labels: { app: name },
    requests: { cpu, memory },
    constraints: UNCONSTRAINED,
    startup: exactly(5_000),
    shutdown: exactly(2_000),
    ...rest,
  };
}

export function deployment(name: string, sketch: Sketch<ReplicatedApp> = {}): ReplicatedApp {
  return { replicas: flat(1), rollouts: [], alignedScaleIn: false, ...base(name, sketch), kind: 'Deployment' };
}

export function statefulSet(name: string, sketch: Sketch<ReplicatedApp> = {}): ReplicatedApp {
  return { ...deployment(name, sketch), kind: 'StatefulSet' };
}

export function job(name: string, sketch: Sketch<JobApp> = {}): JobApp {
  return { firstMs: 0, jitterMs: 0, pods: 1, runTime: exactly(120_000), ...base(name, sketch), kind: 'Job' };
}

export function daemon(name: string, sketch: Sketch<DaemonApp> = {}): DaemonApp {
  return { ...base(name, { cpu: 100, memory: GIB / 8, ...sketch }), kind: 'DaemonSet' };
}
