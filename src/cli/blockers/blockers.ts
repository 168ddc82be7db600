import { performance } from 'node:perf_hooks';
import { setImmediate as breathe } from 'node:timers/promises';
import type { BlockerPrices, PricedBlocker, PricingProgress } from '../../engine/blockers/price.ts';
import { priceBlockers } from '../../engine/blockers/price.ts';
import { labelOf } from '../../engine/cluster/objects.ts';
import type { Situation } from '../../engine/explanation/situation.ts';
import { plan } from '../../engine/plan.ts';
import type { PlanningOptions } from '../flags/planning.ts';
import { type InputOptions, loadInput, tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';
import { planRules } from '../plan/make-plan.ts';
import { blockerTitle, remedyFor } from './remedy.ts';
import { renderBlockers } from './render.ts';

export interface BlockersOptions extends InputOptions, PlanningOptions {
  readonly limit: number;
  readonly ownerLabel?: string;
  readonly output: 'text' | 'json' | 'yaml';
}

/** What `-o json` prints. */
export interface BlockersDocument {
  readonly apiVersion: 'decant.sh/v1alpha1';
  readonly kind: 'Blockers';
  readonly now: string;
  readonly plannedSavingsCentsPerHour: number;
  readonly totalCentsPerHour: number;
  readonly blockers: readonly BlockerEntry[];
}

export interface BlockerEntry {
  readonly kind: string;
  readonly title: string;
  /** Of its pods or its object; null for pools, nodes and settings. */
  readonly namespace: string | null;
  /** By --owner-label; null without it, or where its pods differ. */
  readonly owner: string | null;
  readonly nodes: readonly string[];
  /** null: not tried, see --limit. */
  readonly aloneCentsPerHour: number | null;
  readonly jointCentsPerHour: number | null;
  /** Other blockers of its nodes, which have to go as well for the joint figure. */
  readonly others: readonly string[];
  readonly remedy: string;
}

export async function blockersCommand(options: BlockersOptions): Promise<number> {
  const { cluster, notices } = await loadInput(options);
  const { rules, search, maxReplacements } = await planRules(cluster, options);
  const work = options.workBudget;
  const made = priceBlockers(
    { objects: cluster, rules },
    ({ objects, rules: own }: Situation) =>
      plan(objects, { search, rules: own, loadMs: 0, maxReplacements, work }, () => 0),
    options.limit,
  );
  const prices = await withProgress(made);
  tell(notices);
  const document = blockersDocument(prices, cluster.nowMs, options.ownerLabel);
  print(options.output === 'text' ? renderBlockers(document) : await documentText(document, options.output));
  return EXIT.ok;
}

async function withProgress(steps: Generator<PricingProgress, BlockerPrices>): Promise<BlockerPrices> {
  const startedMs = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
      return step.value;
    }
    const { done, plans } = step.value;
    const leftSeconds = ((performance.now() - startedMs) / done) * (plans - done) * 0.001;
    if (process.stderr.isTTY)
      process.stderr.write(`\r\u001b[K${done} of ${plans} plans, about ${Math.ceil(leftSeconds)} s left`);
    await breathe();
  }
}

function blockersDocument(prices: BlockerPrices, nowMs: number, ownerLabel: string | undefined): BlockersDocument {
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Blockers',
    now: new Date(nowMs).toISOString(),
    plannedSavingsCentsPerHour: prices.plannedSavingsCentsPerHour,
    totalCentsPerHour: prices.totalCentsPerHour,
    blockers: prices.blockers.map((b) => entry(b, ownerLabel)),
  };
}

function entry(priced: PricedBlocker, ownerLabel: string | undefined): BlockerEntry {
  const { blocker, nodes, pods, others, aloneCentsPerHour, jointCentsPerHour } = priced;
  const namespaces = new Set(pods.map((p) => p.namespace));
  const owners = new Set(ownerLabel === undefined ? [] : pods.map((p) => labelOf(p.labels, ownerLabel)));
  return {
    kind: blocker.kind,
    title: blockerTitle(blocker),
    namespace: onlyOne(namespaces),
    owner: onlyOne(owners),
    nodes,
    aloneCentsPerHour: aloneCentsPerHour ?? null,
    jointCentsPerHour: jointCentsPerHour ?? null,
    others: others.map(blockerTitle),
    remedy: remedyFor(blocker),
  };
}

function onlyOne(values: ReadonlySet<string | undefined>): string | null {
  const [value] = values;
  return values.size === 1 ? (value ?? null) : null;
}
