import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addImportedClusterOptions } from '../flags/imported-cluster.ts';
import { refuseIdle } from '../flags/unused.ts';

const EXAMPLES = `
Policies: none (nobody consolidates), stock (Karpenter), rfc (our
controller, every default of the design documents), calm (what we recommend);
or YAML files:
  name: patient            # otherwise the file's name
  controller: decant       # or stock, none
  disruption:              # laid over the block of every NodePool
    consolidationSavingsThresholdCents: "1"
  switches:                # as flags without their dashes
    scaledown-utilization-threshold: 0.6

Examples:
  decant compare -w web --policies none stock calm
  decant compare -w all --policies stock calm patient.yaml --days 7 --seeds 5 \\
    -o html > comparison.html
  decant compare -f cluster.json --policies stock calm --days 2 --wave 30%
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
      .description('The same workload under several policies: what each costs, in money and in evictions.'),
  )
    .option('-w, --workload <name|file...>', 'workloads of the library, files, or all for the whole library')
    .option('--policies <name|file...>', 'none, stock, rfc, calm, or YAML files (default: all four)')
    .option('--threshold <cents,…>', 'a policy for each savings threshold; flags of a grid are combined')
    .option('--grace <duration,…>', 'a policy for each grace period; 0 is none')
    .option('--utilization <share,…>', 'a policy for each utilization threshold')
    .option('--base <name|file>', 'what the policies of a grid are laid over', 'rfc')
    .option(
      '--work-budget <pods>',
      'searches place so many pods in trials, unless a policy says; less is faster (default: 2000)',
      wholeNumber(1, 1e6),
    )
    .option('--seeds <n>', 'simulations of each policy, with chances of their own', wholeNumber(1, 1000), 3)
    .option('--days <x>', 'virtual days of each simulation', days, 1)
    .addOption(
      new Option('-o, --output <format>', 'how to print; html is one file with plots and what to paste')
        .choices(['text', 'json', 'yaml', 'html'])
        .default('text'),
    )
    .option('--workers <n>', 'simulations at a time', wholeNumber(1, 1024), availableParallelism())
    .option('--shard <i/n>', 'compute a share only, for --merge; n alone takes i from JOB_COMPLETION_INDEX')
    .option('--results <folder>', 'with --shard: write the share there, and the report once all shares are there')
    .option('--merge <file...>', 'shares into a report: files, - for stdin, or the folder of --results')
    .option('--job', 'print an Indexed Job that computes --shard n shares on Kubernetes and merges them')
    .option('--image <image>', 'with --job: the container image', 'decant:latest')
    .addHelpText('after', EXAMPLES);
  compare.action(async (options) => {
    refuseIdleOnes(compare);
    const { compareCommand } = await import('./compare.ts');
    process.exitCode = await compareCommand(options);
  });
}

const OF_GRIDS = ['threshold', 'grace', 'utilization'];
const OF_SIMULATIONS = ['workload', 'policies', ...OF_GRIDS, 'base', 'workBudget', 'seeds', 'days', 'workers', 'image'];
const OF_CLUSTERS = ['file', 'kubeconfig', 'context', 'catalog', 'overlay', 'unavailable', 'now', 'wave', 'growth'];

function refuseIdleOnes(compare: Command): void {
  const { merge, job, shard, ...options } = compare.opts();
  if (merge !== undefined)
    refuseIdle(compare, [...OF_SIMULATIONS, ...OF_CLUSTERS, 'results'], 'is for simulations; --merge runs none');
  if (job) refuseIdle(compare, ['output', 'results'], 'is not for --job, which prints a manifest');
  else refuseIdle(compare, ['image'], 'is for --job');
  if (shard !== undefined) refuseIdle(compare, ['output'], 'is for --merge: a share is always JSON');
  if (OF_GRIDS.every((name) => options[name] === undefined))
    refuseIdle(compare, ['base'], 'is for --threshold, --grace and --utilization');
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,7}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`allowed: a whole number from ${least} to ${most}.`);
  };
}

const MOST_DAYS = 3650;

export function days(text: string): number {
  const value = /^([0-9]+\.?[0-9]*|\.[0-9]+)$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= MOST_DAYS) return value;
  throw new InvalidArgumentError(`allowed: a number above 0, up to ${MOST_DAYS}.`);
}
