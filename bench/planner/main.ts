import { parseArgs } from 'node:util';
import { highsSolver } from '../../src/bound/highs-solver.ts';
import { lowerBound } from '../../src/engine/bound/lower-bound.ts';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { STOCK_RULES } from '../../src/engine/settings.ts';
import { inputFile } from '../generate/cached-input.ts';
import { type ClusterParameters, DEFAULTS, type Variant } from '../generate/parameters.ts';
import { loadObjects } from '../measures/load-objects.ts';
import { controllerToItsFixedPoint } from './controller-passes.ts';
import { isBelow, MERGED_RULES, type Planned, type Priced, planMerged } from './merged-plan.ts';
import { priceOf, questionOf } from './question.ts';
import { type Bundle, stockToItsFixedPoint } from './stock-fixed-point.ts';
import type { Duration } from './stopwatch.ts';

const HELP = `npm run bench:planner [-- options]

Money and evictions of one merged plan beside those of stock Karpenter's commands run until none is left, on generated
clusters; both with stock's switches. "bundled" counts commands of stock with an independent part that no gate would pass
alone, such as a spot node that is replaced by spot because an unrelated on-demand node goes in the same command; "split" is
what stock reaches without those parts. The last lines name the clusters on which the plan saves less than either, or
evicts more pods for the same, and say for each bundled command which part no gate would pass alone, and why.

  --nodes N              nodes of each cluster (default 200)
  --seeds N              clusters of each kind (default 3, which makes 24 clusters)
  --only TEXT            clusters whose names contain it, such as "mixed tight 2"
  --max-replacements N   new nodes of one move, at most (default 5); 5,1 makes a row for each, with stock's commands found once
  --markdown             the tables of bench/README.md
  --kinds                a line for each kind of cluster: the least and the most of every figure
  --follow               pods of the merged plan may go to nodes that it launches
  --controller           beside the plan, passes of the controller until it proposes nothing more
  --restarts             with --controller: it is restarted before each pass, and knows what its journal says
  --cpu                  processor time in place of time: for machines that have other work
  --no-bound             without the proven bound
  --no-stock             only the merged plan, for clusters where stock takes too long
`;

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '200' },
    seeds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    'max-replacements': { type: 'string', default: '5' },
    markdown: { type: 'boolean', default: false },
    kinds: { type: 'boolean', default: false },
    follow: { type: 'boolean', default: false },
    controller: { type: 'boolean', default: false },
    restarts: { type: 'boolean', default: false },
    cpu: { type: 'boolean', default: false },
    'no-bound': { type: 'boolean', default: false },
    'no-stock': { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const VARIANTS: readonly Variant[] = ['normal', 'tight', 'fragmented', 'spread'];
const limits = values['max-replacements'].split(',').map(Number);
const HEADERS = [
  'cluster',
  'now',
  ...(values['no-stock'] ? [] : ['stock', 'evictions', 'commands', 'bundled', 'took', 'split', 'evictions']),
  ...['merged', 'evictions', 'moves', 'took'],
  ...(values['no-bound'] ? [] : ['bound', 'within']),
  ...(values['no-stock'] ? [] : ['saves more']),
  ...(values.controller ? ['controller', 'evictions', 'passes', 'took'] : []),
  ...(values.controller && !values['no-stock'] ? ['saves more'] : []),
];

/** Clusters on which somebody does worse than stock, or than stock without the parts that no gate would pass alone. */
class Below {
  private readonly stock: string[] = [];
  private readonly split: string[] = [];

  note(cluster: string, own: Priced, stock: Priced, split: Priced): void {
    if (isBelow(own, stock)) this.stock.push(cluster);
    if (isBelow(own, split)) this.split.push(cluster);
  }

  toString(): string {
    const names = (of: readonly string[]) => [of.length, ...(of.length === 0 ? [] : [`(${of.join(', ')})`])].join(' ');
    return `${names(this.stock)}; than split: ${names(this.split)}`;
  }
}

const below = { plan: new Below(), controller: new Below(), clusters: 0 };
const bundles: string[] = [];

if (values.help) process.stdout.write(HELP);
else await run();

async function run(): Promise<void> {
  line(HEADERS);
  if (values.markdown) line(HEADERS.map((_, i) => (i === 0 ? '---' : '---:')));
  for (const mode of ['plain', 'mixed'] as const) {
    for (const variant of VARIANTS) {
      const ofKind: (readonly string[])[] = [];
      for (let seed = 1; seed <= Number(values.seeds); seed++) {
        if (!`${mode} ${variant} ${seed}`.includes(values.only)) continue;
        for await (const cells of compare({ ...DEFAULTS, mode, variant, seed, nodes: Number(values.nodes) })) {
          if (values.kinds) ofKind.push(cells);
          else line(cells);
        }
      }
      if (ofKind.length > 0) line([`${mode} ${variant}`, ...rangesOf(ofKind.map((cells) => cells.slice(1)))]);
    }
  }
  if (values['no-stock']) return;
  process.stdout.write(`\nOf ${below.clusters} rows, plans below stock: ${below.plan}.\n`);
  if (values.controller) process.stdout.write(`Passes of the controller below stock: ${below.controller}.\n`);
  if (bundles.length > 0) process.stdout.write(`\nBundled commands of stock:\n${bundles.join('')}`);
}

function bundleText(cluster: string, { command, parts }: Bundle): string {
  const lines = parts.map(({ nodes, refusal }) => `  ${nodes.join(', ')}: ${refusal ?? 'passes every gate alone'}\n`);
  return `${cluster}, command ${command} consists of ${parts.length} independent parts:\n${lines.join('')}`;
}

/** Dollars per hour below which no plan can get. */
async function boundOf(objects: ClusterObjects, { removable }: Planned): Promise<number> {
  const { cluster } = questionOf(objects, MERGED_RULES, 1).simulation;
  return lowerBound(cluster, removable, await highsSolver());
}

function moreThan(saved: number, other: number): string {
  if (Math.abs(other - saved) < 1e-9) return '0.0 %';
  return saved === 0 ? 'all' : `${(100 * (other / saved - 1)).toFixed(1)} %`;
}

/** A row for each limit on new nodes. */
async function* compare(parameters: ClusterParameters): AsyncGenerator<string[]> {
  const objects = await loadObjects(await inputFile({ ...parameters, form: 'snapshot' }));
  const now = priceOf(questionOf(objects, STOCK_RULES, 1).simulation.cluster);
  const stock = values['no-stock'] ? undefined : stockToItsFixedPoint(objects);
  const split = stock === undefined || stock.bundles.length === 0 ? stock : stockToItsFixedPoint(objects, true);
  const saved = (by: Priced) =>
    stock === undefined ? [] : [moreThan(now - stock.dollarsPerHour, now - by.dollarsPerHour)];
  const cluster = `${parameters.mode} ${parameters.variant} ${parameters.seed}`;
  const cells = [dollars(now)];
  if (stock !== undefined && split !== undefined) {
    const { evictions, commands, took } = stock;
    cells.push(dollars(stock.dollarsPerHour), `${evictions}`, `${commands}`, `${stock.bundles.length}`, seconds(took));
    cells.push(dollars(split.dollarsPerHour), `${split.evictions}`);
  }
  bundles.push(...(stock?.bundles ?? []).map((bundle) => bundleText(cluster, bundle)));
  for (const limit of limits) {
    const name = limits.length === 1 ? cluster : `${cluster}, at ${limit}`;
    const row = [name, ...cells];
    const plan = planMerged(objects, limit, values.follow);
    row.push(dollars(plan.dollarsPerHour), `${plan.evictions}`, `${plan.moves}`, seconds(plan.took));
    if (!values['no-bound']) {
      const bound = await boundOf(objects, plan);
      row.push(dollars(bound), `${(100 * (plan.dollarsPerHour / bound - 1)).toFixed(1)} %`);
    }
    row.push(...saved(plan));
    below.clusters++;
    if (stock !== undefined && split !== undefined) below.plan.note(name, plan, stock, split);
    if (values.controller) {
      const passed = controllerToItsFixedPoint(objects, limit, values.restarts);
      const { dollarsPerHour, evictions, passes, took } = passed;
      row.push(dollars(dollarsPerHour), `${evictions}`, `${passes}`, seconds(took), ...saved(passed));
      if (stock !== undefined && split !== undefined) below.controller.note(name, passed, stock, split);
    }
    yield row;
  }
}

/** Column by column; units are those of the first row. */
function rangesOf(rows: readonly (readonly string[])[]): readonly string[] {
  return rows[0].map((first, i) => {
    const figures = rows.map((cells) => Number.parseFloat(cells[i])).sort((a, b) => a - b);
    const digits = first.includes('.') ? (first.split('.')[1].match(/^\d+/)?.[0].length ?? 0) : 0;
    const unit = first.replace(/^[-\d.]+/, '');
    return `${figures[0].toFixed(digits)} … ${figures[figures.length - 1].toFixed(digits)}${unit}`;
  });
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
      : `${cells.map((c, i) => (i === 0 ? c.padEnd(20) : c.padStart(values.kinds ? 18 : 10))).join('')}\n`,
  );
}
