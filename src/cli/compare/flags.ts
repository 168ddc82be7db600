import { availableParallelism } from 'node:os';
import { type Command, Option } from 'commander';
import { days, outputFlag, wholeNumberFlag } from '../flags/flag-values.ts';
import { addImportedClusterOptions } from '../flags/imported-cluster.ts';
import { refuseUnused } from '../flags/unused.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
Policies: none (no consolidation), stock (Karpenter), balanced (Karpenter with
its Balanced policy), rfc (Decant with every default of the design documents),
calm (Decant as recommended); or YAML files:
  name: patient            # default: the name of the file
  controller: decant       # or stock, none
  disruption:              # overrides the block of every NodePool
    consolidationSavingsThresholdCents: "1"
  switches:                # settings, by flag without dashes
    scaledown-utilization-threshold: 0.6

Examples:
  decant compare -w web --policies none stock calm
  decant compare -w all --policies stock calm patient.yaml --days 7 --seeds 5 \\
    -o html > comparison.html
  decant compare -f cluster.json --policies stock calm --days 2 --wave 30%
  decant compare --history fortnight.jsonl.gz --policies stock calm
  decant compare -w web --threshold 0,1,2,5,10 --grace 0,5m,1h
  decant compare -w web --shard 0/2 > 0.json
  decant compare -w web --shard 1/2 > 1.json
  decant compare --merge 0.json 1.json
  decant compare -w all --days 7 --job --shard 8 \\
    --image registry.example/decant:1 | kubectl apply -f -
`;

export function addCompare(decant: Command): void {
  const compare = addImportedClusterOptions(
    decant
      .command('compare')
      .description('Compare policies on the same workload: cost, savings and evictions of each.'),
  )
    .option(
      '-w, --workload <name|file...>',
      'Workloads of the library, files, or all for the whole library; commas are allowed',
    )
    .option(
      '--policies <name|file...>',
      'none, stock, balanced, rfc, calm, or policy files; commas are allowed (default: these five)',
    )
    .option('--threshold <cents,…>', 'Add a policy per savings threshold; grid flags are combined')
    .option('--grace <duration,…>', 'Add a policy per grace period; 0 for none')
    .option('--utilization <share,…>', 'Add a policy per utilization threshold')
    .option('--base <name|file>', 'Policy that the grid changes', 'rfc')
    .option(
      '--work-budget <pods>',
      'Stop each search after this many simulated placements, unless the policy sets it (default: 2000)',
      wholeNumberFlag(1, 1e6),
    )
    .option('--seed <n>', 'First seed', wholeNumberFlag(0, 1e6), 1)
    .option('--seeds <n>', 'Simulations per policy, each with other random events', wholeNumberFlag(1, 1000), 3)
    .addOption(
      new Option(
        '--half <half>',
        'Half of the workloads, with its own seeds: choose settings on one, report on the other',
      ).choices(['choose', 'report']),
    )
    .option('--history <file>', 'Replay what decant record wrote, and compare with what was recorded')
    .option('--days <x>', 'Days to simulate (default: 1, or the length of the history)', days)
    .addOption(
      outputFlag(
        ['text', 'json', 'yaml', 'html'],
        'Output format; html is one file with plots and configuration to paste',
      ),
    )
    .option('--workers <n>', 'Simulations in parallel', wholeNumberFlag(1, 1024), availableParallelism())
    .option('--shard <i/n>', 'Compute share i of n only, for --merge; with n alone, i is JOB_COMPLETION_INDEX')
    .option(
      '--results <folder>',
      'With --shard: write the share to this folder, and the report once all shares are there',
    )
    .option('--merge <file...>', 'Merge shares into a report: files, - for stdin, or the folder of --results')
    .option('--job', 'Print an Indexed Job that computes --shard n shares on Kubernetes and merges them')
    .option('--image <image>', 'Container image of --job', 'decant:latest')
    .addHelpText('after', EXAMPLES);
  compare.action(async (options) => {
    refuseUnusedFlags(compare);
    await exitWith((await import('./compare.ts')).compareCommand({ ...options, replay: options.history }));
  });
}

const OF_GRIDS = ['threshold', 'grace', 'utilization'];
const OF_SIMULATIONS = [
  'workload',
  'policies',
  ...OF_GRIDS,
  'base',
  'workBudget',
  'seed',
  'seeds',
  'half',
  'days',
  'workers',
  'image',
];
const OF_CLUSTERS = [
  'file',
  'history',
  'kubeconfig',
  'context',
  'catalog',
  'overlay',
  'unavailable',
  'now',
  'wave',
  'growth',
];

function refuseUnusedFlags(compare: Command): void {
  const { merge, job, shard, ...options } = compare.opts();
  if (merge !== undefined)
    refuseUnused(compare, [...OF_SIMULATIONS, ...OF_CLUSTERS, 'results'], 'is for simulations; --merge runs none');
  if (job) refuseUnused(compare, ['output', 'results'], 'is not for --job, which prints a manifest');
  else refuseUnused(compare, ['image'], 'is for --job');
  if (shard !== undefined) refuseUnused(compare, ['output'], 'is for --merge: a share is always JSON');
  if (OF_GRIDS.every((name) => options[name] === undefined))
    refuseUnused(compare, ['base'], 'is for --threshold, --grace and --utilization');
}
