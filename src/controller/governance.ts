import { nodePoolSelector, objectProblems, type PolicyObject } from '../config/policy-object.ts';
import { blockDuring, openWindow } from '../config/policy-windows.ts';
import type { Problem } from '../config/problem.ts';
import { type PoolPolicyReading, readPoolPolicy } from '../config/read-pool-policy.ts';
import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import type { ClusterObjects, NodePoolObject } from '../engine/cluster/objects.ts';
import type { PolicyRef } from '../engine/cluster/policy-ref.ts';
import type { PoolPolicy } from '../engine/disruption/pool-policy.ts';
import { compileSelector } from '../engine/selection/label-selector.ts';
import { stockPolicy } from '../engine/settings.ts';
import type { ClusterView } from './cluster-port.ts';
import { karpenterLeavesAlone } from './interlock.ts';
import { type PriceDoubt, PriceTrust } from './price-trust.ts';

/** Why a pool is not consolidated, independent of its nodes. */
export type BlockReason =
  /** Karpenter consolidates it: observed only. */
  | { readonly code: 'interlock' }
  /** Several ConsolidationPolicies select it. */
  | { readonly code: 'conflict'; readonly policies: readonly string[] }
  | { readonly code: 'invalid-policy'; readonly problems: readonly Problem[] }
  /** The NodePool is being deleted. */
  | { readonly code: 'deleting' }
  /** Its prices are not reliable enough to act on: observed only. */
  | { readonly code: 'prices'; readonly doubt: PriceDoubt };

/** A pool's policy, and whether Decant may act on it. */
export interface PoolGovernance {
  readonly pool: string;
  /** The ConsolidationPolicy that selects it; undefined: its own block applies. */
  readonly policyName?: string;
  /** Index of the policy's open window. */
  readonly window?: number;
  readonly policy: PoolPolicy;
  readonly blockReason?: BlockReason;
}

export interface GovernanceOptions {
  /** Off in simulations, where Karpenter does not consolidate. */
  readonly interlock: boolean;
  /** NodePools are read as stock Karpenter reads them. */
  readonly compat: boolean;
  /** Allow acting on bundled spot prices. */
  readonly allowBundledSpot?: boolean;
}

/**
 * Determines the policy of each pool: a ConsolidationPolicy that selects it takes precedence over its own block; two of
 * them are an error, and the pool is not consolidated (product, "Configuration").
 */
export class Governance {
  private readonly options: GovernanceOptions;
  /** Parsed blocks by object and open window. */
  private readonly readings = new WeakMap<object, Map<number | undefined, PoolPolicyReading>>();

  private readonly priceTrust: PriceTrust;

  constructor(options: GovernanceOptions) {
    this.options = options;
    this.priceTrust = new PriceTrust(options.allowBundledSpot ?? false);
  }

  poolGovernance({ objects, policies = [] }: ClusterView): ReadonlyMap<string, PoolGovernance> {
    const selecting = policies.map((policy) => ({ policy, selector: compileSelector(nodePoolSelector(policy)) }));
    return new Map(
      objects.nodePools.map((pool) => {
        const own = selecting.filter(({ selector }) => selector.matches(pool.labels)).map(({ policy }) => policy);
        return [pool.name, this.governanceOf(pool, own, objects)];
      }),
    );
  }

  private governanceOf(
    pool: NodePoolObject,
    policies: readonly PolicyObject[],
    objects: ClusterObjects,
  ): PoolGovernance {
    const off = { pool: pool.name, policy: OFF };
    if (policies.length > 1) {
      const names = policies.map((p) => p.name).sort();
      return { ...off, blockReason: { code: 'conflict', policies: names } };
    }
    const window = policies.length === 1 ? this.openWindow(policies[0], objects.nowMs) : undefined;
    const reading = policies.length === 1 ? this.readPolicy(policies[0], window) : this.readPool(pool);
    if ('problems' in reading) return { ...off, blockReason: { code: 'invalid-policy', problems: reading.problems } };
    const { policy } = reading;
    const named = policies.length === 1 ? { policyName: policies[0].name } : {};
    const timed = window === undefined ? {} : { window };
    const blockReason = this.blockReason(pool, objects);
    return { pool: pool.name, policy, ...named, ...timed, ...(blockReason === undefined ? {} : { blockReason }) };
  }

  private blockReason(pool: NodePoolObject, objects: ClusterObjects): BlockReason | undefined {
    if (pool.terminating) return { code: 'deleting' };
    if (!this.options.interlock) return undefined;
    if (!karpenterLeavesAlone(pool)) return { code: 'interlock' };
    const doubt = this.priceTrust.doubt(pool, objects);
    return doubt === undefined ? undefined : { code: 'prices', doubt };
  }

  private readPool(pool: NodePoolObject): PoolPolicyReading {
    if (this.options.compat) return { policy: stockPolicy(pool) };
    return this.remembered(pool, undefined, () => readPoolPolicy(`NodePool/${pool.name}`, pool.disruption));
  }

  /** undefined for an invalid policy. */
  private openWindow(object: PolicyObject, nowMs: number): number | undefined {
    return 'problems' in this.readPolicy(object, undefined) ? undefined : openWindow(object.spec, nowMs);
  }

  private readPolicy(object: PolicyObject, window: number | undefined): PoolPolicyReading {
    return this.remembered(object, window, () => {
      const problems = objectProblems(object);
      if (problems.length > 0) return { problems };
      return readPoolPolicy(`${object.kind}/${object.name}`, blockDuring(object.spec, window), 'spec');
    });
  }

  private remembered(object: object, window: number | undefined, read: () => PoolPolicyReading): PoolPolicyReading {
    const readings = getOrInsert(this.readings, object, () => new Map());
    const known = readings.get(window) ?? read();
    readings.set(window, known);
    return known;
  }
}

/** Consolidation disabled. */
export const OFF: PoolPolicy = {
  policy: 'WhenEmpty',
  emptiness: { enabled: false, emptyThreshold: 0 },
  singleNode: { enabled: false },
  multiNode: { enabled: false, maxParallel: 1 },
  consolidateAfterMs: undefined,
  setsConsolidateAfter: true,
  gracePeriodMs: undefined,
  savingsThresholdCents: 0,
  minSavingsPercent: 0,
  balancedK: 2,
  ttlSecondsAfterEmpty: undefined,
  budgets: [],
};

/**
 * The objects as decisions see them: each pool with the fields of its policy. A pool that was handed over has Never or
 * a budget of 0, which is meant for Karpenter only.
 */
export function governed(objects: ClusterObjects, poolGovernance: ReadonlyMap<string, PoolGovernance>): ClusterObjects {
  return {
    ...objects,
    nodePools: objects.nodePools.map((pool) => {
      const governance = poolGovernance.get(pool.name);
      if (governance?.policyName === undefined) return pool;
      const { policyName, window, policy } = governance;
      return underPolicy(pool, policy, { policy: policyName, ...(window === undefined ? {} : { window }) });
    }),
  };
}

/** The same object while pool and policy are unchanged, so that an incremental pass can reuse its results. */
const underPolicies = new WeakMap<NodePoolObject, NodePoolObject>();

function underPolicy(
  pool: NodePoolObject,
  { consolidateAfterMs, budgets }: PoolPolicy,
  selectedBy: PolicyRef,
): NodePoolObject {
  const known = underPolicies.get(pool);
  const isSelectedAsKnown =
    known?.selectedBy?.policy === selectedBy.policy && known.selectedBy.window === selectedBy.window;
  if (isSelectedAsKnown && known.consolidateAfterMs === consolidateAfterMs && known.budgets === budgets) return known;
  const made = { ...pool, consolidateAfterMs, budgets, selectedBy };
  underPolicies.set(pool, made);
  return made;
}
