import type { Plan } from '../../engine/plan-document.ts';
import { costInWords } from '../../report/plan-words.ts';
import { inlined, type PlanReportContent } from '../../web/analysis/inlined-subject.ts';
import { plannedTotals, totalsOf } from '../../web/analysis/planned-totals.ts';
import { passFacts } from '../../web/server/pass-facts.ts';
import { reportFile } from '../../web/server/report-file.ts';
import { type FileSourceOptions, fileSource } from '../dashboard/file-source.ts';
import type { Input } from '../input/load-input.ts';
import type { MadePlan } from './make-plan.ts';
import { renderPlan } from './render.ts';

const VERSION = 1;
const WIDTH = 100;

/** The plan as one HTML file: the dashboard of the cluster that it is for, with the engine in it. */
export async function planReport(made: MadePlan, input: Input, options: FileSourceOptions): Promise<string> {
  const { plan } = made;
  const { subject, source } = fileSource(input, made, options);
  const { objects } = subject;
  const settings = source.settings();
  const passed = passFacts({ durationMs: plan.totals.elapsedMs, coverage: plan.coverage }, false);
  const content: PlanReportContent = {
    state: {
      source: source.about,
      version: VERSION,
      nowMs: objects.nowMs,
      totals: { ...totalsOf(plan, objects), planned: plannedTotals(plan) },
      planning: { state: 'ready' },
      mode: source.mode,
      health: source.health(),
    },
    answers: { '/api/settings': { version: VERSION, ...settings, health: [...settings.health, ...passed] } },
    subject: inlined(subject),
    plan,
  };
  return reportFile({
    title: `Decant plan: ${headline(plan)}`,
    page: 'plan-report',
    views: ['cluster', 'plan', 'boundary', 'cost', 'blockers', 'settings'],
    content,
    words: renderPlan(plan, { width: WIDTH, wide: false, paint: (_, text) => text }),
  });
}

function headline(plan: Plan): string {
  const [now, planned] = costInWords(plan);
  return plan.moves.length === 0 ? `${now}, nothing to do` : `${now} → ${planned}`;
}
