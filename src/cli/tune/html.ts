import { policyConfiguration } from '../../lab/policy-configuration.ts';
import type { Tuning } from '../../lab/tuning.ts';
import { byCost } from '../../lab/tuning-document.ts';
import { goalText, recommendationText } from '../../lab/tuning-text.ts';
import type { LabAnswer } from '../../web/api.ts';
import { reportFile } from '../../web/server/report-file.ts';
import { renderTuning } from './render.ts';

/** A tuning as one HTML file: the settings that were tried in the dashboard's policy lab, and the recommended configuration. */
export function tuningReport(tuning: Tuning): Promise<string> {
  const { workload, days, wish, best, current, blocks } = tuning;
  const rows = byCost(tuning.outcomes).map(({ row }) => {
    const mark = row === best.row ? ' (recommended)' : row === current.row ? ' (now)' : '';
    return { ...row, policy: { ...row.policy, name: `${row.policy.name}${mark}` } };
  });
  const lab: LabAnswer = {
    version: 0,
    results: [],
    about: { title: `${workload}: ${goalText(wish)}`, lead: recommendationText(tuning) },
    comparison: { days, blocks, workloads: [{ name: workload, rows }] },
    configurations: { tuned: policyConfiguration({ ...best.row.policy, name: 'tuned' }, blocks) },
  };
  return reportFile({
    title: `Decant tune: ${workload}`,
    page: 'report',
    views: ['lab'],
    content: { answers: { '/api/lab': lab } },
    words: renderTuning(tuning, { paint: (_, text) => text }),
  });
}
