import { AnalysisWorker } from '../analysis/analysis-worker.ts';
import { askAt } from '../analysis/ask.ts';
import { type PlanReportContent, subjectFrom } from '../analysis/inlined-subject.ts';
import { Refused } from '../analysis/refused.ts';
import type { Answer } from './answers.ts';
import { answerFromContent, inlinedContent } from './inlined-content.ts';
import { mount } from './mount.tsx';

// The engine is in the file: answers about nodes and sliders are computed on demand.
const content = await inlinedContent<PlanReportContent>();
const analysis = new AnalysisWorker(() => {});
analysis.know(subjectFrom(content.subject), content.plan);
answerFromContent(content, (address, left) => {
  const { pathname, search } = new URL(address, 'http://report');
  const ask = askAt(pathname, search);
  return ask === undefined ? undefined : asAnswer(analysis.answer(ask, left ?? undefined));
});
mount();

async function asAnswer(answering: Promise<object>): Promise<Answer<unknown>> {
  try {
    return { data: await answering };
  } catch (error) {
    if (!(error instanceof Refused)) return { failure: { status: 500, message: String(error) } };
    const { message, status, allowed } = error;
    return { failure: { status, message: allowed === undefined ? message : `${message} (allowed: ${allowed})` } };
  }
}
