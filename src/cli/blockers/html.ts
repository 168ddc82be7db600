import type { BlockersDocument } from '../../report/blockers-document.ts';
import { count, perMonth } from '../../report/money.ts';
import type { BlockersAnswer } from '../../web/money-api.ts';
import { reportFile } from '../../web/server/report-file.ts';
import { renderBlockers } from './render.ts';

/** Of the text that is shown without scripts. */
const HTML_WIDTH = 110;

/** The blockers as one HTML file: the dashboard's view. */
export function blockersReport(document: BlockersDocument, nowMs: number): Promise<string> {
  const answer: BlockersAnswer = { version: 0, nowMs, document, labels: [] };
  const { blockers, totalCentsPerHour } = document;
  return reportFile({
    title: `Decant: ${count(blockers.length, 'blocker')}, ${perMonth(totalCentsPerHour)} a month`,
    page: 'report',
    views: ['blockers'],
    content: { answers: { '/api/blockers': answer } },
    words: renderBlockers(document, HTML_WIDTH),
  });
}
