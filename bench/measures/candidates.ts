import { type PoolTotals, poolTotals } from '../../src/engine/disruption/balanced.ts';
import { type Candidate, isEmpty } from '../../src/engine/disruption/candidates.ts';
import { assess, refusalsByMethods } from '../../src/engine/gates/assessment.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import { STOCK_RULES } from '../../src/engine/settings.ts';

export interface Candidates {
  readonly all: readonly Candidate[];
  /** Nodes that the single- and multi-node methods examine: those that Karpenter's own figure is about. */
  readonly examined: readonly Candidate[];
  readonly totals: ReadonlyMap<string, PoolTotals>;
}

export function candidatesOf(cluster: CompiledCluster): Candidates {
  const all: Candidate[] = [];
  for (let row = 0; row < cluster.rows.length; row++) {
    if (!cluster.rows[row].tracked) continue;
    const assessment = assess(cluster, row, STOCK_RULES);
    if ('candidate' in assessment) all.push(assessment.candidate);
  }
  const examined = all.filter((c) => !isEmpty(c) && refusalsByMethods(cluster, c, STOCK_RULES).length === 0);
  return { all, examined, totals: poolTotals(cluster, all) };
}
