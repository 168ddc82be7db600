import { type BlockerPrices, type PricingProgress, priceBlockers } from '../../engine/blockers/price.ts';
import { getOrInsert } from '../../engine/cluster/get-or-insert.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { blockersDocument } from '../../report/blockers-document.ts';
import { costDocument } from '../../report/cost-document.ts';
import type { BlockersAnswer, CostAnswer } from '../money-api.ts';
import { Refused } from './refused.ts';
import { inSlices } from './slices.ts';
import { rulesOf, type Subject } from './subject.ts';

/** Each blocker takes two plans; the page shows how many were left out. */
const MAX_PRICED = 10;
/** Label keys that the page offers to group by. */
const MAX_LABELS = 40;

/** The cluster's cost by namespace, or by the query. */
export function costAnswer({ objects }: Subject, query: URLSearchParams): Omit<CostAnswer, 'version'> {
  const by = query.get('by') ?? 'namespace';
  const document = costDocument(objects, by);
  if (document === undefined)
    throw new Refused(400, `by: ${JSON.stringify(by.slice(0, 60))} is not allowed`, {
      parameter: 'by',
      allowed: 'namespace, workload, pool, node or label:KEY',
    });
  return { document, labels: labelKeys(objects) };
}

/** An answer with progress comes after this time at the latest. */
const PROGRESS_MS = 1000;
/** A client that still waits asks again long before this. */
const ABANDONED_MS = 10_000;

/** Prices the blockers of one cluster while clients ask for it. */
export class BlockerPricing {
  private readonly subject: Subject;
  private progress: PricingProgress = { done: 0, plans: 1, share: 0 };
  private askedMs = 0;
  private running: Promise<BlockerPrices | undefined> | undefined;

  constructor(subject: Subject) {
    this.subject = subject;
  }

  async answer(query: URLSearchParams): Promise<Omit<BlockersAnswer, 'version'>> {
    this.askedMs = performance.now();
    this.running ??= this.run();
    // A failure after the client has left must not end the thread.
    this.running.catch(() => {});
    const prices = await Promise.race([this.running, soon()]);
    const { objects } = this.subject;
    const { nowMs } = objects;
    if (prices === undefined) return { nowMs, progress: this.progress };
    const owner = query.get('owner') ?? undefined;
    return { nowMs, document: blockersDocument(prices, nowMs, owner), labels: labelKeys(objects) };
  }

  /** Resolves to undefined if no client asks any more; the next question starts again. */
  private async run(): Promise<BlockerPrices | undefined> {
    const { objects, search, maxReplacements, work } = this.subject;
    const steps = priceBlockers(
      { objects, rules: rulesOf(this.subject) },
      { search, maxReplacements, work },
      { blockers: MAX_PRICED },
    );
    const abandoned = new Error('the client has disconnected');
    try {
      return await inSlices(steps, (step) => {
        this.progress = step;
        if (performance.now() - this.askedMs > ABANDONED_MS) throw abandoned;
      });
    } catch (error) {
      this.running = undefined;
      if (error !== abandoned) throw error;
      return undefined;
    }
  }
}

function soon(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, PROGRESS_MS, undefined));
}
/** Keys of pod labels with several values, most common first: those may distinguish teams. */
function labelKeys({ pods }: ClusterObjects): readonly string[] {
  const values = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  for (const { labels } of pods)
    for (const [key, value] of Object.entries(labels)) {
      getOrInsert(values, key, () => new Set()).add(value);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return [...values]
    .filter(([key, { size }]) => size > 1 && size < counts.get(key)!)
    .map(([key]) => key)
    .sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1))
    .slice(0, MAX_LABELS);
}
