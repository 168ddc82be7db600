import { blockedNamespaceOf } from '../engine/blockers/blocker.ts';
import type { BlockerPrices, ForgoneByRules, PricedBlocker } from '../engine/blockers/price.ts';
import { labelOf } from '../engine/cluster/objects.ts';
import type { Refusal } from '../engine/refusal.ts';
import { remedyFor } from './blocker-remedy.ts';
import { blockerTitle, savingsRuleTitle } from './blocker-words.ts';
import { reasonsToStayCounted } from './plan-words.ts';

/** The output of `decant blockers -o json`. */
export interface BlockersDocument {
  readonly apiVersion: 'decant.sh/v1alpha1';
  readonly kind: 'Blockers';
  readonly now: string;
  readonly plannedSavingsCentsPerHour: number;
  readonly totalCentsPerHour: number;
  /**
   * What savings threshold, minimum percentage or Balanced policy forgo on the nodes that stay because of these only:
   * additional savings and evictions without them. null if they keep no node.
   */
  readonly savingsRules: {
    /** Their titles, such as "savings threshold of 1 cent". */
    readonly rules: readonly string[];
    readonly nodes: readonly string[];
    readonly centsPerHour: number;
    readonly evictions: number;
  } | null;
  /** Numbers of nodes that stay for other reasons, most frequent first. */
  readonly otherReasons: readonly { readonly code: string; readonly nodes: number }[];
  readonly blockers: readonly BlockerEntry[];
}

export interface BlockerEntry {
  readonly kind: string;
  readonly title: string;
  /** Of its pods or object; null for pools, nodes and settings. */
  readonly namespace: string | null;
  /** Value of the owner label; null without one, or if its pods differ. */
  readonly owner: string | null;
  readonly nodes: readonly string[];
  /** null if not priced, because of the limit. */
  readonly aloneCentsPerHour: number | null;
  readonly jointCentsPerHour: number | null;
  /** Other blockers of its nodes, included in the joint figure. */
  readonly others: readonly string[];
  readonly remedy: string;
}

export function blockersDocument(
  prices: BlockerPrices,
  nowMs: number,
  ownerLabel: string | undefined,
): BlockersDocument {
  const { rules } = prices;
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Blockers',
    now: new Date(nowMs).toISOString(),
    plannedSavingsCentsPerHour: prices.plannedSavingsCentsPerHour,
    totalCentsPerHour: prices.totalCentsPerHour,
    savingsRules: rules === undefined ? null : savingsRules(rules),
    otherReasons: reasonsToStayCounted(prices.otherNodes).map(([code, nodes]) => ({ code, nodes })),
    blockers: prices.blockers.map((b) => entry(b, ownerLabel)),
  };
}

function savingsRules({ nodes, centsPerHour, evictions }: ForgoneByRules): BlockersDocument['savingsRules'] {
  const rules = [
    ...new Set(nodes.flatMap((node) => node.refusals.flatMap((r) => savingsRuleTitle(r as Refusal) ?? []))),
  ].sort();
  return { rules, nodes: nodes.map(({ name }) => name).sort(), centsPerHour, evictions };
}

function entry(priced: PricedBlocker, ownerLabel: string | undefined): BlockerEntry {
  const { blocker, nodes, pods, others, aloneCentsPerHour, jointCentsPerHour } = priced;
  const owners = new Set(ownerLabel === undefined ? [] : pods.map((p) => labelOf(p.labels, ownerLabel)));
  return {
    kind: blocker.kind,
    title: blockerTitle(blocker),
    namespace: blockedNamespaceOf(priced) ?? null,
    owner: onlyOne(owners),
    nodes,
    aloneCentsPerHour: aloneCentsPerHour ?? null,
    jointCentsPerHour: jointCentsPerHour ?? null,
    others: others.map(blockerTitle),
    remedy: remedyFor(priced),
  };
}

function onlyOne(values: ReadonlySet<string | undefined>): string | null {
  const [value] = values;
  return values.size === 1 ? (value ?? null) : null;
}
