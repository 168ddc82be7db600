import { problemText } from '../../config/problem.ts';
import type { PodDisruptionBudgetObject } from '../../engine/cluster/objects.ts';
import type { UndecodableObject } from '../../engine/cluster/undecodable.ts';
import { FieldProblem } from '../field-problem.ts';
import { isAbsent, type JsonObject } from './field-value.ts';
import { DEFAULT_NAMESPACE, isPrintable } from './metadata.ts';

const NAMESPACED: ReadonlySet<string> = new Set([
  'Pod',
  'PodDisruptionBudget',
  'DaemonSet',
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'ReplicationController',
  'Job',
  'PersistentVolumeClaim',
  'PodTemplate',
  'CapacityBuffer',
  'HorizontalPodAutoscaler',
]);

/**
 * What the engine gets of an object that failed to decode with `problem`. `raw` is the object as JSON.parse returns it.
 * Throws the problem if even the object's name and namespace, or a pod's node, cannot be read: no API server holds such an
 * object.
 */
export function setAside(kind: string, raw: unknown, problem: unknown): UndecodableObject {
  const name = textAt(raw, 'metadata', 'name');
  const namespace = textAt(raw, 'metadata', 'namespace');
  const nodeName = nodeNameOf(kind, raw);
  if (name === undefined || name === '' || !isPrintable(name) || namespace === undefined || nodeName === undefined)
    throw problem;
  return {
    kind,
    namespace: NAMESPACED.has(kind) ? namespace || DEFAULT_NAMESPACE : '',
    name,
    nodeName,
    ...(kind === 'ConsolidationCommand' ? { nodeNames: nodesOfCommand(raw) } : {}),
    problem: textOf(problem),
  };
}

/** The node of a pod or NodeClaim, or the node itself. */
function nodeNameOf(kind: string, raw: unknown): string | undefined {
  switch (kind) {
    case 'Pod': {
      const bound = textAt(raw, 'spec', 'nodeName');
      return bound === '' ? textAt(raw, 'status', 'nominatedNodeName') : bound;
    }
    case 'NodeClaim':
      // Without its claim, a node counts as one that Karpenter does not manage.
      return textAt(raw, 'status', 'nodeName') ?? '';
    case 'Node':
    case 'CSINode':
      return textAt(raw, 'metadata', 'name');
    default:
      return '';
  }
}

/** undefined: unknown. */
function nodesOfCommand(raw: unknown): readonly string[] | undefined {
  const { spec } = raw as { readonly spec?: { readonly nodes?: unknown } };
  if (!Array.isArray(spec?.nodes)) return undefined;
  const names = spec.nodes.map((node) => textAt(node, 'node'));
  return names.every((name) => name !== undefined && name !== '') ? (names as string[]) : undefined;
}

/** '' if absent; undefined if not a string. */
function textAt(raw: unknown, ...path: readonly string[]): string | undefined {
  let value = raw;
  for (const key of path) {
    if (isAbsent(value)) return '';
    if (typeof value !== 'object' || Array.isArray(value)) return undefined;
    value = Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
  }
  if (isAbsent(value)) return '';
  return typeof value === 'string' ? value : undefined;
}

/** Without the object, which is named separately. */
function textOf(problem: unknown): string {
  if (problem instanceof FieldProblem) return problemText(problem.of('')).replace(/^: /, '');
  return problem instanceof Error ? problem.message : String(problem);
}

/** Replaces a PodDisruptionBudget that cannot be decoded: no pod of its namespace may be evicted. */
export function blockingBudget({ namespace, name }: UndecodableObject): PodDisruptionBudgetObject {
  return { namespace, name, selector: {}, disruptionsAllowed: 0, fullyBlocking: false, evictsUnhealthy: false };
}
