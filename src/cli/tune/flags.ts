import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import type { ImportedClusterOptions } from '../experiment/imported-cluster.ts';
import { addCommand } from '../flags/command.ts';
import { flag, type OptionsOf, outputFlag } from '../flags/flag.ts';
import { days, decimalFlag, percentage, wholeNumberFlag } from '../flags/flag-values.ts';
import { IMPORTED_CLUSTER_FLAGS } from '../flags/imported-cluster.ts';
import { refuseUnused } from '../flags/unused.ts';

const EXAMPLES = `
Give a goal: few evictions, most of the savings, or both. The command simulates
settings on a coarse grid, then a finer one around the best. Results are
repeatable. Ctrl-C stops with the best so far. Exits 1 if no setting meets the
goal.

Examples:
  decant tune -w web --max-evictions-per-pod-day 2
  decant tune -w web --keep-savings 90% --days 7 --seeds 3 -o html > tuning.html
  decant tune -f cluster.json --wave 30% --keep-savings 90%
  decant tune --history week.jsonl.gz --keep-savings 90%
  decant tune -w mine.yaml --max-evictions-per-pod-day 1 --current policy.yaml

From past commands of Decant or Karpenter, without a simulation: the threshold
that would have allowed the good ones and refused the others.
  kubectl get consolidationcommands -o json |
    decant tune --history - --keep-savings 90%
  kubectl logs -n kube-system deploy/karpenter |
    decant tune --karpenter-log - --keep-savings 90%
  decant tune --history commands.json --max-evictions-per-pod-day 2 --pods 400
`;

const atLeastZero = decimalFlag('a number of at least 0', (value) => value >= 0);
const share = percentage('a percentage from 0% to 100%, such as 90%', (p) => p >= 0 && p <= 100, { needsSign: true });

const FLAGS = [
  ...IMPORTED_CLUSTER_FLAGS,
  flag('-w, --workload <name|file>', 'Workload of the library (decant simulate --list), or a file'),
  flag(
    '--history <file...>',
    'Replay a history written by decant record, or use past ConsolidationCommands: files, folders or - for stdin',
  ),
  flag('--karpenter-log <file...>', 'Use the JSON log of Karpenter v1: files or - for stdin'),
  flag('--max-evictions-per-pod-day <n>', 'Goal: at most this many evictions per pod and day', atLeastZero),
  flag('--keep-savings <percent>', 'Goal: at least this share of the highest savings, such as 90%', share),
  flag('--current <name|file>', 'Present policy', String, 'stock'),
  flag('--base <name|file>', 'Policy that the settings change', String, 'calm'),
  flag('--settings <n>', 'Try at most this many settings', wholeNumberFlag(1, 1000), 20),
  flag('--work-budget <pods>', 'Stop each search after this many simulated placements', wholeNumberFlag(1, 1e6), 2000),
  flag('--seeds <n>', 'Simulations per setting, each with different random events', wholeNumberFlag(1, 1000), 1),
  flag('--days <x>', 'Days to simulate (default: 1, or the length of the history)', days),
  flag(
    '--pods <n>',
    'Pods in the cluster, for evictions per pod (with --history or --karpenter-log)',
    wholeNumberFlag(1, 1e7),
  ),
  outputFlag(
    ['text', 'json', 'yaml', 'html'],
    'Output format; html is one file with the curve and configuration to paste',
  ),
  flag('--workers <n>', 'Simulations in parallel', wholeNumberFlag(1, 1024), availableParallelism()),
];

export type TuneOptions = OptionsOf<typeof FLAGS> & ImportedClusterOptions;

export function addTune(decant: Command): void {
  addCommand(decant, {
    name: 'tune',
    description: 'Recommend savings threshold, grace period and utilization threshold for a goal.',
    flags: FLAGS,
    examples: EXAMPLES,
    async run(given, command) {
      const options = await withReplay(given);
      if (options.history === undefined && options.karpenterLog === undefined)
        refuseUnused(command, ['pods'], 'is for --history or --karpenter-log');
      else refuseUnused(command, OF_SIMULATIONS, 'is for simulations; --history and --karpenter-log simulate nothing');
      if (options.history !== undefined) refuseUnused(command, ['catalog'], 'is for --karpenter-log');
      return (await import('./tune.ts')).tuneCommand(options);
    },
  });
}

/** A history that is replayed is a cluster; ConsolidationCommands are not simulated. */
async function withReplay(given: TuneOptions): Promise<TuneOptions> {
  const [file, ...others] = given.history ?? [];
  if (file === undefined || others.length > 0) return given;
  const { isRecorded } = await import('../experiment/load-history.ts');
  return (await isRecorded(file)) ? { ...given, history: undefined, replay: file } : given;
}

const OF_SIMULATIONS = [
  ...['current', 'base', 'settings', 'workBudget', 'seeds', 'days', 'workers'],
  ...['overlay', 'unavailable', 'now', 'wave', 'growth'],
];
