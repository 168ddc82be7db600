import { type Spend, withSpend } from '../engine/cost/cluster-cost.ts';
import { costBetween, rowSpend, spendOf } from '../engine/cost/cluster-spend.ts';
import type { Candidate } from '../engine/disruption/candidates.ts';
import { nodePrice } from '../engine/disruption/node-price.ts';
import { requiredSavings } from '../engine/disruption/required-savings.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import type { Command, Figures } from './command.ts';

/** The command's result once its replacements run: their actual price and the current pods. */
export function realised(cluster: CompiledCluster, command: Command, candidates: readonly Candidate[]): Figures {
  return {
    savingsCentsPerHour: savedCents(cluster, command, candidates),
    requiredCentsPerHour: requiredSavings(candidates).requiredCents,
    disruptionCost: candidates.reduce((sum, c) => sum + c.disruptionCost, 0),
    evictions: candidates.reduce((sum, c) => sum + cluster.movableOfRow[c.row].length, 0),
  };
}

function savedCents(cluster: CompiledCluster, command: Command, candidates: readonly Candidate[]): number {
  if (cluster.types.commitments.length > 0) return savedWithCommitments(cluster, command, candidates);
  const before = command.nodes.reduce((sum, n) => sum + n.centsPerHour, 0);
  const after = command.replacements.reduce((sum, r) => {
    const row = cluster.rows.findIndex(({ claim }) => claim?.name === r.nodeClaim);
    const paid = row < 0 ? 0 : nodePrice(cluster, row) * 100;
    // An unknown price counts as expected.
    return sum + (paid > 0 ? paid : r.centsPerHour);
  }, 0);
  return before - after;
}

/** The cluster has the old nodes and the new ones: what it cost without the new ones, and will cost without the old ones. */
function savedWithCommitments(
  cluster: CompiledCluster,
  { replacements }: Command,
  candidates: readonly Candidate[],
): number {
  const names = new Set(replacements.map((r) => r.nodeClaim));
  const launched = [...cluster.rows.keys()].filter((row) => names.has(cluster.rows[row].claim?.name ?? ''));
  const old = new Set(candidates.map((c) => c.row));
  const [before, after] = [new Set(launched), old].map((gone) => spendOf(cluster, gone) as Spend);
  // A node whose deletion has begun no longer counts, but did before.
  const leaving = candidates.filter((c) => rowSpend(cluster, c.row).length === 0);
  const paid = leaving.flatMap((c) => cluster.types.spend(c.price, c.coveredBy));
  return 100 * costBetween(cluster, withSpend(before, paid), after);
}
