import type { Candidate } from '../disruption/candidates.ts';
import { requiredSavings } from '../disruption/required-savings.ts';
import type { ThresholdRefusal } from '../search/blocked-moves.ts';
import type { Change } from './change.ts';
import { GroupTrials } from './group-trials.ts';
import { changed, type Situation } from './situation.ts';
import type { Unlock } from './unlocks.ts';

/**
 * Lower thresholds that let nodes go together which the savings threshold keeps. Confirmed by a trial; none if another gate
 * refuses then.
 */
export function jointUnlocks(
  situation: Situation,
  { nodes = [], ...refusal }: ThresholdRefusal,
  maxReplacements: number,
): readonly Unlock[] {
  const counted = refusal.discountedCentsPerHour ?? refusal.savingsCentsPerHour;
  const changes = lowerThresholds(membersOf(new GroupTrials(situation, maxReplacements), nodes), counted);
  if (changes.length === 0) return [];
  const trials = new GroupTrials(changed(situation, changes), maxReplacements);
  const verdict = trials.judge(membersOf(trials, nodes));
  if (!('move' in verdict)) return [];
  const { kind, savings } = verdict.move;
  return [{ changes, decision: kind, savingsCentsPerHour: savings * 100, nodes }];
}

function membersOf({ candidates }: GroupTrials, nodes: readonly string[]): readonly Candidate[] {
  return candidates.filter(({ name }) => nodes.includes(name));
}

/** One limit for the thresholds of all pools that exceed it, the highest at which the savings are enough. */
function lowerThresholds(members: readonly Candidate[], savingsCents: number): Change[] {
  const pools = [...Map.groupBy(members, ({ pool }) => pool.name)]
    .map(([nodePool, own]) => ({ nodePool, ...requiredSavings(own) }))
    .filter(({ disruptionCost }) => disruptionCost > 0)
    .sort((a, b) => b.threshold - a.threshold);
  let cost = 0;
  let others = pools.reduce((sum, { requiredCents }) => sum + requiredCents, 0);
  for (const [i, { disruptionCost, requiredCents }] of pools.entries()) {
    cost += disruptionCost;
    others -= requiredCents;
    const atMostCents = (savingsCents - others) / cost;
    if (atMostCents >= (pools[i + 1]?.threshold ?? 0))
      return pools.slice(0, i + 1).map(({ nodePool }) => ({ code: 'savings-threshold', nodePool, atMostCents }));
  }
  return [];
}
