import { NODE_POOL } from '../cluster/well-known.ts';
import { type Candidate, candidateOf, isEmpty } from '../disruption/candidates.ts';
import type { NodeRefusal } from '../refusal.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Rules } from '../settings.ts';
import { methodRefusals, removalRefusals } from './node-gates.ts';
import type { NodeInQuestion } from './node-in-question.ts';

export type Assessment = { readonly candidate: Candidate } | { readonly refusals: readonly NodeRefusal[] };

/** Candidate construction: every reason why the node may not be removed, or its costs. */
export function assess(cluster: CompiledCluster, row: number, rules: Rules): Assessment {
  const q = questionOf(cluster, row, rules);
  const refusals = removalRefusals(q);
  return refusals.length > 0 || q.pool === undefined
    ? { refusals }
    : { candidate: candidateOf(cluster, row, q.pool, rules) };
}

/** Why no method would remove the candidate; empty if one would. */
export function refusalsByMethods(cluster: CompiledCluster, c: Candidate, rules: Rules): readonly NodeRefusal[] {
  return methodRefusals(questionOf(cluster, c.row, rules), isEmpty(c));
}

function questionOf(cluster: CompiledCluster, row: number, rules: Rules): NodeInQuestion {
  const { labels, name } = cluster.rows[row];
  const pool = cluster.poolByName.get(labels[NODE_POOL] ?? '');
  return {
    cluster,
    row,
    settings: rules.settings,
    pool,
    policy: pool === undefined ? undefined : rules.policyOf(pool),
    protectedUntilMs: rules.protectedUntilMs?.(name),
  };
}
