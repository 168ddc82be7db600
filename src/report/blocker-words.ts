import type { Blocker } from '../engine/blockers/blocker.ts';
import type { PricedBlocker } from '../engine/blockers/price.ts';
import { DO_NOT_DISRUPT } from '../engine/cluster/well-known.ts';
import type { Refusal } from '../engine/refusal.ts';
import { type TextBy, textFor } from '../engine/text-by.ts';
import { count, perHour, perMonth } from './money.ts';

const TITLES: TextBy<Blocker, 'kind'> = {
  PodDisruptionBudget: (blocker) => `PodDisruptionBudget ${blocker.namespace}/${blocker.name}`,
  PodAnnotation: (blocker) => `annotation ${blocker.annotation} on pods of ${blocker.workload}`,
  NodeAnnotation: (blocker) => `annotation ${DO_NOT_DISRUPT} on node ${blocker.node}`,
  OwnerlessPod: (blocker) => `pod ${blocker.pod} has no controller`,
  LocalVolume: (blocker) => `local volume of ${blocker.workload}`,
  LocalData: '--local-data-blocks: hostPath and emptyDir data',
  Constraint: (blocker) => `${CONSTRAINTS[blocker.constraint]} on ${blocker.key} of ${blocker.workload}`,
  Policy: (blocker) => `${SETTINGS[blocker.setting]} of NodePool ${blocker.nodePool}`,
  Budget: (blocker) => `disruption budget of NodePool ${blocker.nodePool}`,
  Utilization: 'utilization threshold (--scaledown-utilization-threshold)',
};

/** What the blocker is, for people. */
export function blockerTitle(blocker: Blocker): string {
  return textFor(TITLES, 'kind', blocker);
}

/** A savings rule with its number; undefined for other refusals. */
export function savingsRuleTitle(refusal: Refusal): string | undefined {
  switch (refusal.code) {
    case 'savings-below-threshold':
      return `savings threshold of ${short(refusal.threshold)} ${refusal.threshold === 1 ? 'cent' : 'cents'}`;
    case 'savings-below-percent':
      return refusal.auto === undefined
        ? `minimum savings of ${short(refusal.requiredPercent)} %`
        : 'automatic minimum savings';
    case 'balanced-score':
      return `Balanced policy (k = ${short(1 / refusal.required)})`;
    default:
      return undefined;
  }
}

/** What a priced blocker costs, in one sentence. */
export function blockerNote({ nodes, others, aloneCentsPerHour = 0, jointCentsPerHour = 0 }: PricedBlocker): string {
  const saved = (cents: number) => `would save ${perHour(cents)} (${perMonth(cents)} a month)`;
  const keeps = `Keeps ${count(nodes.length, 'node')} from being removed. Without it, a plan`;
  if (jointCentsPerHour === aloneCentsPerHour) return `${keeps} ${saved(aloneCentsPerHour)}`;
  const alone = aloneCentsPerHour === 0 ? 'would save nothing' : saved(aloneCentsPerHour);
  const together = others.map(blockerTitle).join('; ');
  return `${keeps} ${alone}; without the other blockers of these nodes too, it ${saved(jointCentsPerHour)}: ${together}`;
}

const SETTINGS = {
  consolidateAfter: 'consolidateAfter: Never',
  consolidateAfterDuration: 'consolidateAfter, restarted by every pod that comes or goes,',
  consolidationPolicy: 'consolidation policy',
  methods: 'single-node or multi-node consolidation, switched off,',
  emptiness: 'emptiness consolidation, switched off,',
  headroom: 'headroom',
  minNodes: 'minNodes',
  maxShareOnOneNode: 'maxShareOnOneNode',
} as const;

const CONSTRAINTS = {
  spread: 'topology spread',
  affinity: 'pod affinity',
  'anti-affinity': 'pod anti-affinity',
  'node-affinity': 'node affinity',
} as const;

const REMEDIES: TextBy<Blocker, 'kind'> = {
  PodDisruptionBudget: (blocker) =>
    `kubectl patch pdb ${blocker.name} -n ${blocker.namespace} --type merge -p '{"spec":{"minAvailable":null,"maxUnavailable":1}}'`,
  PodAnnotation: (blocker) =>
    templatePatch(blocker.workload, `metadata/annotations/${escaped(blocker.annotation)}`, 'remove'),
  NodeAnnotation: (blocker) => `kubectl annotate node ${blocker.node} ${DO_NOT_DISRUPT}-`,
  OwnerlessPod: 'run it from a Deployment, StatefulSet or Job',
  LocalVolume: 'move the data to a volume that other nodes can mount',
  LocalData: 'run without --local-data-blocks',
  Constraint: (blocker) =>
    `relax ${CONSTRAINTS[blocker.constraint]} on ${blocker.key} in the pod template of ${blocker.workload}`,
  Policy: (blocker) => allowConsolidation(blocker),
  Budget: (blocker) => poolPatch(blocker, 'budgets', [{ nodes: '100%' }]),
  Utilization: 'run with --scaledown-utilization-threshold 1',
};

/** A command that removes the blocker, or what to do where no command can. */
export function remedyFor(blocker: Blocker): string {
  return textFor(REMEDIES, 'kind', blocker);
}

function allowConsolidation(blocker: Extract<Blocker, { readonly kind: 'Policy' }>): string {
  const { nodePool, setting } = blocker;
  switch (setting) {
    case 'consolidateAfter':
      return poolPatch(blocker, 'consolidateAfter', '1m');
    case 'consolidateAfterDuration':
      return poolPatch(blocker, 'consolidateAfter', '0s');
    case 'consolidationPolicy':
      return poolPatch(blocker, 'consolidationPolicy', 'WhenEmptyOrUnderutilized');
    case 'methods':
      return `enable singleNode and multiNode in the ConsolidationPolicy of NodePool ${nodePool}`;
    case 'emptiness':
      return `enable emptiness in the ConsolidationPolicy of NodePool ${nodePool}`;
    case 'headroom':
    case 'minNodes':
      return `lower ${setting} in the ConsolidationPolicy of NodePool ${nodePool}`;
    case 'maxShareOnOneNode':
      return `raise ${setting} in the ConsolidationPolicy of NodePool ${nodePool}`;
  }
}

/** Of the block that applies: the pool's own, or that of the policy that selects it, or of its open window. */
function poolPatch(
  { nodePool, of }: Pick<Extract<Blocker, { readonly kind: 'Budget' }>, 'nodePool' | 'of'>,
  field: string,
  value: unknown,
): string {
  if (of === undefined)
    return `kubectl patch nodepool ${nodePool} --type merge -p '${JSON.stringify({ spec: { disruption: { [field]: value } } })}'`;
  const { policy, window } = of;
  const change = `kubectl patch consolidationpolicy ${policy} --type`;
  if (window === undefined) return `${change} merge -p '${JSON.stringify({ spec: { [field]: value } })}'`;
  return `${change} json -p '${JSON.stringify([{ op: 'add', path: `/spec/windows/${window}/${field}`, value }])}'`;
}

/** `workload`: "Deployment shop/cart". */
function templatePatch(workload: string, path: string, op: string): string {
  const [kind, name] = workload.split(' ');
  const [namespace, own] = name.split('/');
  if (kind === 'Pod')
    return `kubectl annotate pod ${own} -n ${namespace} ${path.split('/').at(-1)?.replace('~1', '/')}-`;
  const at = `/spec/template/${path}`;
  return `kubectl patch ${kind.toLowerCase()} ${own} -n ${namespace} --type json -p '[{"op":"${op}","path":"${at}"}]'`;
}

/** As JSON Pointer wants it. */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function short(value: number): number {
  return Number(value.toPrecision(3));
}
