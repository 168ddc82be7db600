import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { days, wholeNumber } from '../compare/flags.ts';
import { addImportedClusterOptions } from '../flags/imported-cluster.ts';
import { refuseIdle } from '../flags/unused.ts';

const EXAMPLES = `
Say what you want: few evictions, or most of the savings, or both. Settings are
tried in the simulator, first far apart and then ever closer around the best;
seeds make it repeatable. Ctrl-C ends with the best so far.

Examples:
  decant tune -w web --max-evictions-per-pod-day 2
  decant tune -w web --keep-savings 90% --days 7 --seeds 3 -o html > tuning.html
  decant tune -f cluster.json --wave 30% --keep-savings 90%
  decant tune -w mine.yaml --max-evictions-per-pod-day 1 --current policy.yaml

From what the controller or Karpenter did, without a simulator: which threshold
would have kept the good moves and refused the others.
  kubectl get consolidationcommands -o json |
    decant tune --history - --keep-savings 90%
  kubectl logs -n kube-system deploy/karpenter |
    decant tune --karpenter-log - --keep-savings 90%
  decant tune --history commands.json --max-evictions-per-pod-day 2 --pods 400
`;

export function addTune(decant: Command): void {
  const tune = addImportedClusterOptions(
    decant
      .command('tune')
      .description(
        'Recommends savings threshold, grace period and utilization gate for a wish, and says what each costs.',
      ),
  )
    .option('-w, --workload <name|file>', 'a workload of the library (decant simulate --list), or a file')
    .option('--history <file...>', 'instead: ConsolidationCommands, as files, folders or - for stdin')
    .option('--karpenter-log <file...>', 'instead: the log of Karpenter v1 in JSON, as files or - for stdin')
    .option('--max-evictions-per-pod-day <n>', 'the wish: no more than so many', atLeastNothing)
    .option('--keep-savings <percent>', 'the wish: so much of what the most saving setting saves, such as 90%', share)
    .option('--current <name|file>', 'the policy that is in force now', 'stock')
    .option('--base <name|file>', 'what settings are laid over', 'calm')
    .option('--settings <n>', 'settings to try, at most', wholeNumber(1, 1000), 20)
    .option('--work-budget <pods>', 'searches place so many pods in trials; less is faster', wholeNumber(1, 1e6), 2000)
    .option('--seeds <n>', 'simulations of each setting, with chances of their own', wholeNumber(1, 1000), 1)
    .option('--days <x>', 'virtual days of each simulation', days, 1)
    .option(
      '--pods <n>',
      'with --history or --karpenter-log: pods of the cluster, for evictions per pod',
      wholeNumber(1, 1e7),
    )
    .addOption(
      new Option('-o, --output <format>', 'how to print; html is one file with the curve and what to paste')
        .choices(['text', 'json', 'yaml', 'html'])
        .default('text'),
    )
    .option('--workers <n>', 'simulations at a time', wholeNumber(1, 1024), availableParallelism())
    .addHelpText('after', EXAMPLES);
  tune.action(async (options) => {
    if (options.history === undefined && options.karpenterLog === undefined)
      refuseIdle(tune, ['pods'], 'is for --history or --karpenter-log: a simulation knows its pods');
    else refuseIdle(tune, OF_SIMULATIONS, 'is for simulations, and the past is not simulated');
    if (options.history !== undefined)
      refuseIdle(tune, ['catalog'], 'is for --karpenter-log: commands say what they saved');
    const { tuneCommand } = await import('./tune.ts');
    process.exitCode = await tuneCommand(options);
  });
}

const OF_SIMULATIONS = [
  ...['current', 'base', 'settings', 'workBudget', 'seeds', 'days', 'workers'],
  ...['overlay', 'unavailable', 'now', 'wave', 'growth'],
];

const DECIMAL = /^[0-9]{1,9}(\.[0-9]{1,9})?$/;

function atLeastNothing(text: string): number {
  if (DECIMAL.test(text)) return Number(text);
  throw new InvalidArgumentError('allowed: a number of at least 0.');
}

function share(text: string): number {
  const [, digits = ''] = /^([0-9.]+)\s*%$/.exec(text) ?? [];
  if (DECIMAL.test(digits) && Number(digits) <= 100) return Number(digits) / 100;
  throw new InvalidArgumentError('allowed: a percentage from 0% to 100%, such as 90%.');
}
