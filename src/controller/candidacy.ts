import { isReschedulable } from '../engine/cluster/pods.ts';
import type { Candidate } from '../engine/disruption/candidates.ts';
import { assess } from '../engine/gates/assessment.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import type { Rules } from '../engine/settings.ts';
import type { Command, CommandNode } from './command.ts';
import { podsToMove } from './new-command.ts';

/** A node of a command looked at anew: still a candidate, or why it may not be taken away (a refusal's code, or what happened). */
export type Candidacy = { readonly candidate: Candidate } | { readonly reason: string };

export function candidacyOf(cluster: CompiledCluster, command: Command, node: CommandNode, rules: Rules): Candidacy {
  const row = cluster.rows.findIndex(({ claim }) => claim?.name === node.nodeClaim);
  if (row < 0) return { reason: 'node-gone' };
  const assessment = assess(cluster, row, rules);
  if ('refusals' in assessment) {
    // A budget may have room again soon; whatever else there is will not go away by itself.
    const lasting = assessment.refusals.find((r) => r.code !== 'pod-disruption-budget');
    return { reason: (lasting ?? assessment.refusals[0])?.code ?? 'unknown-node-pool' };
  }
  return hasLanded(cluster, row, command, node) ? { reason: 'pod-landed' } : { candidate: assessment.candidate };
}

/**
 * A pod has come since the decision was made. The move was never weighed with it, and it may be there because of the
 * room (scenario S27).
 */
function hasLanded(cluster: CompiledCluster, row: number, { decidedMs }: Command, { pods }: CommandNode): boolean {
  const isNew = (pod: number) => {
    const { startedMs } = cluster.pods[pod];
    return startedMs !== undefined && startedMs > decidedMs && isReschedulable(cluster.pods[pod]);
  };
  return podsToMove(cluster, row) > pods || cluster.podsOfRow[row].some(isNew);
}
