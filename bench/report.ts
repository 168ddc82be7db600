import { checksOf, count, isResult, type Result, type ResultOrFailure, time } from './result.ts';

const HEADERS = [
  'workload',
  'nodes',
  'pods',
  'median',
  'min … max',
  '± mad',
  'cpu',
  'first',
  'memory',
  'found',
  'Karpenter',
  'goal',
  'reached',
  '',
];

/** For people at a terminal. */
export function textReport(outcomes: readonly ResultOrFailure[]): string {
  const rows = outcomes.map((o) => (isResult(o) ? textRow(o, outcomes) : [o.name, `failed: ${o.failure}`]));
  const wholeRows = [HEADERS, ...rows].filter((row) => row.length === HEADERS.length);
  const widths = HEADERS.map((_, column) => Math.max(...wholeRows.map((row) => row[column].length)));
  const lines = [HEADERS, ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i]))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, '', ...footnotes(outcomes.filter(isResult))].join('\n');
}

function textRow(r: Result, all: readonly ResultOrFailure[]): string[] {
  const checks = checksOf(r, all);
  return [
    r.name,
    count(Number(r.facts.nodes)),
    count(Number(r.facts.pods)),
    time(r.wallMs.median),
    `${time(r.wallMs.min)} … ${time(r.wallMs.max)}`,
    time(r.wallMs.mad),
    time(r.cpuMs.median),
    r.firstMs === undefined ? '' : time(r.firstMs),
    `${count(r.peakMb)} MB`,
    found(r),
    r.stock === undefined ? '' : time(r.stock.ms),
    checks.map((c) => c.goal).join(', '),
    checks.map((c) => c.reached).join(', '),
    r.quick ? '' : verdict(checks.map((c) => c.met)),
  ];
}

/** What a pass of the controller proposes: a cluster with nothing to do must not flatter it. */
function found({ facts }: Result): string {
  return facts.proposals === undefined ? '' : `${facts.proposals} proposals, $${Number(facts.savings).toFixed(2)}/h`;
}

function verdict(met: readonly (boolean | undefined)[]): string {
  if (met.length === 0) return '';
  if (met.includes(false)) return 'missed';
  return met.includes(undefined) ? 'partly known' : 'met';
}

function footnotes(results: readonly Result[]): string[] {
  const sources = new Set(results.flatMap((r) => (r.stock === undefined ? [] : [r.stock.source.split(':')[0]])));
  const loads = results.flatMap((r) => r.machine.loadAverage);
  const machine = results[0]?.machine;
  return [
    ...(machine === undefined
      ? []
      : [
          `Node ${machine.node}, ${machine.cores} cores, load average ${Math.min(...loads).toFixed(1)} … ${Math.max(...loads).toFixed(1)}`,
        ]),
    ...[...sources].map((source) => `Karpenter's figures: ${source}`),
    ...(results.some((r) => r.quick) ? ['quick: small clusters, goals not judged'] : []),
  ];
}

/** The table of bench/README.md. */
export function markdownReport(outcomes: readonly ResultOrFailure[]): string {
  const rows = outcomes.map((o) =>
    isResult(o) ? markdownRow(o, outcomes) : `| \`${o.name}\` | failed: ${o.failure} | | | | | | |`,
  );
  return [
    '| workload | goal | reached | median (min … max, ± mad), cpu | memory | found | Karpenter’s code | |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
    '',
    ...footnotes(outcomes.filter(isResult)).map((line) => `${line}.  `),
  ].join('\n');
}

function markdownRow(r: Result, all: readonly ResultOrFailure[]): string {
  const checks = checksOf(r, all);
  const cells = [
    `\`${r.name}\``,
    checks.map((c) => c.goal).join('; ') || '(for comparison)',
    checks.map((c) => c.reached).join('; '),
    `${time(r.wallMs.median)} (${time(r.wallMs.min)} … ${time(r.wallMs.max)}, ± ${time(r.wallMs.mad)}), ${time(r.cpuMs.median)}`,
    `${count(r.peakMb)} MB`,
    found(r),
    r.stock === undefined ? '' : time(r.stock.ms),
    r.quick ? 'quick' : verdict(checks.map((c) => c.met)),
  ];
  return `| ${cells.join(' | ')} |`;
}
