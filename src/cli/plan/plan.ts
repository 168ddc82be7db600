import { performance } from 'node:perf_hooks';
import { type Input, loadInput, tell } from '../input/load-input.ts';
import { documentText } from '../output/document-text.ts';
import { EXIT } from '../output/exit.ts';
import { outputWidth, printAs, styled } from '../output/terminal-text.ts';
import type { PlanCommandOptions } from './flags.ts';
import { type MadePlan, makePlan } from './make-plan.ts';

export async function planCommand(options: PlanCommandOptions): Promise<number> {
  const startedMs = performance.now();
  const input = await loadInput(options);
  const loadMs = performance.now() - startedMs;
  const made = await makePlan(input.cluster, options, loadMs);
  const text = await format(made, input, options);
  tell(input.notices, input.notes);
  printAs(options.output, text);
  return options.exitCode && made.plan.moves.length === 0 ? EXIT.no : EXIT.ok;
}

async function format(made: MadePlan, input: Input, options: PlanCommandOptions): Promise<string> {
  const { output } = options;
  if (output === 'html') {
    const { planReport } = await import('./html.ts');
    return planReport(made, input, options);
  }
  if (output === 'json' || output === 'yaml') return documentText(made.plan, output);
  const { renderPlan } = await import('./render.ts');
  return renderPlan(made.plan, {
    // Tables need 80 columns, and are hard to read beyond 140.
    width: outputWidth(140),
    wide: output === 'wide',
    paint: styled,
  });
}
