import { parseArgs } from 'node:util';
import { highsSolver } from '../../src/bound/highs-solver.ts';
import { lowerBound } from '../../src/engine/bound/lower-bound.ts';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { STOCK_RULES } from '../../src/engine/settings.ts';
import { inputFile } from '../generate/cached-input.ts';
import { type ClusterParameters, DEFAULTS, type Variant } from '../generate/parameters.ts';
import { loadObjects } from '../measures/load-objects.ts';
import { MERGED_RULES, type Planned, planMerged } from './merged-plan.ts';
import { priceOf, questionOf } from './question.ts';
import { stockToItsFixedPoint } from './stock-fixed-point.ts';
import type { Duration } from './stopwatch.ts';

const HELP = `npm run bench:planner [-- options]

Money and evictions of one merged plan beside those of stock Karpenter's commands run until none is left, on generated
clusters; both with stock's switches.

  --nodes N        nodes of each cluster (default 200)
  --seeds N        clusters of each kind (default 3, which makes 24 clusters)
  --markdown       the table of bench/README.md
  --follow         pods of the merged plan may go to nodes that it launches
  --cpu            processor time in place of time: for machines that have other work
  --no-stock       only the merged plan, for clusters where stock takes too long
`;

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '200' },
    seeds: { type: 'string', default: '3' },
    markdown: { type: 'boolean', default: false },
    follow: { type: 'boolean', default: false },
    cpu: { type: 'boolean', default: false },
    'no-stock': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const BOUND_ROUNDS = 60;
const VARIANTS: readonly Variant[] = ['normal', 'tight', 'fragmented', 'spread'];
const HEADERS = [
  'cluster',
  'now',
  'stock',
  'evictions',
  'commands',
  'took',
  'merged',
  'evictions',
  'moves',
  'took',
  'bound',
  'within',
  'saves more',
];

if (values.help) process.stdout.write(HELP);
else await run();

async function run(): Promise<void> {
  line(HEADERS);
  if (values.markdown) line(HEADERS.map((_, i) => (i === 0 ? '---' : '---:')));
  for (const mode of ['plain', 'mixed'] as const) {
    for (const variant of VARIANTS) {
      for (let seed = 1; seed <= Number(values.seeds); seed++) {
        line(await compare({ ...DEFAULTS, mode, variant, seed, nodes: Number(values.nodes) }));
      }
    }
  }
}

/** Dollars per hour below which no plan can get. */
async function boundOf(objects: ClusterObjects, { removable }: Planned): Promise<number> {
  const { cluster } = questionOf(objects, MERGED_RULES, 1).simulation;
  return lowerBound(cluster, removable, await highsSolver(), { rounds: BOUND_ROUNDS }).dollarsPerHour;
}

async function compare(parameters: ClusterParameters): Promise<string[]> {
  const objects = await loadObjects(await inputFile({ ...parameters, form: 'snapshot' }));
  const now = priceOf(questionOf(objects, STOCK_RULES, 1).simulation.cluster);
  const merged = planMerged(objects, values.follow);
  const name = `${parameters.mode} ${parameters.variant} ${parameters.seed}`;
  const bound = await boundOf(objects, merged);
  const ours = [
    dollars(merged.dollarsPerHour),
    merged.evictions,
    merged.moves,
    seconds(merged.took),
    dollars(bound),
    `${(100 * (merged.dollarsPerHour / bound - 1)).toFixed(1)} %`,
  ].map(String);
  if (values['no-stock']) return [name, dollars(now), '', '', '', '', ...ours, ''];
  const stock = stockToItsFixedPoint(objects);
  const [mine, theirs] = [now - merged.dollarsPerHour, now - stock.dollarsPerHour];
  return [
    name,
    dollars(now),
    dollars(stock.dollarsPerHour),
    String(stock.evictions),
    String(stock.commands),
    seconds(stock.took),
    ...ours,
    `${(100 * (mine / theirs - 1)).toFixed(1)} %`,
  ];
}

function dollars(amount: number): string {
  return amount.toFixed(2);
}

function seconds({ wallMs, cpuMs }: Duration): string {
  return `${((values.cpu ? cpuMs : wallMs) / 1000).toFixed(1)} s`;
}

function line(cells: readonly string[]): void {
  process.stdout.write(
    values.markdown
      ? `| ${cells.join(' | ')} |\n`
      : `${cells.map((c, i) => (i === 0 ? c.padEnd(20) : c.padStart(11))).join('')}\n`,
  );
}
