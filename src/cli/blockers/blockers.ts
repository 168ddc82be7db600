import { performance } from 'node:perf_hooks';
import { type BlockerPrices, type PricingProgress, priceBlockers } from '../../engine/blockers/price.ts';
import { type BlockersDocument, blockersDocument } from '../../report/blockers-document.ts';
import { loadInput, tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { leftInWords, Pauses, ProgressLine, TimeLeft } from '../output/progress.ts';
import { outputWidth, printAs } from '../output/terminal-text.ts';
import { planRules } from '../plan/make-plan.ts';
import type { BlockersOptions } from './flags.ts';
import { renderBlockers } from './render.ts';

export async function blockersCommand(options: BlockersOptions): Promise<number> {
  const { cluster, notices, notes } = await loadInput(options);
  const { rules, search, maxReplacements } = await planRules(cluster, options);
  const planning = { search, maxReplacements, work: options.workBudget };
  const prices = await withProgress(priceBlockers({ objects: cluster, rules }, planning, { blockers: options.limit }));
  tell(notices, notes);
  const document = blockersDocument(prices, cluster.nowMs, options.ownerLabel);
  printAs(options.output, await format(document, cluster.nowMs, options.output));
  return EXIT.ok;
}

async function format(document: BlockersDocument, nowMs: number, output: BlockersOptions['output']): Promise<string> {
  if (output === 'text') return renderBlockers(document, outputWidth(110));
  if (output !== 'html') return documentText(document, output);
  const { blockersReport } = await import('./html.ts');
  return blockersReport(document, nowMs);
}

async function withProgress(steps: Generator<PricingProgress, BlockerPrices>): Promise<BlockerPrices> {
  const [pauses, progress, timeLeft, startedMs] = [new Pauses(), new ProgressLine(), new TimeLeft(), performance.now()];
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      progress.clear();
      return step.value;
    }
    if (!(await pauses.pause())) continue;
    const { done, plans, share } = step.value;
    const leftMs = timeLeft.estimateMs(share, performance.now() - startedMs);
    progress.show(`${done} of ${plans} plans${leftInWords(leftMs)}`);
  }
}
