import type { DecisionView } from '../controller/controller.ts';
import { type BlockerPrices, type PricingLimits, priceBlockers } from '../engine/blockers/price.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import type { PlanSettings } from '../engine/plan.ts';
import { errorInWords, type Log } from './log.ts';

export interface BlockerTrialOptions {
  /** undefined while caches are not synced. */
  readonly view: () => Pick<DecisionView, 'objects' | 'rules'> | undefined;
  readonly planning: Pick<PlanSettings, 'search' | 'maxReplacements' | 'work'>;
  /** From the beginning of one trial to that of the next; 0: none. */
  readonly everyMs: number;
  /** While false, a trial in progress waits: a pass is running. */
  readonly isQuiet: () => boolean;
  /** Monotonic. */
  readonly clock: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
  readonly onPriced: (prices: BlockerPrices, objects: ClusterObjects) => void;
}

/** Computation at a time, and the pause after it: a fifth of a core while a trial lasts. */
const SLICE_MS = 25;
const PAUSE_MS = 100;
/** Computation of one trial after which no further blocker is tried. */
const BUDGET_MS = 5 * 60_000;
const MOST: PricingLimits = { blockers: 20, namespaces: 20 };
/** A trial holds a second compiled cluster, which has to fit into the memory of the process. */
const MOST_NODES = 5_000;

/** Prices what blocks consolidation now and then, between passes. */
export class BlockerTrial {
  private readonly options: BlockerTrialOptions;
  private begunMs = Number.NEGATIVE_INFINITY;
  private stopped = false;
  private running = Promise.resolve();

  constructor(options: BlockerTrialOptions) {
    this.options = options;
  }

  /** Begins a trial if one is due, and returns at once. */
  passed(): void {
    const { everyMs, clock, view, log } = this.options;
    if (everyMs === 0 || this.stopped || clock() - this.begunMs < everyMs) return;
    const situation = view();
    if (situation === undefined) return;
    this.begunMs = clock();
    const nodes = situation.objects.nodes.length;
    if (nodes > MOST_NODES) {
      log.info(`blockers are priced up to ${MOST_NODES} nodes only: run decant blockers instead`, { nodes });
      return;
    }
    this.running = this.running.then(() => this.run(situation));
  }

  /** Abandons the trial in progress; resolves when it has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
  }

  private async run(situation: Pick<DecisionView, 'objects' | 'rules'>): Promise<void> {
    const { planning, isQuiet, clock, sleep, log, onPriced } = this.options;
    let spentMs = 0;
    const steps = priceBlockers(situation, planning, { ...MOST, mayGoOn: () => spentMs < BUDGET_MS });
    try {
      for (;;) {
        await sleep(PAUSE_MS);
        if (this.stopped) return;
        const resumedMs = clock();
        while (isQuiet() && clock() - resumedMs < SLICE_MS) {
          const step = steps.next();
          if (step.done === true) return onPriced(step.value, situation.objects);
        }
        spentMs += clock() - resumedMs;
      }
    } catch (error) {
      log.error('blockers could not be priced', { error: errorInWords(error) });
    }
  }
}
