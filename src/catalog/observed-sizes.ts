import type { InstanceType, NodeObject, Resources } from '../engine/cluster/objects.ts';
import { labelOf } from '../engine/cluster/objects.ts';
import { canonicalLabels, INSTANCE_TYPE, OS } from '../engine/cluster/well-known.ts';

/** Amounts that depend on AMI, kubelet and NodeClass, which a table cannot know. */
const OBSERVED = ['cpu', 'memory', 'pods', 'ephemeral-storage'] as const;
type Observed = (typeof OBSERVED)[number];
const MIB = 2 ** 20;
/** Memory that kubelet reserves on EKS per possible pod. */
const MEMORY_PER_POD = 11 * MIB;

interface Amounts {
  readonly capacity: Resources;
  readonly allocatable: Resources;
}

/**
 * The types with sizes observed on the cluster's nodes. A type with nodes gets the minimum over them. Other types get
 * the root volume and the maximum pods that all nodes share, because those are settings.
 */
export function withObservedSizes(types: readonly InstanceType[], nodes: readonly NodeObject[]): InstanceType[] {
  const shown = observedSizes(nodes);
  if (shown.size === 0) return [...types];
  const known = new Map(types.map((type) => [type.name, type]));
  const disk = agreed([...shown.values()].map(({ capacity }) => capacity['ephemeral-storage']));
  const diskLeft = agreed([...shown.values()].map(({ allocatable }) => allocatable['ephemeral-storage']));
  const podsOf = maxPodsRule(shown, known);
  return types.map((type) => {
    const own = shown.get(type.name);
    if (own !== undefined) return overlaid(type, own);
    const pods = podsOf(type);
    const morePods = pods === undefined ? 0 : pods - (type.capacity.pods ?? 0);
    if (morePods === 0 && disk === undefined) return type;
    return overlaid(type, {
      capacity: amounts({ pods, 'ephemeral-storage': disk }),
      allocatable: amounts({
        pods,
        'ephemeral-storage': diskLeft,
        memory: Math.max(0, (type.allocatable.memory ?? 0) - morePods * MEMORY_PER_POD),
      }),
    });
  });
}

/** By type, the minimum of every amount; Linux only, as the bundled types. */
function observedSizes(nodes: readonly NodeObject[]): Map<string, Amounts> {
  const shown = new Map<string, Amounts>();
  for (const node of nodes) {
    const labels = canonicalLabels(node.labels);
    const name = labelOf(labels, INSTANCE_TYPE);
    // A node that has not registered yet reports nothing, or not everything.
    if (name === undefined || labelOf(labels, OS) === 'windows' || !(node.allocatable.memory > 0)) continue;
    const before = shown.get(name);
    shown.set(name, {
      capacity: least(before?.capacity, node.capacity),
      allocatable: least(before?.allocatable, node.allocatable),
    });
  }
  return shown;
}

function least(a: Resources | undefined, b: Resources): Resources {
  const pick = (key: Observed) => Math.min(a?.[key] ?? Number.POSITIVE_INFINITY, b[key] ?? Number.POSITIVE_INFINITY);
  return Object.fromEntries(
    OBSERVED.map((key) => [key, pick(key)]).filter(([, amount]) => amount !== Number.POSITIVE_INFINITY),
  );
}

function overlaid(type: InstanceType, { capacity, allocatable }: Amounts): InstanceType {
  return {
    ...type,
    capacity: { ...type.capacity, ...capacity },
    allocatable: { ...type.allocatable, ...allocatable },
  };
}

function amounts(all: Readonly<Record<string, number | undefined>>): Resources {
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, number] => entry[1] !== undefined));
}

/** The value that all share. */
function agreed(values: readonly (number | undefined)[]): number | undefined {
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : undefined;
}

/**
 * Pods per node of types without nodes: as in the table while nodes agree with it; else the value that all nodes show
 * (`maxPods` of a NodeClass), or EKS's rule for prefix delegation.
 */
function maxPodsRule(
  shown: ReadonlyMap<string, Amounts>,
  known: ReadonlyMap<string, InstanceType>,
): (type: InstanceType) => number | undefined {
  const seen = [...shown].flatMap(([name, { capacity }]) => {
    const type = known.get(name);
    return type === undefined || capacity.pods === undefined ? [] : [{ type, pods: capacity.pods }];
  });
  if (seen.length === 0 || seen.every(({ type, pods }) => type.capacity.pods === pods)) return () => undefined;
  if (seen.every(({ type, pods }) => pods === prefixDelegation(type))) return prefixDelegation;
  const pods = agreed(seen.map((each) => each.pods));
  return () => pods;
}

/** 110 pods below 30 vCPUs, 250 above. */
function prefixDelegation({ capacity }: InstanceType): number {
  return (capacity.cpu ?? 0) < 30_000 ? 110 : 250;
}
