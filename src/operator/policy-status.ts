import { objectProblems, type PolicyObject } from '../config/policy-object.ts';
import type { PolicyCondition, PolicyStatus } from '../config/policy-status.ts';
import { problemsText } from '../config/problem.ts';
import type { ClusterView } from '../controller/cluster-port.ts';
import { isOpen } from '../controller/command.ts';
import type { PoolGovernance } from '../controller/governance.ts';
import type { PoolFigures } from '../controller/report.ts';

export interface StatusSources {
  readonly view: ClusterView;
  readonly poolGovernance: ReadonlyMap<string, PoolGovernance>;
  /** Of the last pass; undefined before the first. */
  readonly pools: ReadonlyMap<string, PoolFigures> | undefined;
  readonly mode: 'observe' | 'act';
}

/** The status of a policy without transition times. */
export interface StatusDraft extends Omit<PolicyStatus, 'conditions'> {
  readonly conditions: readonly Omit<PolicyCondition, 'lastTransitionTime' | 'observedGeneration'>[];
}

export function statusOf(policy: PolicyObject, { view, poolGovernance, pools, mode }: StatusSources): StatusDraft {
  const own = [...poolGovernance.values()].filter((s) => isUnder(s, policy));
  const names = new Set(own.map((s) => s.pool));
  const figures = [...names].flatMap((name) => pools?.get(name) ?? []);
  const sum = (of: (f: PoolFigures) => number) => figures.reduce((total, f) => total + of(f), 0);
  const touches = (pool: { readonly nodePool: string }) => names.has(pool.nodePool);
  return {
    ...(policy.generation === undefined ? {} : { observedGeneration: policy.generation }),
    conditions: conditionsOf(policy, own, mode),
    nodePools: own.length,
    nodes: sum((f) => f.nodes),
    openCommands: view.commands.filter((c) => isOpen(c) && (c.nodes.some(touches) || c.replacements.some(touches)))
      .length,
    currentCentsPerHour: hundredths(sum((f) => f.centsPerHour)),
    plannedCentsPerHour: hundredths(sum((f) => f.plannedCentsPerHour)),
  };
}

/** A pool selected by several policies, or by an invalid one, still counts: the status must say so. */
function isUnder({ policyName, blockReason }: PoolGovernance, { kind, name }: PolicyObject): boolean {
  if (policyName !== undefined) return policyName === name;
  if (blockReason?.code === 'conflict') return blockReason.policies.includes(name);
  return blockReason?.code === 'invalid-policy' && blockReason.problems.some((p) => p.object === `${kind}/${name}`);
}

function conditionsOf(
  policy: PolicyObject,
  own: readonly PoolGovernance[],
  mode: 'observe' | 'act',
): StatusDraft['conditions'] {
  const conflicts = own.flatMap(({ pool, blockReason }) =>
    blockReason?.code === 'conflict'
      ? [`NodePool ${pool} is also selected by ${blockReason.policies.filter((p) => p !== policy.name).join(', ')}`]
      : [],
  );
  const locked = own.filter((s) => s.blockReason?.code === 'interlock').map((s) => s.pool);
  return [
    readiness(policy, own, { conflicts, locked }, mode),
    conflicts.length === 0
      ? { type: 'Conflict', status: 'False', reason: 'OnlyPolicy', message: '' }
      : { type: 'Conflict', status: 'True', reason: 'SeveralPolicies', message: conflicts.join('; ') },
    locked.length === 0
      ? { type: 'Interlocked', status: 'False', reason: 'KarpenterIsOff', message: '' }
      : {
          type: 'Interlocked',
          status: 'True',
          reason: 'KarpenterConsolidates',
          message: `Karpenter's own consolidation is on in NodePool ${locked.join(', ')}: set spec.disruption.consolidateAfter to Never there`,
        },
  ];
}

function readiness(
  policy: PolicyObject,
  own: readonly PoolGovernance[],
  { conflicts, locked }: { readonly conflicts: readonly string[]; readonly locked: readonly string[] },
  mode: 'observe' | 'act',
): StatusDraft['conditions'][number] {
  const no = (reason: string, message: string) => ({ type: 'Ready', status: 'False', reason, message }) as const;
  const problems = objectProblems(policy);
  if (problems.length > 0) return no('Invalid', problemsText(problems));
  if (own.length === 0) return no('NoNodePools', 'spec.nodePoolSelector selects no NodePool');
  if (conflicts.length > 0) return no('Conflict', conflicts.join('; '));
  if (locked.length === own.length) return no('Interlocked', 'Karpenter consolidates all of its NodePools itself');
  const message = mode === 'act' ? '' : 'decant runs with --mode observe: it decides and reports, and changes nothing';
  return { type: 'Ready', status: 'True', reason: mode === 'act' ? 'Acting' : 'Observing', message };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
