import { isTerminal, namespacedName } from '../cluster/pods.ts';
import { NODE_POOL } from '../cluster/well-known.ts';
import { isEmpty } from '../disruption/candidates.ts';
import type { PolicyName, PoolPolicy } from '../disruption/pool-policy.ts';
import { requiredPercent, requiredSavings } from '../disruption/required-savings.ts';
import { rolloutsOn } from '../disruption/rollouts.ts';
import { isAtMost } from '../disruption/tolerance.ts';
import { idleSinceMs } from '../gates/idle-since.ts';
import { keepsReserve } from '../gates/pool-reserve.ts';
import { usedShare, utilizationBypass } from '../gates/utilization.ts';
import { reasonFor } from '../search/approval.ts';
import type { MoveGateName, NodeGateName } from './gate-names.ts';
import type { NodeTrial } from './trial.ts';

/** The numbers behind a gate's decision; `words.ts` has the text. */
export type GateFact =
  | { readonly code: 'off' }
  | { readonly code: 'plain' }
  /** `rolled`: pods that are rolled, not evicted. */
  | {
      readonly code: 'pods';
      readonly pods: number;
      readonly tightest?: TightestBudget;
      readonly rolled?: readonly string[];
    }
  | { readonly code: 'price'; readonly centsPerHour: number }
  | { readonly code: 'policy'; readonly policy: PolicyName; readonly single: boolean; readonly multi: boolean }
  | { readonly code: 'age'; readonly ageMs: number; readonly requiredMs: number }
  /** `inside`: nodes of the pool with a pod that came or went within the window; `of`: nodes of the pool. */
  | {
      readonly code: 'idle';
      readonly idleMs: number;
      readonly requiredMs: number;
      readonly inside: number;
      readonly of: number;
    }
  | {
      readonly code: 'utilization';
      readonly utilization: number;
      readonly threshold: number;
      readonly bypass?: 'drifted' | 'expiring';
    }
  | { readonly code: 'placed'; readonly pods: number; readonly onNewNodes: number }
  | { readonly code: 'replacements'; readonly needed: number; readonly allowed: number }
  | { readonly code: 'cheaper'; readonly centsPerHour: number; readonly replacementCentsPerHour: number }
  | { readonly code: 'percent'; readonly savingsPercent: number; readonly requiredPercent: number }
  | {
      readonly code: 'savings';
      readonly savingsCentsPerHour: number;
      /** What counts of it, if that is less (destinationLifetime). */
      readonly discountedCentsPerHour?: number;
      readonly requiredCentsPerHour: number;
      readonly disruptionCost: number;
      readonly threshold: number;
    }
  | { readonly code: 'budget'; readonly nodePool: string; readonly reason: string; readonly left: number };

export interface TightestBudget {
  readonly budget: string;
  readonly allowed: number;
}

const OFF: GateFact = { code: 'off' };
const PLAIN: GateFact = { code: 'plain' };

export function nodeFact(gate: NodeGateName, trial: NodeTrial): GateFact | undefined {
  const { cluster, row, candidate, situation } = trial;
  const { claim, labels } = cluster.rows[row];
  const { settings } = situation.rules;
  const { nowMs } = cluster.objects;
  const pool = cluster.poolByName.get(labels[NODE_POOL] ?? '');
  const policy = pool === undefined ? undefined : situation.rules.policyOf(pool);
  switch (gate) {
    case 'pods-evictable':
      return podsFact(trial, policy);
    case 'capacity-buffer':
      return cluster.objects.capacityBuffers.length === 0 ? OFF : PLAIN;
    case 'instance-known':
      return candidate === undefined ? PLAIN : { code: 'price', centsPerHour: candidate.price * 100 };
    case 'policy':
      return policy === undefined ? PLAIN : policyFact(policy);
    case 'minimum-lifetime': {
      const initialized = claim?.conditions.find((c) => c.type === 'Initialized' && c.status === 'True');
      const asked = policy?.setsConsolidateAfter !== true || settings.minNodeLifetimeForAll;
      if (initialized === undefined || !asked || settings.minNodeLifetimeMs === 0) return OFF;
      return { code: 'age', ageMs: nowMs - initialized.changedMs, requiredMs: settings.minNodeLifetimeMs };
    }
    case 'consolidate-after':
      return claim === undefined || policy?.consolidateAfterMs === undefined
        ? OFF
        : { ...windowOf(trial, policy.consolidateAfterMs), idleMs: nowMs - idleSinceMs(claim) };
    case 'grace-period':
      return policy?.gracePeriodMs === undefined ? OFF : PLAIN;
    case 'utilization':
      return settings.utilizationThreshold >= 1 || (candidate !== undefined && isEmpty(candidate))
        ? OFF
        : utilizationFact(trial, policy);
    default:
      return PLAIN;
  }
}

function podsFact({ cluster, row }: NodeTrial, policy: PoolPolicy | undefined): GateFact {
  const rolled = rolloutsOn(cluster, row, policy).map(({ pod }) => pod);
  let tightest: TightestBudget | undefined;
  let pods = 0;
  for (const i of cluster.podsOfRow[row]) {
    if (isTerminal(cluster.pods[i])) continue;
    pods++;
    if (rolled.includes(i)) continue;
    for (const { namespace, name, disruptionsAllowed } of cluster.budgets.guarding(cluster.pods[i], cluster.facts[i])) {
      if (tightest === undefined || disruptionsAllowed < tightest.allowed)
        tightest = { budget: `${namespace}/${name}`, allowed: disruptionsAllowed };
    }
  }
  const names = rolled.map((i) => namespacedName(cluster.pods[i]));
  return { code: 'pods', pods, tightest, ...(names.length === 0 ? {} : { rolled: names }) };
}

function policyFact({ policy, singleNode, multiNode }: PoolPolicy): GateFact {
  return { code: 'policy', policy, single: singleNode.enabled, multi: multiNode.enabled };
}

/** A window that every node of a pool is in may never end: each pod that comes or goes restarts it. */
function windowOf({ cluster, row }: NodeTrial, requiredMs: number) {
  const pool = cluster.rows[row].labels[NODE_POOL];
  const { nowMs } = cluster.objects;
  const claims = cluster.rows.flatMap(({ claim, labels }) =>
    claim !== undefined && labels[NODE_POOL] === pool ? [claim] : [],
  );
  const inside = claims.filter((claim) => nowMs - idleSinceMs(claim) < requiredMs).length;
  return { code: 'idle', requiredMs, inside, of: claims.length } as const;
}

function utilizationFact({ cluster, row, situation }: NodeTrial, policy: PoolPolicy | undefined): GateFact {
  const threshold = situation.rules.settings.utilizationThreshold;
  const used = usedShare(cluster, row, policy);
  const bypass = isAtMost(used, threshold) ? undefined : utilizationBypass(cluster, row);
  return { code: 'utilization', utilization: used, threshold, bypass };
}

/** For a gate that the trial passed. */
export function moveFact(gate: MoveGateName, trial: NodeTrial): GateFact {
  const { attempt, candidate, move, situation } = trial;
  if (candidate === undefined) return PLAIN;
  const price = candidate.price * 100;
  switch (gate) {
    case 'placeable': {
      const placed = attempt?.placed ?? [];
      return { code: 'placed', pods: placed.length, onNewNodes: placed.filter(({ row }) => row < 0).length };
    }
    case 'initialized-destinations':
      return attempt === undefined || attempt.placed.length === 0 ? OFF : PLAIN;
    case 'replacement-count':
      return {
        code: 'replacements',
        needed: attempt?.newNodes ?? 0,
        allowed: situation.rules.settings.maxReplacements,
      };
    case 'headroom':
      return keepsReserve(candidate.policy) ? PLAIN : OFF;
    case 'cheaper':
      if (move === undefined || move.kind === 'delete') return OFF;
      return { code: 'cheaper', centsPerHour: price, replacementCentsPerHour: price - move.savings * 100 };
    case 'spot-to-spot':
    case 'minimum-values':
      return OFF;
    case 'minimum-percent': {
      const percent = requiredPercent([candidate], candidate.price);
      if (percent === 0 || move === undefined) return OFF;
      return { code: 'percent', savingsPercent: (move.savings * 10_000) / price, requiredPercent: percent };
    }
    case 'savings-threshold': {
      const { requiredCents, disruptionCost, threshold } = requiredSavings([candidate]);
      if (move === undefined || threshold === 0) return OFF;
      return {
        code: 'savings',
        savingsCentsPerHour: move.savings * 100,
        ...(move.discountedSavings === undefined ? {} : { discountedCentsPerHour: move.discountedSavings * 100 }),
        requiredCentsPerHour: requiredCents,
        disruptionCost,
        threshold,
      };
    }
    case 'balanced':
      return candidate.policy.policy === 'Balanced' ? PLAIN : OFF;
    case 'budgets':
      return {
        code: 'budget',
        nodePool: candidate.pool.name,
        reason: reasonFor(move?.kind ?? 'delete', candidate),
        left: trial.budgetLeft ?? 0,
      };
    case 'brakes':
      return OFF;
  }
}
