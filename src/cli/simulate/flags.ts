import type { Command } from 'commander';
import type { ImportedClusterOptions } from '../experiment/imported-cluster.ts';
import { addCommand } from '../flags/command.ts';
import { flag, type OptionsOf, outputFlag } from '../flags/flag.ts';
import { days, seed } from '../flags/flag-values.ts';
import { IMPORTED_CLUSTER_FLAGS } from '../flags/imported-cluster.ts';
import { allBut, refuseUnused } from '../flags/unused.ts';

const EXAMPLES = `
Examples:
  decant simulate -w web --days 7 --policy stock
  decant simulate -w my-workload.yaml --seed 3 -o json
  decant simulate -w web --days 7 --policy calm -o html > week.html
  decant simulate -f cluster.json --policy calm --days 2 --wave 30%
  decant simulate --history week.jsonl.gz --policy calm
`;

const FLAGS = [
  ...IMPORTED_CLUSTER_FLAGS,
  flag('-w, --workload <name|file>', 'Workload of the library (see --list), or a file'),
  flag('--list', 'List the workloads of the library'),
  flag('--history <file>', 'Replay the cluster and the load of a history written by decant record'),
  flag('--days <days>', 'Days to simulate (default: 1, or the length of the history)', days),
  flag('--seed <number>', 'Seed of the random events', seed, 1),
  flag(
    '--policy <name|file>',
    'Consolidation policy: none, stock (Karpenter), balanced, rfc, calm, or a policy file',
    String,
    'stock',
  ),
  flag('--events <file>', 'Write every event to this file, one per line'),
  outputFlag(['text', 'json', 'yaml', 'html'], 'Output format; html is one file with the timeline'),
];

export type SimulateOptions = OptionsOf<typeof FLAGS> & ImportedClusterOptions;

export function addSimulate(decant: Command): void {
  addCommand(decant, {
    name: 'simulate',
    description: 'Simulate a cluster under a policy: cost, evictions and node lifetimes over days.',
    flags: FLAGS,
    examples: EXAMPLES,
    async run(options, command) {
      if (options.list) refuseUnused(command, allBut(FLAGS, 'list', 'output'), 'is for a simulation; --list runs none');
      return (await import('./simulate.ts')).simulateCommand({ ...options, replay: options.history });
    },
  });
}
