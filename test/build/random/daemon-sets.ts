import fc from 'fast-check';
import type { DaemonSetObject, PodObject } from '../../../src/engine/cluster/objects.ts';
import { hostPort, nodeWith } from '../constraints.ts';
import { daemonPod, daemonSet, type PodSketch } from '../pod.ts';
import { GIB, HOUR_MS, NOW_MS } from '../units.ts';
import { GPU, mostlyNone, nodeRequirement, rarely, TAINTS, TIER, tier } from './vocabulary.ts';

interface DaemonPlan {
  readonly sketch: PodSketch;
  /** On which of the nodes its pod runs already. */
  readonly running: readonly number[];
}

const sketch: fc.Arbitrary<PodSketch> = fc.record({
  cpu: fc.constantFrom(50, 200, 500),
  memory: fc.constantFrom(0, GIB / 4),
  extra: fc.constantFrom({}, {}, {}, { [GPU]: 1 }),
  nodeSelector: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: tier.map((value) => ({ [TIER]: value })) },
  ),
  requiredNodeTerms: rarely(
    4,
    fc.array(
      nodeRequirement.map((r) => nodeWith(r)),
      { minLength: 1, maxLength: 2 },
    ),
  ),
  tolerations: mostlyNone(
    2,
    fc.constantFrom(...TAINTS).map(({ key }) => ({ key, operator: 'Exists' as const, value: '', effect: '' })),
  ),
  hostPorts: fc.constantFrom([], [], [], [hostPort(8080)]),
  labels: fc.constantFrom({ app: 'agent' }, { app: 'web' }),
});

export const daemonPlans: fc.Arbitrary<DaemonPlan[]> = fc.array(
  fc.record({ sketch, running: fc.subarray([0, 1, 2, 3, 4, 5]) }),
  { maxLength: 2 },
);

export function buildDaemons(
  plans: readonly DaemonPlan[],
  nodeNames: readonly string[],
): { sets: DaemonSetObject[]; pods: PodObject[] } {
  const sets = plans.map((plan, i) => daemonSet(`agent-${i}`, plan.sketch));
  const pods = sets.flatMap((set, s) =>
    plans[s].running
      .filter((i) => i < nodeNames.length)
      .map((i) => daemonPod(set, nodeNames[i], { createdMs: NOW_MS - HOUR_MS - i })),
  );
  return { sets, pods };
}
