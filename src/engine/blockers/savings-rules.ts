import { changed, type Situation } from '../explanation/situation.ts';
import type { Plan, PlannedNode } from '../plan-document.ts';
import type { Refusal } from '../refusal.ts';

/** Rules of pools by which a move must save enough for its disruption. They are no blockers: they weigh, and do not forbid. */
const RULES: ReadonlySet<string> = new Set<Refusal['code']>([
  'savings-below-threshold',
  'savings-below-percent',
  'balanced-score',
]);

/** Nodes that stay because of savings rules only: alone, or in the joint move that would save most. */
export function keptByRules(plan: Plan): readonly PlannedNode[] {
  const leaving = new Set(plan.moves.flatMap(({ nodes }) => nodes));
  return plan.nodes.filter(({ name, refusals }) => {
    const rules = refusals.filter(({ code }) => RULES.has(code));
    const isJoint = rules.some((rule) => 'nodes' in rule);
    return !leaving.has(name) && rules.length > 0 && (isJoint || rules.length === refusals.length);
  });
}

/** The situation without the savings rules of these pools. */
export function withoutRules(situation: Situation, nodePools: ReadonlySet<string>): Situation {
  return changed(
    situation,
    [...nodePools].flatMap((nodePool) => [
      { code: 'savings-threshold', nodePool, atMostCents: 0 } as const,
      { code: 'savings-percent', nodePool, atMost: 0 } as const,
      { code: 'balanced-k', nodePool, atLeast: Number.POSITIVE_INFINITY } as const,
    ]),
  );
}
