import type { PlannedMove } from '../../src/engine/plan-document.ts';
import type { RawObject, RawSnapshot } from './raw-snapshot.ts';

/**
 * In a wave no pool loses more nodes than its budgets leave, and no PodDisruptionBudget more pods than it allows. Percentages are
 * of the nodes that the pool has now or, in waves that were planned together with earlier ones, had at first.
 */
export function problemsOfWave(now: RawSnapshot, own: readonly PlannedMove[], atFirst: RawSnapshot): string[] {
  const problems: string[] = [];
  const going = new Set(own.flatMap((m) => m.nodes));
  for (const pool of now.objects.filter((o) => o.kind === 'NodePool')) {
    const nodesIn = ({ objects }: RawSnapshot) =>
      objects.filter((o) => o.kind === 'Node' && poolOf(o) === pool.metadata.name);
    const left = budgetOf(pool, Math.max(nodesIn(now).length, nodesIn(atFirst).length));
    const count = nodesIn(now).filter((n) => going.has(n.metadata.name)).length;
    if (count > left) problems.push(`${count} nodes of ${pool.metadata.name}, ${left} may go`);
  }
  for (const pdb of now.objects.filter((o) => o.kind === 'PodDisruptionBudget')) {
    const evicted = own.map((m) => podsOf(now, pdb).filter((p) => m.nodes.includes(p.spec?.nodeName ?? '')).length);
    const all = evicted.reduce((a, b) => a + b, 0);
    // A move that alone takes more drains at the budget's pace, with nobody else of that budget beside it.
    const isAlone = evicted.filter((n) => n > 0).length === 1;
    const allowed = pdb.status?.disruptionsAllowed ?? 0;
    if (all > allowed && (allowed === 0 || !isAlone)) {
      problems.push(`${all} pods of ${pdb.metadata.name}, which allows ${allowed}`);
    }
  }
  return problems;
}

function poolOf({ metadata: { labels = {} } }: RawObject): string | undefined {
  return labels['karpenter.sh/nodepool'];
}

/** The recorded clusters have budgets without reasons; one with a schedule says nothing here. */
function budgetOf({ spec }: RawObject, nodes: number): number {
  const budgets = (spec?.disruption?.budgets ?? [{ nodes: '10%' }]).filter((b) => !('schedule' in b));
  return Math.min(
    ...budgets.map(({ nodes: text }) =>
      text.endsWith('%') ? Math.ceil((Number(text.slice(0, -1)) / 100) * nodes) : Number(text),
    ),
  );
}

/** Pods that the budget covers and that have to be evicted. */
function podsOf({ objects }: RawSnapshot, { metadata: { namespace }, spec }: RawObject): readonly RawObject[] {
  const labels = Object.entries(spec?.selector?.matchLabels ?? {});
  return objects.filter(
    (o) =>
      o.kind === 'Pod' &&
      o.metadata.namespace === namespace &&
      o.metadata.deletionTimestamp === undefined &&
      o.status?.phase === 'Running' &&
      labels.every(([key, value]) => o.metadata.labels?.[key] === value) &&
      !(o.metadata.ownerReferences ?? []).some((owner) => owner.kind === 'DaemonSet'),
  );
}
