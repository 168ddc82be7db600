import fc from 'fast-check';
import type {
  LabelSelector,
  NodeSelectorTerm,
  PodAffinityTerm,
  PodConstraints,
  Toleration,
  TopologySpread,
} from '../../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, HOSTNAME, ZONE } from '../../../src/engine/cluster/well-known.ts';
import { hostPort, nodeWith, toleration, weighing } from '../constraints.ts';
import { ZONES } from '../instance-type.ts';
import { app, mostlyNone, NAMESPACES, nodeRequirement, rarely, TIER, tier } from './vocabulary.ts';

const topologyKey = fc.oneof(
  { weight: 4, arbitrary: fc.constant(ZONE) },
  { weight: 4, arbitrary: fc.constant(HOSTNAME) },
  { weight: 1, arbitrary: fc.constantFrom(TIER, CAPACITY_TYPE) },
);

const selector: fc.Arbitrary<LabelSelector | undefined> = fc.oneof(
  { weight: 8, arbitrary: app.map((name) => ({ matchLabels: { app: name } })) },
  {
    weight: 1,
    arbitrary: fc
      .subarray(['web', 'db'], { minLength: 1 })
      .map((values) => ({ matchExpressions: [{ key: 'app', operator: 'In' as const, values }] })),
  },
  {
    weight: 1,
    arbitrary: app.map((name) => ({ matchExpressions: [{ key: 'app', operator: 'NotIn' as const, values: [name] }] })),
  },
  { weight: 1, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

const spread: fc.Arbitrary<TopologySpread> = fc.record(
  {
    topologyKey,
    maxSkew: fc.constantFrom(1, 1, 2),
    whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway'),
    labelSelector: selector,
    minDomains: rarely(5, fc.constantFrom(2, 3, 4)),
    nodeAffinityPolicy: rarely(4, fc.constantFrom('Honor', 'Ignore')),
    nodeTaintsPolicy: rarely(4, fc.constantFrom('Honor', 'Ignore')),
    matchLabelKeys: rarely(5, fc.constant(['version'])),
  },
  { noNullPrototype: true },
);

const podTerm: fc.Arbitrary<PodAffinityTerm> = fc.record({
  topologyKey,
  labelSelector: selector,
  namespaces: rarely(6, fc.subarray([...NAMESPACES], { minLength: 1 })),
  namespaceSelector: rarely(8, fc.constantFrom({}, { matchLabels: { team: 'blue' } })),
});

const nodeTerm: fc.Arbitrary<NodeSelectorTerm> = fc
  .array(nodeRequirement, { minLength: 1, maxLength: 2 })
  .map((list) => nodeWith(...list));

const tolerations: fc.Arbitrary<Toleration> = fc.oneof(
  fc.constantFrom('dedicated', 'flaky', 'level').map((key) => toleration(key)),
  fc.constantFrom('db', 'web').map((value) => toleration('dedicated', { operator: 'Equal', value })),
  fc.constantFrom('NoSchedule', 'PreferNoSchedule', 'NoExecute').map((effect) => toleration('', { effect })),
  fc
    .tuple(fc.constantFrom('Gt', 'Lt'), fc.constantFrom('4', '6'))
    .map(([operator, value]) => toleration('level', { operator, value })),
);

const weighted = <T>(arb: fc.Arbitrary<T>) =>
  fc.tuple(fc.constantFrom(1, 10, 50), arb).map(([weight, term]) => weighing(weight, term));

const nodeSelector = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: tier.map((value) => ({ [TIER]: value })) },
  { weight: 1, arbitrary: fc.constantFrom(...ZONES).map((value) => ({ [ZONE]: value })) },
);

/** Constraints of every kind; a pod has about one or two of them. */
export const constraints: fc.Arbitrary<Partial<PodConstraints>> = fc.record({
  nodeSelector,
  requiredNodeTerms: rarely(6, fc.array(nodeTerm, { minLength: 1, maxLength: 2 })),
  preferredNodeTerms: mostlyNone(9, weighted(nodeTerm)),
  requiredAffinity: mostlyNone(9, podTerm),
  preferredAffinity: mostlyNone(12, weighted(podTerm)),
  requiredAntiAffinity: mostlyNone(7, podTerm),
  preferredAntiAffinity: mostlyNone(12, weighted(podTerm)),
  tolerations: mostlyNone(4, tolerations),
  topologySpread: mostlyNone(4, spread),
  hostPorts: mostlyNone(
    8,
    fc
      .tuple(fc.constantFrom(8080, 9090), fc.constantFrom('', '10.0.0.1', '10.0.0.2'))
      .map(([port, ip]) => hostPort(port, { ip })),
  ),
});
