import { dump } from 'js-yaml';
import { labelValue, POLICY_LABEL } from '../config/policy-label.ts';
import { API_VERSIONS } from '../config/policy-object.ts';
import type { Comparison } from './comparison.ts';
import type { NamedPolicy } from './named-policy.ts';
import { underPatch } from './pool-under-policy.ts';

interface Piece {
  readonly where: string;
  readonly text: string;
}

/** How to configure a cluster for a policy. */
export interface PolicyConfiguration {
  /** One sentence. */
  readonly summary: string;
  /** Texts to paste, each with its place. */
  readonly pieces: readonly Piece[];
}

/** `blocks`: disruption blocks of the simulated NodePools, before the policy. */
export function policyConfiguration(policy: NamedPolicy, blocks: readonly unknown[]): PolicyConfiguration {
  return assembled(policy, [consolidationPolicy(policy, blocks)]);
}

/** A NodePool and its current disruption block. */
export interface PoolBlock {
  readonly name: string;
  readonly block: unknown;
}

/** The policy for these pools, merged into each pool's own block. `areAll`: there are no other pools. */
export function configurationOf(
  policy: NamedPolicy,
  pools: readonly PoolBlock[],
  areAll: boolean,
): PolicyConfiguration {
  if (Object.keys(policy.disruption).length === 0 || pools.length === 0) return assembled(policy, []);
  const blocks = new Map(pools.map(({ block }) => [JSON.stringify(block), block]));
  return areAll && blocks.size === 1
    ? policyConfiguration(policy, [...blocks.values()])
    : assembled(policy, policiesByLabel(policy, pools));
}

function assembled(policy: NamedPolicy, policies: readonly Piece[]): PolicyConfiguration {
  const { controller, disruption, switches, search } = policy;
  if (policy.maxCost !== undefined)
    return { summary: 'Knows the future of the run: a limit for comparison that no cluster can run.', pieces: [] };
  const pieces = Object.keys(disruption).length === 0 ? [] : [patchPiece(policy)];
  if (controller === 'none') {
    const off = { spec: { disruption: { consolidateAfter: 'Never' } } };
    return { summary: 'No consolidation.', pieces: [{ where: NODE_POOL, text: yaml(off) }] };
  }
  if (controller === 'stock') return { summary: 'Karpenter consolidates, by the NodePools’ own blocks.', pieces };
  const flags = Object.entries(switches).map(([flag, value]) => `--${flag} ${value}`);
  if (search !== 'merged') flags.unshift(`--search ${search}`);
  return {
    summary: 'Decant consolidates.',
    pieces: [
      ...pieces,
      ...policies,
      ...(flags.length === 0 ? [] : [{ where: FLAGS, text: `${['decant run', ...flags].join(' \\\n  ')}\n` }]),
    ],
  };
}

/** Configurations of all policies by name. */
export function configurationsOf({ workloads, blocks }: Comparison): Readonly<Record<string, PolicyConfiguration>> {
  const policies = workloads.flatMap(({ rows }) => rows.map(({ policy }) => policy));
  return Object.fromEntries(policies.map((policy) => [policy.name, policyConfiguration(policy, blocks)]));
}

const NODE_POOL = 'As a patch of each NodePool (kubectl patch nodepool NAME --type merge --patch-file patch.yaml)';
const CONSOLIDATION_POLICY = 'As a ConsolidationPolicy, with the fields of the NodePools’ own blocks';
const INCOMPLETE =
  'As a ConsolidationPolicy. It replaces the whole block of a NodePool: add its budgets and other fields';
const BY_LABEL = 'As ConsolidationPolicies selected by label, with the fields of each NodePool’s own block';
const LABELS = 'The labels that these policies select';
const FLAGS = 'Settings of the controller';

function patchPiece({ disruption }: NamedPolicy): Piece {
  return { where: NODE_POOL, text: yaml({ spec: { disruption } }) };
}

/** Complete if all pools have the same block; otherwise only the policy's own fields. */
function consolidationPolicy({ name, disruption }: NamedPolicy, blocks: readonly unknown[]): Piece {
  const whole = blocks.length === 1 ? underPatch(blocks[0], disruption) : undefined;
  const object = policyObject(name, {}, whole ?? disruption);
  return { where: whole === undefined ? INCOMPLETE : CONSOLIDATION_POLICY, text: yaml(object) };
}

function policiesByLabel({ name, disruption }: NamedPolicy, pools: readonly PoolBlock[]): readonly Piece[] {
  const policies = pools.map(({ name: pool, block }) => {
    const selector = { matchLabels: { [POLICY_LABEL]: labelValue(pool) } };
    return yaml(policyObject(`${name}-${pool}`, selector, underPatch(block, disruption)));
  });
  const labels = pools.map(({ name: pool }) => {
    return `kubectl label nodepool ${shellWord(pool)} ${shellWord(`${POLICY_LABEL}=${labelValue(pool)}`)}\n`;
  });
  return [
    { where: BY_LABEL, text: policies.join('---\n') },
    { where: LABELS, text: labels.join('') },
  ];
}

function policyObject(name: string, nodePoolSelector: object, block: unknown) {
  return {
    apiVersion: API_VERSIONS.ConsolidationPolicy,
    kind: 'ConsolidationPolicy',
    metadata: { name: objectName(name) },
    spec: { nodePoolSelector, ...(block as object) },
  };
}

/** Quotes unusual names from files for the shell. */
function shellWord(text: string): string {
  return /^[\w./=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

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
