import { amountText } from './cluster/amount-text.ts';
import { INSTANCE_TYPE, MOVE } from './cluster/well-known.ts';
import { AUTO_RANGE, type AutoPercent } from './disruption/auto-percent.ts';
import type { RolloutObstacle } from './disruption/rollouts.ts';
import { count, durationInWords } from './explanation/amounts.ts';
import type { Refusal } from './refusal.ts';

/** The only place that turns refusals into text. Uses Karpenter's own sentences where users know them. */
export function refusalText(r: Refusal): string {
  switch (r.code) {
    case 'not-managed':
      return 'node is not managed by Karpenter: it has no NodeClaim';
    case 'no-node':
      return 'NodeClaim does not have an associated node yet';
    case 'undecodable-object':
      return `${r.object} is set aside: ${r.problem}`;
    case 'not-initialized':
      return 'node is not initialized';
    case 'deleting':
      return 'node is deleting or marked for deletion';
    case 'rebooting':
      return 'node is rebooting';
    case 'node-annotation':
      return 'disruption is blocked by the annotation karpenter.sh/do-not-disrupt on the node';
    case 'no-node-pool-label':
      return 'node does not have the label karpenter.sh/nodepool';
    case 'unknown-node-pool':
      return `NodePool "${r.nodePool}" does not exist or has no instance types`;
    case 'pod-annotation':
      return `pod ${r.pod} has the annotation ${r.annotation}: "${r.value}"`;
    case 'pod-disruption-budget':
      return `PodDisruptionBudget ${r.budget} allows no eviction of pod ${r.pod} now${insteadText(r.rollout)}`;
    case 'several-disruption-budgets':
      return `pod ${r.pod} is under ${r.budgets.length} PodDisruptionBudgets (${r.budgets.join(', ')}): it can never be evicted${insteadText(r.rollout)}`;
    case 'no-rollout':
      return `pod ${r.pod} has the annotation ${MOVE}: "rollout", and ${obstacleText(r.rollout)}`;
    case 'ownerless-pod':
      return `pod ${r.pod} has no controller: evicting it would lose it`;
    case 'local-volume':
      return `pod ${r.pod} uses local volume ${r.volume} (claim ${r.claim}), which no other node can mount: elsewhere the pod would stay Pending`;
    case 'local-data':
      return `pod ${r.pod} keeps data on its node (${r.kind} volume ${r.volume}), which --local-data-blocks protects`;
    case 'capacity-buffer':
      return `node holds the capacity of CapacityBuffer${plural(r.buffers)} ${r.buffers.join(', ')}: ${count(r.pods, 'virtual pod')}`;
    case 'static-node-pool':
      return `NodePool "${r.nodePool}" is static (spec.replicas)`;
    case 'unknown-instance-type':
      if (r.instanceType === '') return `node does not have the label ${INSTANCE_TYPE}`;
      return `instance type "${r.instanceType}" is not in the catalog`;
    case 'unpriced':
      return `the catalog has no price for ${r.instanceType} as ${r.capacityType || '""'} in ${r.zone || '""'}`;
    case 'missing-label':
      return `node does not have the label ${r.label}`;
    case 'consolidation-disabled':
      return `NodePool "${r.nodePool}" has consolidation disabled (consolidateAfter: Never)`;
    case 'policy-when-empty':
      return `NodePool "${r.nodePool}" has consolidation policy WhenEmpty, and ${count(r.pods, 'pod')} ${r.pods === 1 ? 'runs' : 'run'} here`;
    case 'methods-disabled':
      return `NodePool "${r.nodePool}" has single-node and multi-node consolidation switched off, and ${count(r.pods, 'pod')} ${r.pods === 1 ? 'runs' : 'run'} here`;
    case 'single-node-disabled': {
      const why = r.policy === 'WhenUnderutilized' ? 'policy WhenUnderutilized' : 'singleNode is switched off';
      return `NodePool "${r.nodePool}" lets nodes go only together with others (${why})`;
    }
    case 'emptiness-disabled':
      return `NodePool "${r.nodePool}" has emptiness consolidation switched off`;
    case 'minimum-lifetime':
      return `node was initialized only recently: a candidate in ${durationInWords(r.waitMs)}`;
    case 'empty-ttl':
      return `empty: removed by ttlSecondsAfterEmpty in ${durationInWords(r.waitMs)}`;
    case 'grace-period':
      return `evaluated before and kept: protected by consolidationGracePeriod for ${durationInWords(r.waitMs)}`;
    case 'utilization': {
      const [used, threshold] = apart(r.utilization * 100, r.threshold * 100, 0);
      return `utilization ${used} % is above the threshold of ${threshold} %`;
    }
    case 'not-consolidatable':
      return r.waitMs > 0
        ? `pods came or went recently: consolidatable in ${durationInWords(r.waitMs)}`
        : 'NodeClaim is not marked Consolidatable yet';
    case 'no-ready-node-pool':
      return 'no NodePool is ready and dynamic, so nothing can be simulated';
    case 'pods-unplaceable':
      return `${podList(r)} would have no place to run`;
    case 'capacity-buffer-room':
      return `CapacityBuffer${plural(r.buffers)} ${r.buffers.join(', ')} would lose capacity`;
    case 'headroom': {
      const of = r.of === null ? '' : ` (${shortNumber((r.required / r.of) * 100)} %)`;
      const what = r.resource !== 'pods' ? r.resource : r.free === 1 ? 'place for a pod' : 'places for pods';
      return `NodePool "${r.nodePool}" would have ${roomText(r.resource, r.free)} ${what} free, its headroom is ${roomText(r.resource, r.required)}${of}`;
    }
    case 'min-nodes':
      return `NodePool "${r.nodePool}" would have ${r.nodes} ${r.nodes === 1 ? 'node' : 'nodes'}, its minNodes is ${r.required}`;
    case 'workload-share':
      return `maxShareOnOneNode is ${shortNumber(r.maxShare * 100)} %: ${r.replicas} of ${r.all} pods of ${r.workload} would run on ${r.node === 'a new node' ? r.node : `node ${r.node}`}`;
    case 'relies-on-uninitialized-node':
      return `${podList(r)} would have to wait for a node that is not initialized`;
    case 'too-many-replacements':
      return `its pods need ${r.replacements} new nodes, ${r.allowed} is allowed`;
    case 'min-values':
      return `too few distinct values left for ${r.labels.join(', ')} (minValues)`;
    case 'not-cheaper':
      return r.cheapestCentsPerHour === null
        ? `no cheaper replacement: costs ${cents(r.centsPerHour)}, and no type that fits has an offering`
        : `no cheaper replacement: costs ${cents(r.centsPerHour)}, the cheapest that is sure to launch ${cents(r.cheapestCentsPerHour)}`;
    case 'covered-by-commitment': {
      const without = `without it the cluster costs ${cents(r.savedCentsPerHour)} less`;
      return `covered by ${r.commitments.join(', ')}, which is paid in any case: ${without}, its list price is ${cents(r.centsPerHour)}`;
    }
    case 'spot-to-spot-disabled':
      return 'a spot node would be replaced by a spot node, and SpotToSpotConsolidation is off';
    case 'spot-to-spot-flexibility':
      return `spot to spot needs ${r.required} cheaper instance types, ${r.options} are left`;
    case 'savings-below-percent':
      return `saves ${apart(r.savingsPercent, r.requiredPercent, 1)[0]} % of the price of what it removes, ${shortNumber(r.requiredPercent)} % is required${r.auto === undefined ? '' : ` (auto, ${autoFormula(r.auto)})`}`;
    case 'savings-below-threshold': {
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
    }
    case 'balanced-score': {
      const [score, required] = apart(r.score, r.required, 2);
      return `policy Balanced of NodePool "${r.nodePool}": score ${score} below ${required}`;
    }
    case 'budget':
      return `the disruption budget of NodePool "${r.nodePool}" allows no more nodes now (${r.reason})`;
    case 'stabilization':
      return `a node was removed recently; pods pending: ${r.pendingPods}, workloads not ready: ${r.unreadyWorkloads}; nothing else is removed for ${durationInWords(r.waitMs)}, unless they recover`;
    case 'workload-evictions':
      return `evicts ${count(r.pods, 'pod')} of ${r.workload} after ${r.before} within ${durationInWords(r.windowMs)}, ${r.allowed} are allowed`;
    case 'pool-cooldown':
      return `NodePool "${r.nodePool}" is in cooldown after its last command for ${durationInWords(r.waitMs)}`;
    case 'not-paid-back':
      return `its evictions are priced at ${tenths(r.disruptionCents)} cents${r.lostWorkCents < 0.05 ? '' : `, ${tenths(r.lostWorkCents)} of them for work that Jobs would lose`}${r.grewAgoMs === null ? '' : ` (twice the usual: its pool grew ${durationInWords(r.grewAgoMs)} ago)`}, and waiting has cost ${tenths(r.forgoneCents)} so far: it begins in ${durationInWords(r.waitMs)}, if nothing changes`;
  }
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

/** Why a pod cannot be rolled. */
function obstacleText(o: RolloutObstacle): string {
  switch (o.why) {
    case 'off':
      return 'rollouts are off (--rollouts)';
    case 'no-deployment':
      return `only pods of Deployments are rolled, and it has ${o.owner}`;
    case 'unknown-deployment':
      return 'its Deployment or ReplicaSet is missing or cannot be decoded';
    case 'replicas':
      return `its Deployment has ${o.replicas} replicas, and only those with 1 are rolled`;
    case 'recreate':
      return 'the strategy Recreate of its Deployment stops the old pod first';
    case 'paused':
      return 'its Deployment is paused';
    case 'unsettled':
      return 'its Deployment is not fully rolled out and available';
    case 'no-surge':
      return `its Deployment stops the old pod first (it needs maxSurge 1 and maxUnavailable 0), and ${o.managedBy} manages its replicas`;
    case 'deletion-cost':
      return 'its Deployment stops the old pod first (it needs maxSurge 1 and maxUnavailable 0), and the pod has a deletion cost of its own';
    case 'volume':
      return `two nodes cannot use its volume at once (claim ${o.claim})`;
    case 'topology':
      return `its own topology constraint by ${o.key} counts the old pod beside the new one`;
    case 'tolerates':
      return 'it tolerates the taint karpenter.sh/disrupted, so that the new pod could start on the same node';
  }
}
