import type { Refusal } from '../refusal.ts';
import { type Change, isSameSubject, withChange } from './change.ts';
import { moveFixes, nodeFixes } from './fixes.ts';
import { isAboutMove } from './gate-names.ts';
import type { NodeTrial, NodeTrials } from './trial.ts';

/** Changes that together would let the node go. Confirmed by a simulation. */
export interface Unlock {
  readonly changes: readonly Change[];
  /** The nodes that would go together; absent if the node would go by itself. */
  readonly nodes?: readonly string[];
  readonly decision: 'delete' | 'replace';
  readonly savingsCentsPerHour: number;
}

export interface UnlockSearch {
  /** With the fewest steps. */
  readonly unlocks: readonly Unlock[];
  /** Where the most promising changes end if there is no unlock. */
  readonly deadEnd?: { readonly changes: readonly Change[]; readonly refusals: readonly Refusal[] };
}

/** Each trial may compile the cluster again while a user waits: fewer for larger clusters. */
const MAX_TRIALS = 40;
const MIN_TRIALS = 10;
const PODS_PLACED_ANEW = 400_000;
/** Longer chains of changes are not useful. */
const MAX_STEPS = 4;
const MAX_UNLOCKS = 6;
const MAX_VARIED = 3;

/**
 * Breadth first over refusals: each step lifts the current refusals (all of them, if several gates for nodes refuse at
 * once), so the unlocks found first need the fewest changes.
 */
export function findUnlocks(trials: NodeTrials, first: NodeTrial): UnlockSearch {
  const unlocks: Unlock[] = [];
  const seen = new Set<string>();
  let level: { trial: NodeTrial; changes: readonly Change[] }[] = [{ trial: first, changes: [] }];
  const affordable = Math.floor(PODS_PLACED_ANEW / first.cluster.pods.length);
  const most = Math.min(MAX_TRIALS, Math.max(MIN_TRIALS, affordable));
  let tries = 0;
  let deadEnd: UnlockSearch['deadEnd'];
  for (let step = 0; step < MAX_STEPS && level.length > 0 && unlocks.length === 0; step++) {
    const next: typeof level = [];
    for (const { trial, changes } of level) {
      for (const more of alternativesFor(trial)) {
        const together = more.reduce(withChange, changes);
        const key = JSON.stringify(together);
        if (seen.has(key) || tries >= most) continue;
        seen.add(key);
        tries++;
        const tried = trials.run(together);
        if (tried.refusals.length > 0) next.push({ trial: tried, changes: together });
        else if (unlocks.length < MAX_UNLOCKS) unlocks.push(minimized(trials, together));
      }
    }
    // Steps that end at the same gate again lead nowhere.
    const [likeliest] = next;
    if (likeliest !== undefined && likeliest.trial.refusals[0].code !== deadEnd?.refusals[0].code)
      deadEnd = { changes: likeliest.changes, refusals: likeliest.trial.refusals };
    level = next;
  }
  return unlocks.length > 0 ? { unlocks: distinct(unlocks) } : { unlocks, deadEnd };
}

/**
 * Removes changes that later ones made unnecessary, and reduces amounts. Each change is left out once: if the node may
 * still go, it stays out; otherwise the refusal tells how much of it is needed.
 */
function minimized(trials: NodeTrials, changes: readonly Change[]): Unlock {
  let kept = changes;
  for (const change of changes.length === 1 ? [] : changes) {
    const others = kept.filter((c) => c !== change);
    const without = trials.run(others);
    if (without.refusals.length === 0) {
      kept = others;
      continue;
    }
    const needed = fixesOf(without)
      .flat()
      .find((c) => isSameSubject(c, change));
    const tighter = needed === undefined ? kept : kept.map((c) => (c === change ? needed : c));
    if (trials.run(tighter).refusals.length === 0) kept = tighter;
  }
  const { move } = trials.run(kept);
  if (move === undefined) throw new Error('an unlock no longer holds');
  return { changes: kept, decision: move.kind, savingsCentsPerHour: move.savings * 100 };
}

function distinct(unlocks: readonly Unlock[]): readonly Unlock[] {
  return [...new Map(unlocks.map((unlock) => [JSON.stringify(unlock.changes), unlock])).values()];
}

/** For each refusal, the changes that might lift it. */
function fixesOf(trial: NodeTrial): readonly (readonly Change[])[] {
  return trial.refusals.map((r) => (isAboutMove(r) ? moveFixes(r, trial) : nodeFixes(r, trial)));
}

/** Alternatives, each a list of changes to make together; none if some refusal cannot be lifted. */
function alternativesFor(trial: NodeTrial): readonly (readonly Change[])[] {
  const fixes = fixesOf(trial);
  if (fixes.length === 0 || fixes.some((f) => f.length === 0)) return [];
  if (fixes.length === 1) return fixes[0].map((change) => [change]);
  // The most promising fix of each refusal together; then, if there are few, the other fixes of one refusal at a time.
  const likeliest = fixes.map(([change]) => change);
  if (fixes.length > MAX_VARIED) return [likeliest];
  return [
    likeliest,
    ...fixes.flatMap((f, i) => others(f).map((other) => likeliest.map((c, j) => (i === j ? other : c)))),
  ];
}

/** Removing a pod always helps; it is suggested once. */
function others(fixes: readonly Change[]): readonly Change[] {
  return fixes.slice(1).filter((change) => change.code !== 'pod-gone');
}
