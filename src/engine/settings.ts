import type { NodePoolObject } from './cluster/objects.ts';
import type { PolicyName, PoolPolicy } from './disruption/pool-policy.ts';
import { type KarpenterVersion, NEWEST_KARPENTER } from './karpenter-release.ts';

/** How decisions are made, apart from the NodePools' own policies. `--compat karpenter` sets all of it to stock. */
export interface Settings {
  /** Reproduce Karpenter exactly, including its known quirks (docs/differences.md). */
  readonly compat: boolean;
  /** The release of Karpenter to reproduce; without compat, the newest. */
  readonly karpenter: KarpenterVersion;
  /** Moved pods are not placed on nodes inside their own consolidateAfter window. */
  readonly shieldDestinations: boolean;
  /** Nodes with a higher utilization stay; 1 disables the gate. */
  readonly utilizationThreshold: number;
  /** Disruption cost of an empty node. */
  readonly nodeBaseCost: number;
  /** Younger nodes are not candidates, unless their pool sets consolidateAfter; 0 disables the gate. */
  readonly minNodeLifetimeMs: number;
  /** The minimum was set explicitly, so it applies to pools with consolidateAfter too. */
  readonly minNodeLifetimeForAll: boolean;
  /** A pod without a controller is lost when it is evicted, so its node stays. */
  readonly ownerlessPodsBlock: boolean;
  /** `karpenter.sh/do-not-evict`, the older annotation, counts beside do-not-disrupt. */
  readonly honorDoNotEvict: boolean;
  /** `cluster-autoscaler.kubernetes.io/safe-to-evict: "false"` blocks, and "true" releases from localDataBlocks. */
  readonly honorSafeToEvict: boolean;
  /** A pod with `hostPath` or `emptyDir` data keeps its node. */
  readonly localDataBlocks: boolean;
  /** Cheaper types that a spot node needs to be replaced by spot. */
  readonly spotToSpotTypes: number;
  /** Fewer types suffice if the savings threshold already requires a large share of the price. */
  readonly spotToSpotShrink: boolean;
  /** New nodes that one command may launch. */
  readonly maxReplacements: number;
  /** Cents per hour that every node costs besides its price: licences, agents. */
  readonly nodeSurchargeCents: number;
  /** Savings count less on a destination that will not last. */
  readonly destinationLifetime: boolean;
  /** Interruptions of a spot node per hour; used by destinationLifetime only. */
  readonly spotInterruptionsPerHour: number;
  /** Evictions allowed per workload within a window; 0 for no limit. */
  readonly maxWorkloadEvictions: number;
  /** Pods that ask for it, by annotation or pool, are rolled instead of evicted. */
  readonly rollouts: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
  compat: false,
  karpenter: NEWEST_KARPENTER,
  shieldDestinations: false,
  utilizationThreshold: 0.75,
  nodeBaseCost: 1,
  minNodeLifetimeMs: 5 * 60_000,
  minNodeLifetimeForAll: false,
  ownerlessPodsBlock: true,
  honorDoNotEvict: true,
  honorSafeToEvict: true,
  localDataBlocks: false,
  spotToSpotTypes: 15,
  spotToSpotShrink: false,
  maxReplacements: 1,
  nodeSurchargeCents: 0,
  destinationLifetime: false,
  spotInterruptionsPerHour: 0.05,
  maxWorkloadEvictions: 0,
  rollouts: false,
};

export const STOCK_SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  compat: true,
  shieldDestinations: true,
  utilizationThreshold: 1,
  minNodeLifetimeMs: 0,
  ownerlessPodsBlock: false,
  honorDoNotEvict: false,
  honorSafeToEvict: false,
};

/** The policy that stock Karpenter reads from a NodePool: its own fields only. */
export function stockPolicy(pool: NodePoolObject): PoolPolicy {
  const policy: PolicyName =
    pool.consolidationPolicy === 'WhenEmpty'
      ? 'WhenEmpty'
      : pool.consolidationPolicy === 'Balanced'
        ? 'Balanced'
        : 'WhenUnderutilizedOrCheaper';
  const more = policy !== 'WhenEmpty';
  return {
    policy,
    emptiness: { enabled: true, emptyThreshold: 0 },
    singleNode: { enabled: more },
    // Karpenter's "at most 100" are 101.
    multiNode: { enabled: more, maxParallel: 101 },
    consolidateAfterMs: pool.consolidateAfterMs,
    setsConsolidateAfter: true,
    gracePeriodMs: undefined,
    savingsThresholdCents: 0,
    minSavingsPercent: 0,
    balancedK: 2,
    ttlSecondsAfterEmpty: undefined,
    budgets: pool.budgets,
  };
}

/** Settings, and the policies of NodePools. */
export interface Rules {
  readonly settings: Settings;
  policyOf(pool: NodePoolObject): PoolPolicy;
  /** End of a node's grace period, by node name; undefined if grace periods are not tracked. */
  protectedUntilMs?(node: string): number | undefined;
}

export const STOCK_RULES: Rules = { settings: STOCK_SETTINGS, policyOf: stockPolicy };
