import type { PodDisruptionBudgetObject } from '../../src/engine/cluster/objects.ts';
import { app } from './constraints.ts';

/** Guards the pods of an app; one of them may go, unless told otherwise. */
export function podDisruptionBudget(
  name: string,
  of: string,
  more: Partial<PodDisruptionBudgetObject> = {},
): PodDisruptionBudgetObject {
  return {
    namespace: 'default',
    name,
    selector: app(of),
    disruptionsAllowed: 1,
    fullyBlocking: false,
    evictsUnhealthy: false,
    ...more,
  };
}
