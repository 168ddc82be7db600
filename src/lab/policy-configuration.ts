import { dump } from 'js-yaml';
import type { Comparison } from './comparison.ts';
import type { NamedPolicy } from './named-policy.ts';
import { underPatch } from './pool-under-policy.ts';

/** A policy as it is put into a cluster. */
export interface PolicyConfiguration {
  /** What it is, in a sentence. */
  readonly summary: string;
  /** What to paste, each with a line that says where. */
  readonly pieces: readonly { readonly where: string; readonly text: string }[];
}

/** `blocks`: of the NodePools that it was tried on, as they were before. */
export function policyConfiguration(policy: NamedPolicy, blocks: readonly unknown[]): PolicyConfiguration {
  const { controller, disruption, switches, search } = policy;
  const pieces = Object.keys(disruption).length === 0 ? [] : [patchPiece(policy)];
  if (controller === 'none') {
    const off = { spec: { disruption: { consolidateAfter: 'Never' } } };
    return { summary: 'Nobody consolidates.', pieces: [{ where: NODE_POOL, text: yaml(off) }] };
  }
  if (controller === 'stock') return { summary: 'Karpenter consolidates, by the NodePools’ own blocks.', pieces };
  const flags = Object.entries(switches).map(([flag, value]) => `--${flag} ${value}`);
  if (search !== 'merged') flags.unshift(`--search ${search}`);
  return {
    summary: 'Decant consolidates.',
    pieces: [
      ...pieces,
      consolidationPolicy(policy, blocks),
      ...(flags.length === 0 ? [] : [{ where: FLAGS, text: `${['decant run', ...flags].join(' \\\n  ')}\n` }]),
    ],
  };
}

/** Of every policy in it, by name. */
export function configurationsOf({ workloads, blocks }: Comparison): Readonly<Record<string, PolicyConfiguration>> {
  const policies = workloads.flatMap(({ rows }) => rows.map(({ policy }) => policy));
  return Object.fromEntries(policies.map((policy) => [policy.name, policyConfiguration(policy, blocks)]));
}

const NODE_POOL = 'As a patch of each NodePool (kubectl patch nodepool NAME --type merge --patch-file patch.yaml)';
const CONSOLIDATION_POLICY = 'As a ConsolidationPolicy, with what the NodePools’ own blocks say';
const INCOMPLETE =
  'As a ConsolidationPolicy, which takes the place of a NodePool’s whole block: add the budgets and other fields that it has';
const FLAGS = 'Switches of the controller';

function patchPiece({ disruption }: NamedPolicy) {
  return { where: NODE_POOL, text: yaml({ spec: { disruption } }) };
}

/** Complete where all pools come to the same block; otherwise what the policy itself says. */
function consolidationPolicy({ name, disruption }: NamedPolicy, blocks: readonly unknown[]) {
  const whole = blocks.length === 1 ? underPatch(blocks[0], disruption) : undefined;
  const object = {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'ConsolidationPolicy',
    metadata: { name: objectName(name) },
    spec: { nodePoolSelector: {}, ...((whole ?? disruption) as object) },
  };
  return { where: whole === undefined ? INCOMPLETE : CONSOLIDATION_POLICY, text: yaml(object) };
}

/** Names of Kubernetes objects know small letters, digits, dots and hyphens. */
function objectName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/[.-]{2,}/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
}

function yaml(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: -1 });
}
