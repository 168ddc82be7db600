import type { AutoPercent } from './auto-percent.ts';
import { type Candidate, isEmpty } from './candidates.ts';

/** What a move has to save, and why. */
export interface RequiredSavings {
  /** Σ threshold × disruption cost over the removed nodes, each with its own pool's threshold. */
  readonly requiredCents: number;
  readonly disruptionCost: number;
  /** The pools' threshold if equal, otherwise the cost-weighted mean. */
  readonly threshold: number;
}

/**
 * Σ threshold × disruption cost: each pool's threshold applies to its own nodes only. A negative cost requires nothing,
 * and never offsets another node. Empty nodes require nothing: no pod is disrupted.
 */
export function requiredSavings(candidates: readonly Candidate[]): RequiredSavings {
  let requiredCents = 0;
  let disruptionCost = 0;
  const occupied = candidates.filter((c) => !isEmpty(c));
  for (const c of occupied) {
    const cost = Math.max(0, c.disruptionCost);
    requiredCents += c.policy.savingsThresholdCents * cost;
    disruptionCost += cost;
  }
  return { requiredCents, disruptionCost, threshold: commonThreshold(occupied, requiredCents, disruptionCost) };
}

function commonThreshold(candidates: readonly Candidate[], requiredCents: number, disruptionCost: number): number {
  const thresholds = new Set(candidates.map((c) => c.policy.savingsThresholdCents));
  if (thresholds.size === 1) return candidates[0].policy.savingsThresholdCents;
  return disruptionCost === 0 ? 0 : requiredCents / disruptionCost;
}

/** Percent of the summed price, with each pool's percentage applied to its own nodes. */
export function requiredPercent(candidates: readonly Candidate[], price: number): number {
  if (candidates.length === 1) return ownPercent(candidates[0]);
  if (price === 0) return 0;
  return candidates.reduce((sum, c) => sum + ownPercent(c) * c.price, 0) / price;
}

function ownPercent({ policy: { minSavingsPercent }, autoPercent }: Candidate): number {
  return minSavingsPercent === 'auto' ? (autoPercent?.percent ?? 0) : minSavingsPercent;
}

/** Inputs of the highest automatic percentage; undefined if no pool has auto. */
export function strictestAuto(candidates: readonly Candidate[]): AutoPercent | undefined {
  let strictest: AutoPercent | undefined;
  for (const { autoPercent } of candidates)
    if (autoPercent !== undefined && !(autoPercent.percent <= (strictest?.percent ?? 0))) strictest = autoPercent;
  return strictest;
}
