import type { Commitment } from './cluster/commitment.ts';
import { clusterCost, coverage, type Spend, withSpend } from './cost/cluster-cost.ts';
import { MoveCost } from './moves/move-cost.ts';
import type { FoundMove } from './pass/evaluation.ts';
import type { CommitmentUse, PlannedCommitment } from './plan-document.ts';
import type { CompiledCluster } from './scheduling/compiled-cluster.ts';
import type { Simulation } from './scheduling/simulation.ts';

export interface PlanCost {
  readonly centsPerHour: number;
  readonly commitments: readonly PlannedCommitment[];
}

/** The cost of the cluster and the use of its commitments, before and after moves; undefined without commitments. */
export function planCost(
  { cluster, spend: { running } }: Simulation,
  stages: readonly { readonly cluster: CompiledCluster; readonly moves: readonly FoundMove[] }[],
): PlanCost | undefined {
  if (running === undefined) return undefined;
  const { commitments } = cluster.types;
  let after: Spend = running;
  for (const { cluster: own, moves } of stages)
    for (const { move } of moves) after = new MoveCost(own, after, move.candidates).after(move.replacements) as Spend;
  return {
    centsPerHour: 100 * clusterCost(commitments, leavingToo(cluster, running)),
    commitments: commitments.map((commitment) => ({
      name: commitment.name,
      committedCentsPerHour: 100 * commitment.dollarsPerHour,
      now: useOf(commitment, running),
      planned: useOf(commitment, after),
    })),
  };
}

/** Nodes that are being deleted are paid until they are gone. */
function leavingToo({ rows, types }: CompiledCluster, spend: Spend): Spend {
  const leaving = rows.filter(({ tracked, deleting }) => tracked && deleting);
  return withSpend(
    spend,
    leaving.flatMap(({ labels }) => {
      const { price = 0, coveredBy } = types.quote(labels) ?? {};
      return types.spend(price, coveredBy);
    }),
  );
}

function useOf(commitment: Commitment, spend: Spend): CommitmentUse {
  const { dollarsPerHour, coversDollarsPerHour } = commitment;
  const covered = coverage(spend).byCommitment.get(commitment) ?? 0;
  const used = coversDollarsPerHour === 0 ? 0 : (covered / coversDollarsPerHour) * dollarsPerHour;
  return {
    usedCentsPerHour: 100 * used,
    unusedCentsPerHour: 100 * Math.max(0, dollarsPerHour - used),
    coveredCentsPerHour: 100 * covered,
  };
}
