import type { TimelineAnswer } from '../../web/api.ts';
import { reportFile } from '../../web/server/report-file.ts';
import type { SimulationRecord } from './record.ts';
import { type LedgerOfRun, ledgerRows, ledgerTitle, renderLedger } from './render.ts';

/** A simulation as one HTML file: the dashboard's timeline, and the result. */
export function simulationReport(run: LedgerOfRun, record: SimulationRecord): Promise<string> {
  const title = ledgerTitle(run);
  const facts = ledgerRows(run).map(([name, value]) => ({ name: name.trim(), value }));
  const timeline: TimelineAnswer = { version: 0, ...record.answer(), about: { title, facts } };
  return reportFile({
    title: `Decant simulation: ${title}`,
    page: 'report',
    views: ['timeline'],
    content: { answers: { '/api/timeline': timeline } },
    words: renderLedger(run),
  });
}
