import { moveFixes } from '../explanation/fixes.ts';
import { isAboutMove } from '../explanation/gate-names.ts';
import type { Situation } from '../explanation/situation.ts';
import { NodeTrials } from '../explanation/trial.ts';
import { type PlanSettings, planSteps } from '../plan.ts';
import type { Plan, PlannedNode } from '../plan-document.ts';
import { CompileCache } from '../scheduling/compile-cache.ts';
import { pausing } from '../steps.ts';
import {
  type BlockedNodes,
  type Blocker,
  blockedNamespaceOf,
  blockerKey,
  blockersIn,
  type ConstraintInTheWay,
  mergedBlockers,
} from './blocker.ts';
import { lifted } from './lift.ts';
import { keptByRules, withoutRules } from './savings-rules.ts';

/** Savings without one or several blockers, in cents per hour; undefined if not tried. */
export interface BlockerGain {
  /** If only these are removed. */
  readonly aloneCentsPerHour?: number;
  /** If they are removed together with every other blocker of their nodes. */
  readonly jointCentsPerHour?: number;
}

/** What a blocker costs, by plans made with and without it. */
export interface PricedBlocker extends BlockedNodes, BlockerGain {
  /** The other blockers of its nodes. */
  readonly others: readonly Blocker[];
}

/** What all blockers of one namespace cost, by plans made with and without them. */
export interface PricedNamespace extends BlockerGain {
  readonly namespace: string;
}

/** What the savings rules of the pools forgo, by one plan without them, as things are otherwise. */
export interface ForgoneByRules {
  /** That stay because of these rules only. */
  readonly nodes: readonly PlannedNode[];
  /** Additional savings and evictions. */
  readonly centsPerHour: number;
  readonly evictions: number;
}

export interface BlockerPrices {
  readonly plannedSavingsCentsPerHour: number;
  /** undefined if the rules keep no node. */
  readonly rules?: ForgoneByRules;
  /** Nodes that stay for other reasons: neither blocked nor kept by savings rules only. */
  readonly otherNodes: readonly PlannedNode[];
  /** Additional savings without any blocker. */
  readonly totalCentsPerHour: number;
  /** Most expensive first: jointly, then alone. */
  readonly blockers: readonly PricedBlocker[];
  /** Most expensive first; only if asked for. */
  readonly namespaces: readonly PricedNamespace[];
}

export interface PricingProgress {
  readonly done: number;
  readonly plans: number;
  /** Of the work: a plan with more nodes that may go takes longer. */
  readonly share: number;
}

export interface PricingLimits {
  /** Blockers that are tried, those of the most expensive nodes. */
  readonly blockers: number;
  /** Namespaces that are tried, those of the most expensive nodes. Default: none. */
  readonly namespaces?: number;
  /** Asked before each further blocker or namespace; false leaves the rest untried. */
  readonly mayGoOn?: () => boolean;
}

/** The first plan compiles the cluster in a cold process: about three times the work of a later one, in time. */
const COLD = 3;

/** A blocker may hide another, which appears once the first is removed; more rounds are not known to occur. */
const MAX_ROUNDS = 4;

/**
 * Prices the blockers of a cluster: a plan as things are, one without savings rules if these keep nodes, plans without any
 * blocker until no new one is named, and two for each blocker and each namespace. Yields at every step of every plan.
 */
export function* priceBlockers(
  situation: Situation,
  planning: Pick<PlanSettings, 'search' | 'maxReplacements' | 'work'>,
  limits: PricingLimits,
): Generator<PricingProgress, BlockerPrices> {
  let progress: PricingProgress = { done: 0, plans: 1, share: 0 };
  const cache = new CompileCache();
  const made = ({ objects, rules }: Situation): Generator<PricingProgress, Plan> =>
    pausing(
      planSteps(objects, { ...planning, rules, cache, loadMs: 0 }, () => 0),
      progress,
    );
  const now = yield* made(situation);
  const base = now.totals.savingsCentsPerHour;
  const savings = new Map<string, number>();
  let done = 1;
  const candidates = now.coverage?.candidates ?? now.totals.evaluated;
  let work = COLD * candidates;
  const ruled = keptByRules(now);
  let rules: ForgoneByRules | undefined;
  if (ruled.length > 0) {
    progress = { done, plans: 2, share: 0 };
    const { totals } = yield* made(withoutRules(situation, new Set(ruled.map(({ nodePool }) => nodePool))));
    const centsPerHour = Math.max(0, totals.savingsCentsPerHour - base);
    rules = { nodes: ruled, centsPerHour, evictions: totals.evictions - now.totals.evictions };
    done++;
    work += candidates;
  }
  const workFor = (set: readonly Blocker[]) =>
    candidates + new Set(found.flatMap(({ blocker, nodes }) => (set.includes(blocker) ? nodes : []))).size;
  const progressWith = (sets: readonly (readonly Blocker[])[]): PricingProgress => {
    const left = new Map(sets.map((set) => [setKey(set), set]));
    for (const key of savings.keys()) left.delete(key);
    const workLeft = [...left.values()].reduce((sum, set) => sum + workFor(set), 0);
    return { done, plans: done + left.size, share: work / (work + workLeft) };
  };
  let found: readonly BlockedNodes[] = [];
  let [seen, without] = [situation, now];
  const named: BlockedNodes[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    for (const each of blockersIn(without, situation.objects, constraintsOn(seen, cache))) {
      named.push(...each);
      yield progress;
    }
    const known = found.length;
    found = mergedBlockers(named);
    if (found.length === known) break;
    const all = found.map((f) => f.blocker);
    progress = progressWith([all, ...setsToTry(found, limits).flat()]);
    yield progress;
    seen = lifted(situation, all);
    without = yield* made(seen);
    savings.set(setKey(all), without.totals.savingsCentsPerHour);
    done++;
    work += workFor(all);
    progress = progressWith(setsToTry(found, limits).flat());
    yield progress;
  }
  const namespaces = blockersByNamespace(found);
  const sets = setsToTry(found, limits);
  for (const both of sets) {
    if (limits.mayGoOn?.() === false) break;
    for (const set of both) {
      const key = setKey(set);
      if (savings.has(key)) continue;
      const changed = yield* made(lifted(situation, set));
      savings.set(key, changed.totals.savingsCentsPerHour);
      done++;
      work += workFor(set);
      progress = progressWith(sets.flat());
      yield progress;
    }
  }
  const kept = new Set([...ruled.map(({ name }) => name), ...found.flatMap(({ nodes }) => nodes)]);
  const leaving = new Set(now.moves.flatMap(({ nodes }) => nodes));
  const saved = (set: readonly Blocker[]) => {
    const most = savings.get(setKey(set));
    return most === undefined ? undefined : Math.max(0, most - base);
  };
  const gainOf = (own: readonly BlockedNodes[]): BlockerGain => {
    const aloneCentsPerHour = saved(own.map((b) => b.blocker));
    const jointly = saved(onSameNodes(own, found));
    if (aloneCentsPerHour === undefined || jointly === undefined) return {};
    // A plan without several blockers may still use the moves that removing one of them allows.
    return { aloneCentsPerHour, jointCentsPerHour: Math.max(aloneCentsPerHour, jointly) };
  };
  const blockers = found.map((blocked): PricedBlocker => {
    const others = onSameNodes([blocked], found).filter((b) => b !== blocked.blocker);
    return { ...blocked, others, ...gainOf([blocked]) };
  });
  const most = without.totals.savingsCentsPerHour - base;
  return {
    plannedSavingsCentsPerHour: base,
    ...(rules === undefined ? {} : { rules }),
    otherNodes: now.nodes.filter(({ name }) => !leaving.has(name) && !kept.has(name)),
    totalCentsPerHour: Math.max(0, most, ...blockers.map((b) => b.jointCentsPerHour ?? 0)),
    blockers: blockers.sort(byGain),
    namespaces: namespaces
      .map(({ namespace, blockers: own }) => ({ namespace, ...gainOf(own) }))
      .filter(({ jointCentsPerHour }) => jointCentsPerHour !== undefined)
      .sort(byGain),
  };
}

/** Each blocker and each namespace, alone and with all blockers of the same nodes; the most expensive first. */
function setsToTry(
  found: readonly BlockedNodes[],
  limits: PricingLimits,
): readonly (readonly (readonly Blocker[])[])[] {
  const groups = [
    ...found.slice(0, limits.blockers).map((blocked) => [blocked]),
    ...blockersByNamespace(found)
      .slice(0, limits.namespaces ?? 0)
      .map(({ blockers }) => blockers),
  ].sort((a, b) => priceOf(b) - priceOf(a));
  return groups.map((own) => [own.map((b) => b.blocker), onSameNodes(own, found)]);
}

function byGain(a: BlockerGain, b: BlockerGain): number {
  const differenceOf = (key: keyof BlockerGain) => (b[key] ?? -1) - (a[key] ?? -1);
  return differenceOf('jointCentsPerHour') || differenceOf('aloneCentsPerHour');
}

function priceOf(own: readonly BlockedNodes[]): number {
  return own.reduce((sum, { centsPerHour }) => sum + centsPerHour, 0);
}

/** Those of the most expensive nodes first. */
function blockersByNamespace(found: readonly BlockedNodes[]) {
  const groups = [...Map.groupBy(found, blockedNamespaceOf)].flatMap(([namespace, blockers]) =>
    namespace === undefined ? [] : [{ namespace, blockers }],
  );
  return groups.sort((a, b) => priceOf(b.blockers) - priceOf(a.blockers));
}

/** These blockers and all others of their nodes. */
function onSameNodes(own: readonly BlockedNodes[], all: readonly BlockedNodes[]): readonly Blocker[] {
  const nodes = new Set(own.flatMap((b) => b.nodes));
  return all.filter((each) => own.includes(each) || each.nodes.some((n) => nodes.has(n))).map((b) => b.blocker);
}

function setKey(blockers: readonly Blocker[]): string {
  return blockers.map(blockerKey).sort().join(' ');
}

/** The constraints that leave the pods of a node without a place, from a simulation of its removal. */
function constraintsOn(situation: Situation, cache: CompileCache): (node: string) => readonly ConstraintInTheWay[] {
  let trials: NodeTrials | undefined;
  return (node) => {
    trials ??= new NodeTrials(situation, node, cache);
    const trial = trials.run([], node);
    const fixes = trial.refusals.flatMap((r) => (isAboutMove(r) ? moveFixes(r, trial) : []));
    for (const change of fixes) {
      if (change.code === 'topology-free') return [{ pods: change.pods, constraint: change.kind, key: change.key }];
      if (change.code === 'label-free') return [{ pods: change.pods, constraint: 'node-affinity', key: change.key }];
    }
    return [];
  };
}
