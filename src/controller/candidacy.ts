import type { Candidate } from '../engine/disruption/candidates.ts';
import { assess, refusalsByMethods } from '../engine/gates/assessment.ts';
import { idleSinceMs } from '../engine/gates/idle-since.ts';
import type { NodeRefusal } from '../engine/refusal.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import type { Rules } from '../engine/settings.ts';
import type { Command, CommandNode } from './command.ts';

/** A command's node, evaluated again: still a candidate, or why not (a refusal's code, or what happened). */
export type Candidacy = { readonly candidate: Candidate } | { readonly reason: string };

export function candidacyOf(cluster: CompiledCluster, command: Command, node: CommandNode, rules: Rules): Candidacy {
  const row = cluster.rows.findIndex(({ claim }) => claim?.name === node.nodeClaim);
  if (row < 0) return { reason: 'node-gone' };
  const assessment = assess(cluster, row, rules);
  if ('refusals' in assessment) {
    // A budget may allow it again soon; other refusals do not resolve by themselves.
    const lasting = assessment.refusals.find((r) => r.code !== 'pod-disruption-budget');
    return { reason: (lasting ?? assessment.refusals[0])?.code ?? 'unknown-node-pool' };
  }
  // Deletion has begun: methods and windows no longer apply to the remaining nodes.
  if (command.phase === 'draining') return { candidate: assessment.candidate };
  const refusals = refusalsByMethods(cluster, assessment.candidate, rules);
  const refusal = refusals.find((r) => !isReset(r, cluster, row, command));
  return refusal === undefined ? { candidate: assessment.candidate } : { reason: refusal.code };
}

/**
 * consolidateAfter had passed when the command was proposed. A pod that came or went since restarts the window, but the
 * move is evaluated again with the current pods, and continues if it still holds. Stock starts over.
 */
function isReset({ code }: NodeRefusal, cluster: CompiledCluster, row: number, { decidedMs }: Command): boolean {
  const { claim } = cluster.rows[row];
  if (code !== 'not-consolidatable' || cluster.settings.compat || claim === undefined) return false;
  // The API server keeps whole seconds. What came in that second came after the decision: before it, the gate had refused it.
  return idleSinceMs(claim) >= Math.floor(decidedMs / 1000) * 1000;
}
