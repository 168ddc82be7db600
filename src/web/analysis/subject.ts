import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import type { PoolPolicy } from '../../engine/disruption/pool-policy.ts';
import { type Rules, type Settings, stockPolicy } from '../../engine/settings.ts';
import type { BrakedMove } from './held-moves.ts';

/** A cluster at one moment with its settings and policies: plain values that can be sent to another thread. */
export interface Subject {
  readonly objects: ClusterObjects;
  readonly settings: Settings;
  readonly policies: ReadonlyMap<string, PoolPolicy>;
  /** Nodes in a grace period, and its end; undefined if grace periods are not tracked. */
  readonly protectedUntilMs?: ReadonlyMap<string, number>;
  /** Moves that a controller's brakes hold back. */
  readonly held?: readonly BrakedMove[];
  readonly search: 'merged' | 'karpenter';
  /** New nodes that one move may launch. */
  readonly maxReplacements: number;
  /** Limit on simulated placements of one search; by default derived from the size of the cluster. */
  readonly work?: number;
}

export function rulesOf({ settings, policies, protectedUntilMs }: Subject): Rules {
  return {
    settings,
    policyOf: (pool) => policies.get(pool.name) ?? stockPolicy(pool),
    ...(protectedUntilMs === undefined ? {} : { protectedUntilMs: (node) => protectedUntilMs.get(node) }),
  };
}

export function subjectOf(
  objects: ClusterObjects,
  rules: Rules,
  how: Pick<Subject, 'search' | 'maxReplacements' | 'work' | 'held'>,
): Subject {
  const { settings, protectedUntilMs } = rules;
  const windows = objects.nodes.flatMap(({ name }) => {
    const untilMs = protectedUntilMs?.(name);
    return untilMs === undefined ? [] : [[name, untilMs] as const];
  });
  const grace = protectedUntilMs === undefined ? {} : { protectedUntilMs: new Map(windows) };
  return { objects, settings, policies: policiesUnder(objects, rules), ...grace, ...how };
}

function policiesUnder({ nodePools }: ClusterObjects, rules: Rules): ReadonlyMap<string, PoolPolicy> {
  return new Map(nodePools.map((pool) => [pool.name, rules.policyOf(pool)]));
}
