import type { Plan } from '../../src/engine/plan-document.ts';

/** The moves in words: "delete a b", "replace a b by t3a.medium t3a.medium", the cheapest type of each new node; by wave. */
export function movesOf(plan: Plan): string[] {
  return plan.moves.map(({ kind, nodes, replacements }) => {
    const by = replacements.map((r) => r.instanceTypes[0]).sort();
    return `${kind} ${nodes.join(' ')}${by.length === 0 ? '' : ` by ${by.join(' ')}`}`;
  });
}

/** Dollars per hour before and after, to a hundredth of a cent. */
export function money({ totals }: Plan): string {
  const dollars = (cents: number) => (Math.round(cents * 100) / 10_000).toString();
  return `${dollars(totals.centsPerHour)} → ${dollars(totals.plannedCentsPerHour)}`;
}
