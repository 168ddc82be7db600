import { moveFixes } from '../explanation/fixes.ts';
import { isAboutMove } from '../explanation/gate-names.ts';
import type { Situation } from '../explanation/situation.ts';
import { NodeTrials } from '../explanation/trial.ts';
import type { Plan } from '../plan-document.ts';
import {
  type BlockedNodes,
  type Blocker,
  blockerKey,
  blockersIn,
  type ConstraintInTheWay,
  mergedBlockers,
} from './blocker.ts';
import { lifted } from './lift.ts';

/** What a blocker costs, in cents per hour, by plans made with and without it. */
export interface PricedBlocker extends BlockedNodes {
  /** Savings if only this blocker is removed; undefined if not tried. */
  readonly aloneCentsPerHour?: number;
  /** Savings if it is removed together with every other blocker of its nodes; undefined if not tried. */
  readonly jointCentsPerHour?: number;
  /** The other blockers of its nodes. */
  readonly others: readonly Blocker[];
}

export interface BlockerPrices {
  /** Savings of the current plan. */
  readonly plannedSavingsCentsPerHour: number;
  /** Additional savings without any blocker. */
  readonly totalCentsPerHour: number;
  /** Most expensive first: jointly, then alone. */
  readonly blockers: readonly PricedBlocker[];
}

export interface PricingProgress {
  readonly done: number;
  readonly plans: number;
}

/** A blocker may hide another, which appears once the first is removed; more rounds are not known to occur. */
const MAX_ROUNDS = 4;

/**
 * Prices the blockers of a cluster: a plan as things are, plans without any blocker until no new one is named, and two
 * for each blocker. `plan` makes one for a situation, in steps. At most `limit` blockers are tried, those of the most
 * expensive nodes. Yields at every step of every plan.
 */
export function* priceBlockers(
  situation: Situation,
  plan: (situation: Situation) => Generator<unknown, Plan>,
  limit: number,
): Generator<PricingProgress, BlockerPrices> {
  let progress: PricingProgress = { done: 0, plans: 1 };
  function* made(changed: Situation): Generator<PricingProgress, Plan> {
    const steps = plan(changed);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      yield progress;
    }
  }
  const now = yield* made(situation);
  const base = now.totals.savingsCentsPerHour;
  const savings = new Map<string, number>();
  let done = 1;
  let found: readonly BlockedNodes[] = [];
  let [seen, without] = [situation, now];
  const named: BlockedNodes[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    named.push(...blockersIn(without, situation.objects, constraintsOn(seen)));
    const known = found.length;
    found = mergedBlockers(named);
    if (found.length === known) break;
    const all = found.map((f) => f.blocker);
    seen = lifted(situation, all);
    without = yield* made(seen);
    savings.set(setKey(all), without.totals.savingsCentsPerHour);
    progress = { done: ++done, plans: done + 2 * Math.min(limit, found.length) };
    yield progress;
  }
  const tried = found.slice(0, limit).map((blocked) => ({ blocked, jointly: sameNodes(blocked, found) }));
  const left = new Set(tried.flatMap(({ blocked, jointly }) => [setKey([blocked.blocker]), setKey(jointly)]));
  const plans = done + [...left].filter((key) => !savings.has(key)).length;
  for (const { blocked, jointly } of tried) {
    for (const set of [[blocked.blocker], jointly]) {
      const key = setKey(set);
      if (savings.has(key)) continue;
      const changed = yield* made(lifted(situation, set));
      savings.set(key, changed.totals.savingsCentsPerHour);
      progress = { done: ++done, plans };
      yield progress;
    }
  }
  const gain = (set: readonly Blocker[]) => Math.max(0, (savings.get(setKey(set)) as number) - base);
  const blockers = found.map((blocked, i): PricedBlocker => {
    const jointly = sameNodes(blocked, found);
    const others = jointly.filter((b) => b !== blocked.blocker);
    if (i >= limit) return { ...blocked, others };
    // A plan without several blockers may still use the moves that removing one of them allows.
    const aloneCentsPerHour = gain([blocked.blocker]);
    return { ...blocked, others, aloneCentsPerHour, jointCentsPerHour: Math.max(aloneCentsPerHour, gain(jointly)) };
  });
  const most = without.totals.savingsCentsPerHour - base;
  return {
    plannedSavingsCentsPerHour: base,
    totalCentsPerHour: Math.max(0, most, ...blockers.map((b) => b.jointCentsPerHour ?? 0)),
    blockers: blockers.sort(
      (a, b) =>
        (b.jointCentsPerHour ?? -1) - (a.jointCentsPerHour ?? -1) ||
        (b.aloneCentsPerHour ?? -1) - (a.aloneCentsPerHour ?? -1),
    ),
  };
}

/** The blocker and all others of its nodes. */
function sameNodes({ blocker, nodes }: BlockedNodes, all: readonly BlockedNodes[]): readonly Blocker[] {
  const own = new Set(nodes);
  return all.filter((each) => each.blocker === blocker || each.nodes.some((n) => own.has(n))).map((b) => b.blocker);
}

function setKey(blockers: readonly Blocker[]): string {
  return blockers.map(blockerKey).sort().join(' ');
}

/** The constraints that leave the pods of a node without a place, from a simulation of its removal. */
function constraintsOn(situation: Situation): (node: string) => readonly ConstraintInTheWay[] {
  let trials: NodeTrials | undefined;
  return (node) => {
    trials ??= new NodeTrials(situation, node);
    const trial = trials.run([], node);
    const fixes = trial.refusals.flatMap((r) => (isAboutMove(r) ? moveFixes(r, trial) : []));
    for (const change of fixes) {
      if (change.code === 'topology-free') return [{ pods: change.pods, constraint: change.kind, key: change.key }];
      if (change.code === 'label-free') return [{ pods: change.pods, constraint: 'node-affinity', key: change.key }];
    }
    return [];
  };
}
