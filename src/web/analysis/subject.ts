import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import type { PoolPolicy } from '../../engine/disruption/pool-policy.ts';
import { type Rules, type Settings, stockPolicy } from '../../engine/settings.ts';
import type { HeldMove } from './held-moves.ts';

/** A cluster at one moment, and what decisions about it go by: plain values, which go to another thread. */
export interface Subject {
  readonly objects: ClusterObjects;
  readonly settings: Settings;
  /** By NodePool. */
  readonly policies: ReadonlyMap<string, PoolPolicy>;
  /** Nodes inside a grace period, and until when; undefined: nobody keeps track. */
  readonly protectedUntilMs?: ReadonlyMap<string, number>;
  /** Moves that a controller's brakes hold back. */
  readonly held?: readonly HeldMove[];
  readonly search: 'merged' | 'karpenter';
  /** New nodes that one move of the plan may launch. */
  readonly maxReplacements: number;
  /** Pods placed in trials of one search, at most; by default as many as the size of the cluster suggests. */
  readonly work?: number;
}

export function rulesOf({ settings, policies, protectedUntilMs }: Subject): Rules {
  return {
    settings,
    policyOf: (pool) => policies.get(pool.name) ?? stockPolicy(pool),
    ...(protectedUntilMs === undefined ? {} : { protectedUntilMs: (node) => protectedUntilMs.get(node) }),
  };
}

/** The same from whoever decides. */
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
