import fc from 'fast-check';
import type { PodConstraints, PodObject } from '../../../src/engine/cluster/objects.ts';
import { type PodSketch, pendingPod, pod } from '../pod.ts';
import { GIB, HOUR_MS, MINUTE_MS, NOW_MS } from '../units.ts';
import { constraints } from './constraints.ts';
import { type APPS, app, GPU, NAMESPACES, rarely } from './vocabulary.ts';

export interface PodPlan {
  /** Which node it runs on, counted among those that have a Node; undefined: it waits for one. */
  readonly node: number | undefined;
  readonly ageMinutes: number;
  readonly gpus: number;
  readonly sketch: PodSketch & { readonly labels: { readonly app: AppName } };
  /** Its own constraints; none of its own: those of its app, as replicas have them, or none at all. */
  readonly own: Partial<PodConstraints> | 'as its app' | 'none';
}

export type AppConstraints = Readonly<Record<AppName, Partial<PodConstraints>>>;
type AppName = (typeof APPS)[number];

/** Claims of the random storage, each with a volume of another kind; see storage.ts. */
const CLAIM_NAMES = ['bound-a', 'bound-b', 'bound-ab', 'unbound-any', 'unbound-c', 'local'];
/** Claims that are not there, or whose volume is not. */
const BROKEN_CLAIM_NAMES = ['missing', 'lost'];

const labels = fc.tuple(app, fc.constantFrom('1', '2')).map(([name, version]) => ({ app: name, version }));

const sketch = fc.record({
  namespace: fc.oneof(
    { weight: 5, arbitrary: fc.constant('default') },
    { weight: 1, arbitrary: fc.constantFrom(...NAMESPACES) },
  ),
  labels,
  cpu: fc.constantFrom(0, 100, 250, 500, 1000, 2000),
  memory: fc.constantFrom(0, GIB / 4, GIB, 2 * GIB),
  ownedBy: fc.oneof(
    { weight: 10, arbitrary: fc.constant('ReplicaSet' as const) },
    { weight: 1, arbitrary: fc.constantFrom('StatefulSet' as const, 'Node' as const) },
  ),
  terminating: fc.oneof({ weight: 14, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  doNotDisrupt: rarely(25, fc.constantFrom('true', '5m', '2h')),
  volumeClaims: fc.oneof(
    { weight: 24, arbitrary: fc.constant([]) },
    { weight: 4, arbitrary: fc.subarray(CLAIM_NAMES, { minLength: 1, maxLength: 2 }) },
    { weight: 1, arbitrary: fc.subarray(BROKEN_CLAIM_NAMES, { minLength: 1 }) },
  ),
  phase: fc.oneof(
    { weight: 14, arbitrary: fc.constant('Running') },
    { weight: 1, arbitrary: fc.constantFrom('Succeeded', 'Pending') },
  ),
});

const own = fc.oneof(
  { weight: 3, arbitrary: fc.constant('none' as const) },
  { weight: 3, arbitrary: fc.constant('as its app' as const) },
  { weight: 3, arbitrary: constraints },
);

export const podPlans: fc.Arbitrary<PodPlan[]> = fc.array(
  fc.record({
    node: fc.oneof({ weight: 8, arbitrary: fc.nat(11) }, { weight: 1, arbitrary: fc.constant(undefined) }),
    ageMinutes: fc.nat(100),
    gpus: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1),
    sketch,
    own,
  }),
  { maxLength: 15, size: 'medium' },
);

export const appConstraints: fc.Arbitrary<AppConstraints> = fc.record({
  web: constraints,
  db: constraints,
  job: constraints,
});

export function buildPod(plan: PodPlan, i: number, nodeNames: readonly string[], apps: AppConstraints): PodObject {
  const { node, gpus, ageMinutes } = plan;
  // No two pods of one age: Karpenter leaves some ties to the order of its lists, and so may we.
  const createdMs = NOW_MS - HOUR_MS - ageMinutes * MINUTE_MS - i;
  const by = plan.own === 'none' ? {} : plan.own === 'as its app' ? apps[plan.sketch.labels.app] : plan.own;
  const sketch: PodSketch = { ...plan.sketch, ...by, createdMs, extra: gpus === 0 ? {} : { [GPU]: gpus } };
  if (node === undefined || nodeNames.length === 0)
    return pendingPod(`pod-${i}`, { ...sketch, phase: 'Pending', terminating: false });
  const terminating = plan.sketch.terminating === true && plan.sketch.phase === 'Running';
  return pod(`pod-${i}`, { ...sketch, terminating, on: nodeNames[node % nodeNames.length] });
}
