import { amountText } from './cluster/amount-text.ts';
import { INSTANCE_TYPE, MOVE } from './cluster/well-known.ts';
import { AUTO_RANGE, type AutoPercent } from './disruption/auto-percent.ts';
import type { RolloutObstacle } from './disruption/rollouts.ts';
import { count, durationInWords } from './explanation/amounts.ts';
import type { Refusal } from './refusal.ts';
import { type TextBy, textFor } from './text-by.ts';

const REFUSALS: TextBy<Refusal, 'code'> = {
  'not-managed': 'node is not managed by Karpenter: it has no NodeClaim',
  'no-node': 'NodeClaim does not have an associated node yet',
  'undecodable-object': (r) => `${r.object} is set aside: ${r.problem}`,
  'not-initialized': 'node is not initialized',
  deleting: 'node is deleting or marked for deletion',
  rebooting: 'node is rebooting',
  'node-annotation': 'disruption is blocked by the annotation karpenter.sh/do-not-disrupt on the node',
  'no-node-pool-label': 'node does not have the label karpenter.sh/nodepool',
  'unknown-node-pool': (r) => `NodePool "${r.nodePool}" does not exist or has no instance types`,
  'pod-annotation': (r) => `pod ${r.pod} has the annotation ${r.annotation}: "${r.value}"`,
  'pod-disruption-budget': (r) =>
    `PodDisruptionBudget ${r.budget} allows no eviction of pod ${r.pod} now${insteadText(r.rollout)}`,
  'several-disruption-budgets': (r) =>
    `pod ${r.pod} is under ${r.budgets.length} PodDisruptionBudgets (${r.budgets.join(', ')}): it can never be evicted${insteadText(r.rollout)}`,
  'no-rollout': (r) => `pod ${r.pod} has the annotation ${MOVE}: "rollout", and ${obstacleText(r.rollout)}`,
  'ownerless-pod': (r) => `pod ${r.pod} has no controller: evicting it would lose it`,
  'local-volume': (r) =>
    `pod ${r.pod} uses local volume ${r.volume} (claim ${r.claim}), which no other node can mount: elsewhere the pod would stay Pending`,
  'local-data': (r) =>
    `pod ${r.pod} keeps data on its node (${r.kind} volume ${r.volume}), which --local-data-blocks protects`,
  'capacity-buffer': (r) =>
    `node holds the capacity of CapacityBuffer${plural(r.buffers)} ${r.buffers.join(', ')}: ${count(r.pods, 'virtual pod')}`,
  'static-node-pool': (r) => `NodePool "${r.nodePool}" is static (spec.replicas)`,
  'unknown-instance-type': (r) => {
    if (r.instanceType === '') return `node does not have the label ${INSTANCE_TYPE}`;
    return `instance type "${r.instanceType}" is not in the catalog`;
  },
  unpriced: (r) => `the catalog has no price for ${r.instanceType} as ${r.capacityType || '""'} in ${r.zone || '""'}`,
  'missing-label': (r) => `node does not have the label ${r.label}`,
  'consolidation-disabled': (r) => `NodePool "${r.nodePool}" has consolidation disabled (consolidateAfter: Never)`,
  'policy-when-empty': (r) =>
    `NodePool "${r.nodePool}" has consolidation policy WhenEmpty, and ${count(r.pods, 'pod')} ${r.pods === 1 ? 'runs' : 'run'} here`,
  'methods-disabled': (r) =>
    `NodePool "${r.nodePool}" has single-node and multi-node consolidation switched off, and ${count(r.pods, 'pod')} ${r.pods === 1 ? 'runs' : 'run'} here`,
  'single-node-disabled': (r) => {
    const why = r.policy === 'WhenUnderutilized' ? 'policy WhenUnderutilized' : 'singleNode is switched off';
    return `NodePool "${r.nodePool}" removes nodes only together with others (${why})`;
  },
  'emptiness-disabled': (r) => `NodePool "${r.nodePool}" has emptiness consolidation switched off`,
  'minimum-lifetime': (r) => `node was initialized only recently: a candidate in ${durationInWords(r.waitMs)}`,
  'empty-ttl': (r) => `empty: removed by ttlSecondsAfterEmpty in ${durationInWords(r.waitMs)}`,
  'grace-period': (r) =>
    `evaluated before and kept: protected by consolidationGracePeriod for ${durationInWords(r.waitMs)}`,
  utilization: (r) => {
    const [used, threshold] = apart(r.utilization * 100, r.threshold * 100, 0);
    return `utilization ${used} % is above the threshold of ${threshold} %`;
  },
  'not-consolidatable': (r) =>
    r.waitMs > 0
      ? `pods came or went recently: consolidatable in ${durationInWords(r.waitMs)}`
      : 'NodeClaim is not marked Consolidatable yet',
  'no-ready-node-pool': 'no NodePool is ready and dynamic, so nothing can be simulated',
  'pods-unplaceable': (r) => `${podList(r)} would have no place to run`,
  'capacity-buffer-room': (r) => `CapacityBuffer${plural(r.buffers)} ${r.buffers.join(', ')} would lose capacity`,
  headroom: (r) => {
    const of = r.of === null ? '' : ` (${shortNumber((r.required / r.of) * 100)} %)`;
    const what = r.resource !== 'pods' ? r.resource : r.free === 1 ? 'place for a pod' : 'places for pods';
    return `NodePool "${r.nodePool}" would have ${roomText(r.resource, r.free)} ${what} free, its headroom is ${roomText(r.resource, r.required)}${of}`;
  },
  'min-nodes': (r) =>
    `NodePool "${r.nodePool}" would have ${r.nodes} ${r.nodes === 1 ? 'node' : 'nodes'}, its minNodes is ${r.required}`,
  'workload-share': (r) =>
    `maxShareOnOneNode is ${shortNumber(r.maxShare * 100)} %: ${r.replicas} of ${r.all} pods of ${r.workload} would run on ${r.node === 'a new node' ? r.node : `node ${r.node}`}`,
  'relies-on-uninitialized-node': (r) => `${podList(r)} would have to wait for a node that is not initialized`,
  'too-many-replacements': (r) => {
    const needed = `its pods need ${count(r.replacements, 'new node')}`;
    if (r.allowed === 0) return `${needed}, and nearly empty nodes are deleted, not replaced`;
    return `${needed}, ${r.allowed} ${r.allowed === 1 ? 'is' : 'are'} allowed`;
  },
  'min-values': (r) => `too few distinct values left for ${r.labels.join(', ')} (minValues)`,
  'not-cheaper': (r) =>
    r.cheapestCentsPerHour === null
      ? `no cheaper replacement: costs ${cents(r.centsPerHour)}, and no type that fits has an offering`
      : `no cheaper replacement: costs ${cents(r.centsPerHour)}, the cheapest that is sure to launch ${cents(r.cheapestCentsPerHour)}`,
  'covered-by-commitment': (r) => {
    const without = `without it the cluster costs ${cents(r.savedCentsPerHour)} less`;
    return `covered by ${r.commitments.join(', ')}, which is paid in any case: ${without}, its list price is ${cents(r.centsPerHour)}`;
  },
  'spot-to-spot-disabled': 'a spot node would be replaced by a spot node, and SpotToSpotConsolidation is off',
  'spot-to-spot-flexibility': (r) => `spot to spot needs ${r.required} cheaper instance types, ${r.options} are left`,
  'savings-below-percent': (r) =>
    `saves ${apart(r.savingsPercent, r.requiredPercent, 1)[0]} % of the price of what it removes, ${shortNumber(r.requiredPercent)} % is required${r.auto === undefined ? '' : ` (auto, ${autoFormula(r.auto)})`}`,
  'savings-below-threshold': (r) => {
    const counted = r.discountedCentsPerHour ?? r.savingsCentsPerHour;
    const [savings, required] = apart(counted, r.requiredCentsPerHour, 1);
    const discounted =
      r.discountedCentsPerHour === undefined
        ? savings
        : `${tenths(r.savingsCentsPerHour)} cents/hr, discounted to ${savings} for the lifetime of the destination,`;
    const together = r.nodes === undefined ? '' : ` for nodes ${r.nodes.join(', ')} together`;
    // A mean over several pools.
    const threshold = r.nodes === undefined ? r.threshold : Number(r.threshold.toPrecision(3));
    const unit = r.discountedCentsPerHour === undefined ? ' cents/hr' : '';
    return `consolidation blocked: savings ${discounted}${unit} below required ${required} cents/hr (disruption_cost=${tenths(r.disruptionCost)}, threshold=${threshold})${together}`;
  },
  'balanced-score': (r) => {
    const [score, required] = apart(r.score, r.required, 2);
    return `policy Balanced of NodePool "${r.nodePool}": score ${score} below ${required}`;
  },
  budget: (r) => `the disruption budget of NodePool "${r.nodePool}" allows no more nodes now (${r.reason})`,
  stabilization: (r) =>
    `a node was removed recently; pods pending: ${r.pendingPods}, workloads not ready: ${r.unreadyWorkloads}; nothing else is removed for ${durationInWords(r.waitMs)}, unless they recover`,
  'workload-evictions': (r) =>
    `evicts ${count(r.pods, 'pod')} of ${r.workload} after ${r.before} within ${durationInWords(r.windowMs)}, ${r.allowed} are allowed`,
  'pool-cooldown': (r) =>
    `NodePool "${r.nodePool}" is in cooldown after its last command for ${durationInWords(r.waitMs)}`,
  'not-paid-back': (r) =>
    `its evictions are priced at ${tenths(r.disruptionCents)} cents${r.lostWorkCents < 0.05 ? '' : `, ${tenths(r.lostWorkCents)} of them for work that Jobs would lose`}, and waiting has cost ${tenths(r.forgoneCents)} so far: it begins in ${durationInWords(r.waitMs)}, if nothing changes`,
};

/** The only place that turns refusals into text. Uses Karpenter's own sentences where users know them. */
export function refusalText(r: Refusal): string {
  return textFor(REFUSALS, 'code', r);
}

/** The formula of `consolidationMinSavingsPercent: auto` with its numbers. */
function autoFormula(a: AutoPercent): string {
  const costs = `${durationInWords(a.nodeStartMs)} for a node to start + ${durationInWords(a.podStartsMs)} for ${count(a.pods, 'pod')} to start one by one`;
  const expires = a.remainingMs !== null && a.remainingMs < a.meanAgeMs;
  const lasts = expires
    ? `${durationInWords(a.remainingMs ?? 0)} until it expires`
    : `${durationInWords(a.meanAgeMs)}, the mean age of nodes in its pool`;
  return `node ${a.node}: ${costs}, to be repaid within ${lasts}; always from ${AUTO_RANGE.least} to ${AUTO_RANGE.most} %`;
}

/** At most two decimals. */
function shortNumber(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** In readable units. */
function roomText(resource: string, amount: number): string {
  if (resource === 'memory') return `${shortNumber(amount / 2 ** 30)}Gi`;
  return amountText(resource, Math.round(amount));
}

function plural(list: readonly unknown[]): string {
  return list.length === 1 ? '' : 's';
}

/** Smaller differences are noise. */
const MOST_DECIMALS = 7;

/** Two numbers of which one is greater: with as many decimals as needed to show it. */
function apart(a: number, b: number, decimals: number): readonly [string, string] {
  for (let d = decimals; d <= MOST_DECIMALS; d++)
    if (a.toFixed(d) !== b.toFixed(d)) return [a.toFixed(d), b.toFixed(d)];
  return [a.toFixed(decimals), b.toFixed(decimals)];
}

/** One decimal, as the savings-threshold document prints its figures. */
function tenths(value: number): string {
  return value.toFixed(1);
}

function cents(value: number): string {
  return `${value.toFixed(2)} ¢/h`;
}

function podList(r: { readonly pods: readonly string[]; readonly others: number }): string {
  const named = r.pods.join(', ');
  return `pod${r.pods.length + r.others === 1 ? '' : 's'} ${named}${r.others > 0 ? ` and ${r.others} more` : ''}`;
}

function insteadText(obstacle: RolloutObstacle | undefined): string {
  return obstacle === undefined ? '' : `, and it cannot be rolled instead: ${obstacleText(obstacle)}`;
}

const ROLLOUT_OBSTACLES: TextBy<RolloutObstacle, 'why'> = {
  off: 'rollouts are off (--rollouts)',
  'no-deployment': (o) => `only pods of Deployments are rolled, and it has ${o.owner}`,
  'unknown-deployment': 'its Deployment or ReplicaSet is missing or cannot be decoded',
  replicas: (o) => `its Deployment has ${o.replicas} replicas, and only those with 1 are rolled`,
  recreate: 'the strategy Recreate of its Deployment stops the old pod first',
  paused: 'its Deployment is paused',
  unsettled: 'its Deployment is not fully rolled out and available',
  'no-surge': (o) =>
    `its Deployment stops the old pod first (it needs maxSurge 1 and maxUnavailable 0), and ${o.managedBy} manages its replicas`,
  'deletion-cost':
    'its Deployment stops the old pod first (it needs maxSurge 1 and maxUnavailable 0), and the pod has a deletion cost of its own',
  volume: (o) => `two nodes cannot use its volume at once (claim ${o.claim})`,
  topology: (o) => `its own topology constraint by ${o.key} counts the old pod beside the new one`,
  tolerates: 'it tolerates the taint karpenter.sh/disrupted, so that the new pod could start on the same node',
};

/** Why a pod cannot be rolled. */
function obstacleText(o: RolloutObstacle): string {
  return textFor(ROLLOUT_OBSTACLES, 'why', o);
}
