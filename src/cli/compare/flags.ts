import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import type { ImportedClusterOptions } from '../experiment/imported-cluster.ts';
import { addCommand } from '../flags/command.ts';
import { choice, flag, type OptionsOf, outputFlag } from '../flags/flag.ts';
import { days, wholeNumberFlag } from '../flags/flag-values.ts';
import { IMPORTED_CLUSTER_FLAGS } from '../flags/imported-cluster.ts';
import { allBut, refuseUnused } from '../flags/unused.ts';

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

const FLAGS = [
  ...IMPORTED_CLUSTER_FLAGS,
  flag(
    '-w, --workload <name|file...>',
    'Workloads of the library, files, or all for the whole library; commas are allowed',
  ),
  flag(
    '--policies <name|file...>',
    'none, stock, balanced, rfc, calm, or policy files; commas are allowed (default: these five)',
  ),
  flag('--threshold <cents,…>', 'Add a policy per savings threshold; grid flags are combined'),
  flag('--grace <duration,…>', 'Add a policy per grace period; 0 for none'),
  flag('--utilization <share,…>', 'Add a policy per utilization threshold'),
  flag('--base <name|file>', 'Policy that the grid changes', String, 'rfc'),
  flag(
    '--work-budget <pods>',
    'Stop each search after this many simulated placements, unless the policy sets it (default: 2000)',
    wholeNumberFlag(1, 1e6),
  ),
  flag('--seed <n>', 'First seed', wholeNumberFlag(0, 1e6), 1),
  flag('--seeds <n>', 'Simulations per policy, each with different random events', wholeNumberFlag(1, 1000), 3),
  choice('--half <half>', 'Half of the workloads, with its own seeds: choose settings on one, report on the other', [
    'choose',
    'report',
  ]),
  flag('--history <file>', 'Replay a history written by decant record, and compare with it'),
  flag('--days <x>', 'Days to simulate (default: 1, or the length of the history)', days),
  outputFlag(['text', 'json', 'yaml', 'html'], 'Output format; html is one file with plots and configuration to paste'),
  flag('--workers <n>', 'Simulations in parallel', wholeNumberFlag(1, 1024), availableParallelism()),
  flag('--shard <i/n>', 'Compute only shard i of n, for --merge; with n alone, i is JOB_COMPLETION_INDEX'),
  flag('--results <folder>', 'With --shard: write the shard to this folder, and the report once all shards are there'),
  flag('--merge <file...>', 'Merge shards into a report: files, - for stdin, or the folder of --results'),
  flag('--job', 'Print an Indexed Job that computes n shards (--shard n) on Kubernetes and merges them'),
  flag('--image <image>', 'Container image of --job', String, 'decant:latest'),
];

export type CompareOptions = OptionsOf<typeof FLAGS> & ImportedClusterOptions;

export function addCompare(decant: Command): void {
  addCommand(decant, {
    name: 'compare',
    description: 'Compare policies on the same workload: cost, savings and evictions of each.',
    flags: FLAGS,
    examples: EXAMPLES,
    async run(options, command) {
      refuseUnusedFlags(command);
      return (await import('./compare.ts')).compareCommand({ ...options, replay: options.history });
    },
  });
}

const OF_GRIDS = ['threshold', 'grace', 'utilization'];
function refuseUnusedFlags(compare: Command): void {
  const { merge, job, shard, ...options } = compare.opts();
  if (merge !== undefined)
    refuseUnused(compare, allBut(FLAGS, 'merge', 'output', 'shard', 'job'), 'is for simulations; --merge runs none');
  if (job) refuseUnused(compare, ['output', 'results'], 'is not for --job, which prints a manifest');
  else refuseUnused(compare, ['image'], 'is for --job');
  if (shard !== undefined) refuseUnused(compare, ['output'], 'is for --merge: a shard is always JSON');
  if (OF_GRIDS.every((name) => options[name] === undefined))
    refuseUnused(compare, ['base'], 'is for --threshold, --grace and --utilization');
}
