import type { CommandReplacement } from '../controller/command.ts';
import { amountTexts } from '../engine/cluster/amount-text.ts';
import type { NodeSelectorRequirement } from '../engine/cluster/objects.ts';
import { INITIALIZED, isRestrictedLabel, NODE_POOL, REGISTERED } from '../engine/cluster/well-known.ts';
import { apiVersionOf, RESOURCES } from './resource.ts';

/** On Decant's NodeClaims: the command that they belong to. */
export const COMMAND_ANNOTATION = 'decant.sh/command';

type Texts = Readonly<Record<string, string>>;

export interface NodePoolTemplate {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly annotations?: Texts;
    readonly deletionTimestamp?: string;
  };
  readonly spec: {
    readonly template: {
      readonly metadata?: { readonly labels?: Texts; readonly annotations?: Texts };
      readonly spec: {
        readonly nodeClassRef: { readonly group: string; readonly kind: string; readonly name: string };
        readonly [field: string]: unknown;
      };
    };
  };
}

/** Karpenter compares these to detect drift. */
const HASH_ANNOTATIONS = ['karpenter.sh/nodepool-hash', 'karpenter.sh/nodepool-hash-version'];
/** Template fields that are copied to the NodeClaim. */
const TEMPLATE_FIELDS = ['nodeClassRef', 'taints', 'startupTaints', 'expireAfter', 'terminationGracePeriod'];

/**
 * The NodeClaim of a replacement as Karpenter would write it (karpenter-semantics §7), with its command. `wellKnown`:
 * label keys of the catalog's types, which the provider sets.
 */
export function nodeClaimObject(
  pool: NodePoolTemplate,
  replacement: CommandReplacement,
  command: string,
  wellKnown: ReadonlySet<string>,
): object {
  const { name, uid, annotations = {} } = pool.metadata;
  const { metadata = {}, spec } = pool.spec.template;
  const { group, kind, name: nodeClass } = spec.nodeClassRef;
  return {
    apiVersion: apiVersionOf(RESOURCES.NodeClaim),
    kind: RESOURCES.NodeClaim.kind,
    metadata: {
      name: replacement.nodeClaim,
      labels: {
        ...customLabels(replacement.requirements, wellKnown),
        ...metadata.labels,
        [NODE_POOL]: name,
        [`${group}/${kind.toLowerCase()}`]: nodeClass,
      },
      annotations: {
        ...metadata.annotations,
        ...picked(annotations, HASH_ANNOTATIONS),
        [COMMAND_ANNOTATION]: command,
      },
      ownerReferences: [
        { apiVersion: apiVersionOf(RESOURCES.NodePool), kind: 'NodePool', name, uid, blockOwnerDeletion: true },
      ],
    },
    spec: {
      ...picked(spec, TEMPLATE_FIELDS),
      requirements: replacement.requirements,
      resources: { requests: amountTexts(replacement.requests) },
    },
  };
}

function picked(from: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));
}

/** A custom label is on the node only if its NodeClaim has it: one value that all requirements allow. */
function customLabels(requirements: readonly NodeSelectorRequirement[], wellKnown: ReadonlySet<string>): Texts {
  const labels = new Map<string, string>();
  for (const [key, own] of Map.groupBy(requirements, (r) => r.key)) {
    if (wellKnown.has(key) || isRestrictedLabel(key, wellKnown) || key === REGISTERED || key === INITIALIZED) continue;
    const value = admissibleValue(own);
    if (value !== undefined) labels.set(key, value);
  }
  return Object.fromEntries(labels);
}

/** Karpenter takes any value; this takes the first, to be deterministic. */
function admissibleValue(requirements: readonly NodeSelectorRequirement[]): string | undefined {
  if (requirements.some((r) => r.operator === 'DoesNotExist')) return undefined;
  const given = requirements.find((r) => r.operator === 'In');
  if (given !== undefined) return given.values?.[0];
  const forbidden = new Set(requirements.flatMap((r) => (r.operator === 'NotIn' ? (r.values ?? []) : [])));
  let value = Math.max(0, ...requirements.map(leastOf));
  while (forbidden.has(String(value))) value++;
  return String(value);
}

function leastOf({ operator, values }: NodeSelectorRequirement): number {
  if (operator === 'Gt') return Number(values?.[0]) + 1;
  return operator === 'Gte' ? Number(values?.[0]) : 0;
}
