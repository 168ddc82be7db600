import type { PolicyObject } from '../config/policy-object.ts';
import { blockDuring } from '../config/policy-windows.ts';
import { problemText } from '../config/problem.ts';
import { Governance } from '../controller/governance.ts';
import type { ClusterObjects, NodePoolObject } from '../engine/cluster/objects.ts';

/** For a pool whose policy is invalid or ambiguous. */
const OFF = { consolidateAfter: 'Never' };

/**
 * The pools with the block of the ConsolidationPolicy that selects them, which takes precedence: so everything that
 * reads pools, and every snapshot, uses it. A pool with two policies, or with an invalid one, is not consolidated.
 */
export function poolsUnderPolicies(
  objects: ClusterObjects,
  policies: readonly PolicyObject[],
): { readonly pools: readonly NodePoolObject[]; readonly warnings: readonly string[] } {
  const poolGovernance = new Governance({ interlock: false, compat: false }).poolGovernance({
    objects,
    commands: [],
    policies,
  });
  const warnings: string[] = [];
  const pools = objects.nodePools.map((pool) => {
    const { policyName, policy, window, blockReason } = poolGovernance.get(pool.name)!;
    if (blockReason?.code === 'conflict') {
      warnings.push(`NodePool ${pool.name} is ignored: several policies select it: ${blockReason.policies.join(', ')}`);
      return { ...pool, disruption: OFF, consolidateAfterMs: undefined };
    }
    if (blockReason?.code === 'invalid-policy') {
      const [problem] = blockReason.problems;
      // Problems of the pool's own block are reported by its reader.
      if (problem.object === `NodePool/${pool.name}`) return pool;
      warnings.push(`NodePool ${pool.name} is ignored: ${problemText(problem)}`);
      return { ...pool, disruption: OFF, consolidateAfterMs: undefined };
    }
    const selecting = policies.find((p) => p.name === policyName);
    if (policyName === undefined || selecting === undefined) return pool;
    const disruption = blockDuring(selecting.spec, window);
    const { consolidateAfterMs, budgets } = policy;
    const consolidationPolicy = policy.policy;
    const selectedBy = { policy: policyName, ...(window === undefined ? {} : { window }) };
    return { ...pool, disruption, consolidateAfterMs, budgets, consolidationPolicy, selectedBy };
  });
  return { pools, warnings };
}
