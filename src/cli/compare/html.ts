import type { Comparison } from '../../lab/comparison.ts';
import { configurationsOf } from '../../lab/policy-configuration.ts';
import { count } from '../../report/money.ts';
import type { LabAnswer } from '../../web/api.ts';
import { reportFile } from '../../web/server/report-file.ts';
import { renderComparison } from './render.ts';

/** A comparison as one HTML file: the dashboard's policy lab, with what to paste. */
export function comparisonReport(comparison: Comparison): Promise<string> {
  const configurations = configurationsOf(comparison);
  const lab: LabAnswer = { version: 0, results: [], comparison: timeless(comparison), configurations };
  const policies = Object.keys(configurations).length;
  return reportFile({
    title: `Decant comparison: ${policies === 1 ? '1 policy' : `${policies} policies`}, ${count(comparison.workloads.length, 'workload')}`,
    page: 'report',
    views: ['lab'],
    content: { answers: { '/api/lab': lab } },
    words: renderComparison(comparison, { paint: (_, text) => text }),
  });
}

/** Without durations: merged shards must give the same bytes as one process. */
function timeless(comparison: Comparison): Comparison {
  const workloads = comparison.workloads.map(({ name, rows }) => ({
    name,
    rows: rows.map((row) => ({ ...row, elapsedMs: 0 })),
  }));
  return { ...comparison, workloads };
}
