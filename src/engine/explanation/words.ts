import { amountText } from '../cluster/amount-text.ts';
import { MOVE, ZONE } from '../cluster/well-known.ts';
import { isRestless } from '../gates/consolidate-after.ts';
import { refusalText } from '../refusal-text.ts';
import { type TextBy, textFor } from '../text-by.ts';
import {
  amounts,
  atLeast,
  atMost,
  cents,
  centsUp,
  count,
  durationInWords,
  elapsed,
  listed,
  percent,
} from './amounts.ts';
import type { Change, Wait } from './change.ts';
import type { GateFact } from './gate-facts.ts';
import type { GateReport } from './gate-reports.ts';
import type { NotPlanned } from './not-planned.ts';
import { labelName, taintText } from './obstacle-words.ts';
import type { Unlock } from './unlocks.ts';

/** Texts of unlocks and of gates that passed; those of refusals are in `../refusal-text.ts`. */
export function unlockWords({ changes, decision, savingsCentsPerHour, nodes = [] }: Unlock, node: string): string {
  const what = decision === 'delete' ? 'deleted' : 'replaced';
  const others = nodes.filter((name) => name !== node);
  const together = others.length === 0 ? '' : ` together with ${listed(others)}`;
  return `${changes.map(changeWords).join(', and ')}: then ${what}${together}, saving ${cents(savingsCentsPerHour)}`;
}

const CHANGES: TextBy<Change, 'code'> = {
  'utilization-threshold': (c) => `utilization threshold ≥ ${atLeast(c.atLeast)} (--scaledown-utilization-threshold)`,
  'savings-threshold': (c) =>
    `consolidationSavingsThresholdCents ≤ ${atMost(c.atMostCents)} for NodePool ${c.nodePool}`,
  'savings-percent': (c) => `consolidationMinSavingsPercent ≤ ${atMost(c.atMost)} for NodePool ${c.nodePool}`,
  headroom: (c) =>
    `headroom.${c.resource === 'pods' ? 'pods.count' : c.resource} ≤ ${c.isPercent ? `${atMost(c.atMost)} %` : amountText(c.resource, c.atMost)} for NodePool ${c.nodePool}`,
  'min-nodes': (c) => `minNodes ≤ ${c.atMost} for NodePool ${c.nodePool}`,
  'workload-share': (c) => `maxShareOnOneNode ≥ ${atLeast(c.atLeast * 100)} % for NodePool ${c.nodePool}`,
  'balanced-k': (c) => `balancedK ≥ ${atLeast(c.atLeast)} for NodePool ${c.nodePool}`,
  'consolidate-after': (c) => `consolidateAfter ≤ ${elapsed(c.atMostMs)} for NodePool ${c.nodePool}`,
  'minimum-lifetime': (c) => `minimum node lifetime ≤ ${elapsed(c.atMostMs)} (--min-node-lifetime)`,
  'consolidation-enabled': (c) =>
    `if NodePool ${c.nodePool} had consolidation on (a consolidateAfter other than Never)`,
  'methods-enabled': (c) => `if NodePool ${c.nodePool} had consolidationPolicy WhenEmptyOrUnderutilized`,
  'emptiness-enabled': (c) => `if NodePool ${c.nodePool} had emptiness consolidation on`,
  'max-replacements': (c) => `if ${c.atLeast} new nodes were allowed (--max-replacements ${c.atLeast})`,
  'local-data-moves': 'without --local-data-blocks',
  'spot-to-spot': 'with --spot-to-spot',
  'preferences-ignored': 'with --preference-policy Ignore',
  'spot-to-spot-types': (c) =>
    `if ${count(c.atMost, 'cheaper type')} were enough for spot to spot (--spot-to-spot-min-types ${c.atMost})`,
  budget: (c) =>
    `if the budget of NodePool ${c.nodePool} allowed ${count(c.atLeast, 'node')} at once${c.disrupting > 0 ? ` (${c.disrupting} being deleted)` : ''}`,
  'pool-limits': (c) => `without the limits of NodePool ${c.nodePool}`,
  wait: (c) => `in ${durationInWords(c.ms)}, ${WAITED_FOR[c.until]}`,
  'more-savings': (c) => `needs ${centsUp(c.cents)} more savings`,
  'node-annotation-gone': 'without the annotation karpenter.sh/do-not-disrupt on the node',
  consolidatable: 'once Karpenter marks its NodeClaim Consolidatable',
  'more-room': (c) => `if node ${c.node} had ${amounts(c.resources)} more free`,
  'nodes-initialized': (c) => `once ${listed(c.nodes)} ${c.nodes.length === 1 ? 'is' : 'are'} initialized`,
  'pod-annotation-gone': (c) => `if pod ${c.pod} did not have the annotation ${c.annotation}`,
  'pod-owned': (c) => `if pod ${c.pod} had a controller`,
  'disruption-budget': (c) => `if PDB ${c.budget} allowed ${c.more} more`,
  'rollout-offered': (c) =>
    `if pod ${c.pod} were rolled instead of evicted (--rollouts and the annotation ${MOVE}: rollout)`,
  surge: (c) => `if the Deployment of pod ${c.pod} had maxSurge 1 and maxUnavailable 0`,
  'pod-gone': (c) => `without pod ${c.pod}`,
  'label-free': (c) => labelFree(c.pods, c.key, c.values),
  toleration: (c) => `if ${podsText(c.pods)} tolerated ${taintText(c.taint)}`,
  'topology-free': (c) =>
    `if ${podsText(c.pods)} had no ${c.kind === 'spread' ? 'topology spread' : `required ${c.kind}`} by ${labelName(c.key)}`,
  'preference-free': (c) => preferenceFree(c.pods, c.kind, c.key),
  'volume-free': (c) => `if the volumes of ${podsText(c.pods)} could be reached from anywhere`,
  'host-port-free': (c) => `if ${podsText(c.pods)} needed no host port`,
};

/** A change as a condition before "then …". */
export function changeWords(c: Change): string {
  return textFor(CHANGES, 'code', c);
}

const WAITED_FOR: Readonly<Record<Wait, string>> = {
  'consolidate-after': 'when consolidateAfter has passed (if no pod comes or goes)',
  'minimum-lifetime': 'when the minimum lifetime has passed',
  'grace-period': 'when the grace period is over',
  'empty-ttl': 'when ttlSecondsAfterEmpty has passed',
  'pod-annotation': 'when the do-not-disrupt of its pods has run out',
  budget: 'when the budget allows it',
};

function labelFree(pods: readonly string[], key: string, values: readonly string[]): string {
  if (key === ZONE && values.length > 0) return `if ${podsText(pods)} could leave zone ${values.join(' and ')}`;
  const wish = values.length === 0 ? key : `${key} = ${values.join(' or ')}`;
  return `if ${podsText(pods)} did not require ${wish}`;
}

function preferenceFree(pods: readonly string[], kind: string, key: string): string {
  if (kind === 'node-affinity') return `if ${podsText(pods)} did not prefer nodes by ${labelName(key)}`;
  const preference = kind === 'spread' ? 'topology spread' : kind;
  return `if ${podsText(pods)} had no preferred ${preference} by ${labelName(key)}`;
}

function podsText(pods: readonly string[]): string {
  return pods.length === 1 ? `pod ${pods[0]}` : `pods ${listed(pods)}`;
}

const FACTS: TextBy<GateFact, 'code'> = {
  off: '',
  plain: '',
  pods: (f) => {
    if (f.pods === 0) return 'it has none';
    return `${f.pods === 1 ? 'its pod' : `all ${f.pods}`} may be evicted${f.tightest === undefined ? '' : `; PDB ${f.tightest.budget} allows ${f.tightest.allowed} more`}${f.rolled === undefined ? '' : `; ${podsText(f.rolled)} rolled, not evicted`}`;
  },
  price: (f) => cents(f.centsPerHour),
  policy: (f) => f.policy,
  age: (f) => `up for ${elapsed(f.ageMs)}, ${durationInWords(f.requiredMs)} needed`,
  idle: (f) => `no pod came or went for ${elapsed(f.idleMs)}, ${durationInWords(f.requiredMs)} needed`,
  utilization: (f) =>
    f.bypass === undefined
      ? `${percent(f.utilization)} ≤ ${percent(f.threshold)}`
      : `${percent(f.utilization)} > ${percent(f.threshold)}, but ${f.bypass}`,
  placed: (f) => placedWords(f.pods, f.onNewNodes),
  replacements: (f) => (f.needed === 0 ? 'none needed' : `${f.needed} needed, ${f.allowed} allowed`),
  cheaper: (f) => `${cents(f.replacementCentsPerHour)} instead of ${cents(f.centsPerHour)}`,
  percent: (f) => `saves ${percent(f.savingsPercent / 100)} ≥ ${percent(f.requiredPercent / 100)}`,
  savings: (f) =>
    `saves ${cents(f.savingsCentsPerHour)}${f.discountedCentsPerHour === undefined ? '' : `, discounted to ${cents(f.discountedCentsPerHour)} for the lifetime of the destination,`} ≥ ${cents(f.requiredCentsPerHour)} (${atMost(f.threshold)} × cost ${f.disruptionCost.toFixed(1)})`,
  budget: (f) => `${count(f.left, 'node')} of pool ${f.nodePool} may still be removed now (${f.reason})`,
};

/** The numbers of a gate that passed; '' if there are none. */
function factWords(f: GateFact): string {
  return textFor(FACTS, 'code', f);
}

function placedWords(pods: number, onNewNodes: number): string {
  if (pods === 0) return 'nothing to move';
  if (onNewNodes === 0) return `${count(pods, 'pod')} ${pods === 1 ? 'fits' : 'fit'} on existing nodes`;
  const existing = pods - onNewNodes;
  return existing === 0
    ? `${count(pods, 'pod')} on new nodes`
    : `${count(existing, 'pod')} on existing nodes, ${onNewNodes} on new ones`;
}

/** A node may have dozens of such pods. */
const MAX_REFUSALS = 3;

/** A gate's text; refusals as everywhere. */
export function gateWords({ verdict, refusals, fact }: GateReport): string {
  if (verdict === 'fail') {
    const told = refusals.slice(0, MAX_REFUSALS).map(refusalText).join('; ');
    const more = refusals.length > MAX_REFUSALS ? `; and ${refusals.length - MAX_REFUSALS} more` : '';
    return `${told}${more}${fact?.code === 'idle' ? restless(fact.inside, fact.of) : ''}`;
  }
  return fact === undefined || verdict === 'not-reached' ? '' : factWords(fact);
}

/** If most of a pool is inside the window, waiting may not help: the next pod restarts it. */
function restless(inside: number, of: number): string {
  if (!isRestless(inside, of)) return '';
  const nodes = inside === of ? `all ${of} nodes` : `${inside} of the ${of} nodes`;
  return `; ${nodes} of the pool are inside this window, which restarts with every pod that comes or goes`;
}

/** Why a node that may go is not in the plan. */
export function notPlannedWords(t: NotPlanned): string {
  const alone = `alone it would save ${cents(t.savingsCentsPerHour)} for a disruption cost of ${t.disruptionCost.toFixed(1)}`;
  const instead = `the plan saves ${cents(t.planSavingsCentsPerHour)} for ${t.planDisruptionCost.toFixed(1)}`;
  const awaited = t.awaitedBy.length === 0 ? [] : [`${podsText(t.awaitedBy)}, pending now, would go there`];
  const takes = t.takesIn.map(({ move, pods }) => `it takes ${count(pods, 'pod')} of move ${move}`);
  const rivals = t.rivals.map(({ move, gone, filled }) =>
    gone > 0
      ? `move ${move} removes ${count(gone, 'node')} that its pods would go to`
      : `move ${move} fills ${count(filled, 'node')} that its pods would go to`,
  );
  const reserve = t.reserve === undefined ? [] : [`without it and the nodes of the plan, ${refusalText(t.reserve)}`];
  const reasons = [...awaited, ...reserve, ...takes, ...rivals];
  if (reasons.length === 0 && t.onePerPass) reasons.push('one move is made at a time, and others come first');
  if (reasons.length === 0) reasons.push('the plan does better without');
  return `${reasons.slice(0, 2).join(' and ')}; ${alone}, ${instead}`;
}
