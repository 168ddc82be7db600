import type { Blocker, PoolSetting } from '../engine/blockers/blocker.ts';
import type { PricedBlocker } from '../engine/blockers/price.ts';
import { DO_NOT_DISRUPT } from '../engine/cluster/well-known.ts';
import { count, perHour, perMonth } from './money.ts';

/** What the blocker is, for people. */
export function blockerTitle(blocker: Blocker): string {
  switch (blocker.kind) {
    case 'PodDisruptionBudget':
      return `PodDisruptionBudget ${blocker.namespace}/${blocker.name}`;
    case 'PodAnnotation':
      return `annotation ${blocker.annotation} on pods of ${blocker.workload}`;
    case 'NodeAnnotation':
      return `annotation ${DO_NOT_DISRUPT} on node ${blocker.node}`;
    case 'OwnerlessPod':
      return `pod ${blocker.pod} has no controller`;
    case 'LocalVolume':
      return `local volume of ${blocker.workload}`;
    case 'LocalData':
      return '--local-data-blocks: hostPath and emptyDir data';
    case 'Constraint':
      return `${CONSTRAINTS[blocker.constraint]} on ${blocker.key} of ${blocker.workload}`;
    case 'Policy':
      return `${SETTINGS[blocker.setting]} of NodePool ${blocker.nodePool}`;
    case 'Budget':
      return `disruption budget of NodePool ${blocker.nodePool}`;
    case 'Utilization':
      return 'utilization threshold (--scaledown-utilization-threshold)';
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

/** A command that removes the blocker, or what to do where no command can. */
export function remedyFor(blocker: Blocker): string {
  switch (blocker.kind) {
    case 'PodDisruptionBudget':
      return `kubectl patch pdb ${blocker.name} -n ${blocker.namespace} --type merge -p '{"spec":{"minAvailable":null,"maxUnavailable":1}}'`;
    case 'PodAnnotation':
      return templatePatch(blocker.workload, `metadata/annotations/${escaped(blocker.annotation)}`, 'remove');
    case 'NodeAnnotation':
      return `kubectl annotate node ${blocker.node} ${DO_NOT_DISRUPT}-`;
    case 'OwnerlessPod':
      return 'run it from a Deployment, StatefulSet or Job';
    case 'LocalVolume':
      return 'move the data to a volume that other nodes can mount';
    case 'LocalData':
      return 'run without --local-data-blocks';
    case 'Constraint':
      return `relax ${CONSTRAINTS[blocker.constraint]} on ${blocker.key} in the pod template of ${blocker.workload}`;
    case 'Policy':
      return allowConsolidation(blocker.nodePool, blocker.setting);
    case 'Budget':
      return poolPatch(blocker.nodePool, '"budgets":[{"nodes":"100%"}]');
    case 'Utilization':
      return 'run with --scaledown-utilization-threshold 1';
  }
}

function allowConsolidation(nodePool: string, setting: PoolSetting): string {
  switch (setting) {
    case 'consolidateAfter':
      return poolPatch(nodePool, '"consolidateAfter":"1m"');
    case 'consolidationPolicy':
      return poolPatch(nodePool, '"consolidationPolicy":"WhenEmptyOrUnderutilized"');
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

function poolPatch(nodePool: string, disruption: string): string {
  return `kubectl patch nodepool ${nodePool} --type merge -p '{"spec":{"disruption":{${disruption}}}}'`;
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
