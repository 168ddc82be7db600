import type { Candidate } from '../engine/disruption/candidates.ts';
import { nodePrice } from '../engine/disruption/node-price.ts';
import { requiredSavings } from '../engine/disruption/required-savings.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import type { Command, Figures } from './command.ts';

/** The command's result once its replacements run: their actual price and the current pods. */
export function realised(cluster: CompiledCluster, command: Command, candidates: readonly Candidate[]): Figures {
  const before = command.nodes.reduce((sum, n) => sum + n.centsPerHour, 0);
  const after = command.replacements.reduce((sum, r) => {
    const row = cluster.rows.findIndex(({ claim }) => claim?.name === r.nodeClaim);
    const paid = row < 0 ? 0 : nodePrice(cluster, row) * 100;
    // An unknown price counts as expected.
    return sum + (paid > 0 ? paid : r.centsPerHour);
  }, 0);
  return {
    savingsCentsPerHour: before - after,
    requiredCentsPerHour: requiredSavings(candidates).requiredCents,
    disruptionCost: candidates.reduce((sum, c) => sum + c.disruptionCost, 0),
    evictions: candidates.reduce((sum, c) => sum + cluster.movableOfRow[c.row].length, 0),
  };
}
