import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BlockerPrices, type PricingProgress, priceBlockers } from '../../engine/blockers/price.ts';
import type { Situation } from '../../engine/explanation/situation.ts';
import { planSteps } from '../../engine/plan.ts';
import { type BlockersDocument, blockersDocument } from '../../report/blockers-document.ts';
import type { PlanningOptions } from '../flags/planning.ts';
import { type InputOptions, loadInput, tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { printAs } from '../output/terminal-text.ts';
import { planRules } from '../plan/make-plan.ts';
import { renderBlockers } from './render.ts';

export interface BlockersOptions extends InputOptions, PlanningOptions {
  readonly limit: number;
  readonly ownerLabel?: string;
  readonly output: 'text' | 'json' | 'yaml' | 'html';
}

export async function blockersCommand(options: BlockersOptions): Promise<number> {
  const { cluster, notices, notes } = await loadInput(options);
  const { rules, search, maxReplacements } = await planRules(cluster, options);
  const work = options.workBudget;
  const made = priceBlockers(
    { objects: cluster, rules },
    ({ objects, rules: own }: Situation) =>
      planSteps(objects, { search, rules: own, loadMs: 0, maxReplacements, work }, () => 0),
    options.limit,
  );
  const prices = await withProgress(made);
  tell(notices, notes);
  const document = blockersDocument(prices, cluster.nowMs, options.ownerLabel);
  printAs(options.output, await format(document, cluster.nowMs, options.output));
  return EXIT.ok;
}

async function format(document: BlockersDocument, nowMs: number, output: BlockersOptions['output']): Promise<string> {
  if (output === 'text') return renderBlockers(document);
  if (output !== 'html') return documentText(document, output);
  const { blockersReport } = await import('./html.ts');
  return blockersReport(document, nowMs);
}

/** Between two updates of the progress line. */
const REFRESH_MS = 100;

async function withProgress(steps: Generator<PricingProgress, BlockerPrices>): Promise<BlockerPrices> {
  const startedMs = performance.now();
  let shownMs = startedMs;
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
      return step.value;
    }
    if (performance.now() - shownMs < REFRESH_MS) continue;
    shownMs = performance.now();
    const { done, plans } = step.value;
    const leftSeconds = ((shownMs - startedMs) / done) * (plans - done) * 0.001;
    const left = done === 0 ? '' : `, about ${Math.ceil(leftSeconds)} s left`;
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${done} of ${plans} plans${left}`);
    await nextTurn();
  }
}
