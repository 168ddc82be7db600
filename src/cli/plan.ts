import { performance } from 'node:perf_hooks';
import type { Plan } from '../engine/plan-document.ts';
import { documentText } from './document-text.ts';
import { EXIT } from './exit.ts';
import { type Input, type InputOptions, loadInput, tell } from './load-input.ts';
import { makePlan } from './make-plan.ts';
import type { PlanningOptions } from './plan-options.ts';
import { paint, printAs } from './terminal-text.ts';

export interface PlanOptions extends InputOptions, PlanningOptions {
  readonly output: 'text' | 'wide' | 'json' | 'yaml' | 'html';
  readonly exitCode?: true;
}

export async function planCommand(options: PlanOptions): Promise<number> {
  const startedMs = performance.now();
  const input = await loadInput(options);
  const loadMs = performance.now() - startedMs;
  const { plan: result } = await makePlan(input.cluster, options, loadMs);
  const text = await format(result, input, options);
  tell(input.notices);
  printAs(options.output, text);
  return options.exitCode && result.moves.length === 0 ? EXIT.no : EXIT.ok;
}

async function format(result: Plan, input: Input, options: PlanOptions): Promise<string> {
  const { output } = options;
  if (output === 'html') {
    const { planReport } = await import('./plan-report.ts');
    return planReport(result, input, options);
  }
  if (output === 'json' || output === 'yaml') return documentText(result, output);
  const { renderPlan } = await import('./render-plan.ts');
  return renderPlan(result, {
    // Narrower than 80 no table can be read; wider than 100 the eye loses the row.
    width: Math.min(Math.max(process.stdout.columns ?? 100, 80), 100),
    wide: output === 'wide',
    paint,
  });
}
