import { parseArgs } from 'node:util';
import { loadCatalog } from '../../src/catalog/load.ts';
import { readWorkload } from '../../src/cli/experiment/load-workload.ts';
import { parseDocument } from '../../src/config/parse-document.ts';
import { builtInPolicy } from '../../src/lab/built-in-policies.ts';
import type { NamedPolicy } from '../../src/lab/named-policy.ts';
import { policyCluster } from '../../src/lab/policy-cluster.ts';
import { workloadScenario } from '../../src/lab/workload.ts';
import type { LedgerSummary } from '../../src/simulator/ledger.ts';
import type { Scenario } from '../../src/simulator/scenario.ts';

const HELP = `npm run -s bench:spot-types [-- --seeds 2 --days 1 --regions aws/us-east-1,aws/eu-west-1]

Whether spot may be replaced by spot with fewer than 15 cheaper types when the savings threshold is high: the workload spot-ladder
with prices and interruption bands of real regions, by threshold and number of types. Prints the table of designs/policies.md.
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2' },
    days: { type: 'string', default: '1' },
    regions: { type: 'string', default: 'aws/us-east-1,aws/eu-west-1' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const THRESHOLDS = ['0', '1', '3'];
const TYPES: Readonly<Record<string, NamedPolicy['switches']>> = {
  '15': {},
  shrinking: { 'spot-to-spot-shrink': 'true' },
  '5': { 'spot-to-spot-min-types': '5' },
  '1': { 'spot-to-spot-min-types': '1' },
};
const STEPS = 24;

/** The same pods on the spot market of a region. */
async function inRegion(region: string): Promise<Scenario> {
  const { text, source } = readWorkload('spot-ladder');
  const document = (await parseDocument(text, source)) as { readonly cluster: object };
  const cluster = { ...document.cluster, catalog: region, spotInterruptionsPerDay: 'catalog' };
  return workloadScenario({ ...document, cluster }, region, async (name) => (await loadCatalog({ name })).types);
}

async function run(workload: Scenario, policy: NamedPolicy, seed: number): Promise<LedgerSummary> {
  const { attended } = policyCluster(workload, policy, { seed });
  await attended.run(Number(values.days), STEPS, () => false);
  return attended.cluster.ledger.summary();
}

const base = builtInPolicy('rfc');
if (base === undefined) throw new Error('no policy is called rfc');
const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => i + 1);
process.stdout.write('| region | threshold | types | cost | evictions by moves | by interruptions | launches |\n');
process.stdout.write('|---|--:|--:|--:|--:|--:|--:|\n');
for (const region of values.regions.split(',')) {
  const workload = await inRegion(region);
  for (const threshold of THRESHOLDS)
    for (const [types, switches] of Object.entries(TYPES)) {
      // Without a threshold it does not shrink.
      if (threshold === '0' && types === 'shrinking') continue;
      const disruption = { consolidationSavingsThresholdCents: threshold };
      const all = await Promise.all(seeds.map((seed) => run(workload, { ...base, disruption, switches }, seed)));
      const mean = (of: (each: LedgerSummary) => number) => all.reduce((sum, each) => sum + of(each), 0) / all.length;
      const by = (cause: string) => mean(({ evictionsByCause }) => evictionsByCause[cause] ?? 0).toFixed(0);
      const cells = [region, threshold, types, `$${mean((each) => each.costDollars).toFixed(2)}`];
      cells.push(by('consolidation'), by('interruption'), mean((each) => each.nodesLaunched).toFixed(0));
      process.stdout.write(`| ${cells.join(' | ')} |\n`);
    }
}
