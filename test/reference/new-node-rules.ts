import type { ClusterObjects, InstanceType, Labels, Offering } from '../../src/engine/cluster/objects.ts';
import {
  CAPACITY_TYPE,
  HOSTNAME,
  INITIALIZED,
  NODE_POOL,
  REGISTERED,
  RESERVATION_ID,
  ZONE,
} from '../../src/engine/cluster/well-known.ts';
import { daemonsFor, total } from './daemons.ts';
import { portClashes, quarrelsWithNode, shortages } from './node-rules.ts';
import { type AllowedValues, isAllowed, type NewNode } from './outcome.ts';

/**
 * A new node is any of its instance types in any of the offerings that are left: make each of those nodes up, label by
 * label, and look at it as at a node that exists.
 */
export function problemsOfNewNode(objects: ClusterObjects, node: NewNode): string[] {
  const problems = poolProblems(node);
  if (node.types.length === 0) problems.push('no instance type is left');
  for (const type of node.types) {
    const offerings = type.offerings.filter(
      (o) => o.available && valuesOf(o).every(([key, value]) => isAllowed(node.labels.get(key), value)),
    );
    if (offerings.length === 0) problems.push(`${type.name}: no offering is available where the node may be`);
    for (const offering of offerings) {
      for (const problem of problemsAs(objects, node, type, offering)) problems.push(`${type.name}: ${problem}`);
    }
  }
  return [...new Set(problems)].map((problem) => `${node.name} (${node.pool.name}): ${problem}`);
}

function poolProblems(node: NewNode): string[] {
  const { pool } = node;
  const problems: string[] = [];
  if (!pool.ready || pool.terminating || pool.replicas !== undefined) problems.push('its pool launches nothing');
  return problems;
}

function problemsAs(objects: ClusterObjects, node: NewNode, type: InstanceType, offering: Offering): string[] {
  const labels = labelsAs(node, type, offering);
  const { taints } = node.pool;
  // DaemonSets that select a label which only pods bring to the node are overlooked (known-differences.test.ts).
  const known = Object.fromEntries(Object.entries(labels).filter(([key]) => !isMadeUp(node, type, key)));
  const daemons = daemonsFor(objects, known, taints);
  return [
    ...node.pods.flatMap((pod) => quarrelsWithNode(objects, pod, labels, taints).map((p) => `${pod.name} ${p}`)),
    ...shortages(total([...node.pods, ...daemons]), type.allocatable),
    ...portClashes([daemons.flatMap((d) => d.constraints.hostPorts), ...node.pods.map((p) => p.constraints.hostPorts)]),
  ];
}

/** The labels that the node would have: the type's, the offering's, the pool's, and one value for each that is still open. */
function labelsAs(node: NewNode, type: InstanceType, offering: Offering): Labels {
  const labels: Record<string, string> = {};
  for (const [key, allowed] of node.labels) {
    const value = someValue(allowed);
    if (value !== undefined) labels[key] = value;
  }
  for (const { key, operator, values = [] } of type.requirements) {
    if (operator === 'DoesNotExist') delete labels[key];
    else if (values.length === 1) labels[key] = values[0];
  }
  Object.assign(labels, node.pool.templateLabels, Object.fromEntries(valuesOf(offering)));
  return { ...labels, [NODE_POOL]: node.pool.name, [HOSTNAME]: node.name, [REGISTERED]: 'true', [INITIALIZED]: 'true' };
}

/** Neither the pool nor the type speaks of the label: the node has it because a pod asked for it. */
function isMadeUp(node: NewNode, type: InstanceType, key: string): boolean {
  const { templateLabels, requirements } = node.pool;
  return (
    !key.includes('kubernetes.io/') &&
    !key.startsWith('karpenter.') &&
    templateLabels[key] === undefined &&
    ![...requirements, ...type.requirements].some((r) => r.key === key)
  );
}

function someValue(allowed: AllowedValues): string | undefined {
  if (!allowed.complement) return [...allowed.values][0];
  for (let n = allowed.atLeast ?? 0; n <= (allowed.atMost ?? Infinity); n++)
    if (!allowed.values.has(String(n))) return String(n);
  return undefined;
}

function valuesOf(offering: Offering): [string, string][] {
  const keys = [ZONE, CAPACITY_TYPE, RESERVATION_ID];
  return offering.requirements.filter((r) => keys.includes(r.key)).map((r) => [r.key, r.values?.[0] ?? '']);
}
