import type { InstanceType } from '../cluster/objects.ts';
import { SPOT } from '../cluster/well-known.ts';
import type { PlannedMove, PlannedNode } from '../plan-document.ts';

/** Share of such spot nodes that the cloud interrupts within a month, as the catalog knows it. */
export interface SpotInterruptions {
  readonly instanceType: string;
  readonly monthlyShare: number;
}

const MONTH_HOURS = 30 * 24;

/** Of the node, and of what replaces it: spot only, and where the catalog knows it. */
export function spotInterruptions(
  types: readonly InstanceType[],
  node: PlannedNode,
  move: PlannedMove | undefined,
): readonly SpotInterruptions[] {
  const wanted = new Set(node.capacityType === SPOT ? [node.instanceType] : []);
  for (const { capacityTypes, instanceTypes } of move?.replacements ?? [])
    if (capacityTypes.includes(SPOT)) wanted.add(instanceTypes[0]);
  return [...wanted].flatMap((instanceType) => {
    const rate = types.find(({ name }) => name === instanceType)?.spotInterruptionsPerHour;
    return rate === undefined ? [] : [{ instanceType, monthlyShare: -Math.expm1(-rate * MONTH_HOURS) }];
  });
}
