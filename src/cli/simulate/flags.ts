import type { Command } from 'commander';
import { days, outputFlag, seed } from '../flags/flag-values.ts';
import { addImportedClusterOptions } from '../flags/imported-cluster.ts';
import { refuseUnused } from '../flags/unused.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
Examples:
  decant simulate -w web --days 7 --policy stock
  decant simulate -w my-workload.yaml --seed 3 -o json
  decant simulate -w web --days 7 --policy calm -o html > week.html
  decant simulate -f cluster.json --policy calm --days 2 --wave 30%
  decant simulate --history week.jsonl.gz --policy calm
`;

export function addSimulate(program: Command): void {
  const simulate = addImportedClusterOptions(
    program
      .command('simulate')
      .description('Simulate a cluster under a policy: cost, evictions and node lifetimes over days.'),
  )
    .option('-w, --workload <name|file>', 'Workload of the library (see --list), or a file')
    .option('--list', 'List the workloads of the library')
    .option('--history <file>', 'Replay what decant record wrote: its cluster and its load')
    .option('--days <days>', 'Days to simulate (default: 1, or the length of the history)', days)
    .option('--seed <number>', 'Seed of the random events', seed, 1)
    .option(
      '--policy <name|file>',
      'Consolidation policy: none, stock (Karpenter), rfc, calm, or a policy file',
      'stock',
    )
    .option('--events <file>', 'Write every event to this file, one per line')
    .addOption(outputFlag(['text', 'json', 'yaml', 'html'], 'Output format; html is one file with the timeline'))
    .addHelpText('after', EXAMPLES);
  simulate.action(async (options) => {
    if (options.list) refuseUnused(simulate, OF_RUNS, 'is for a simulation; --list runs none');
    await exitWith((await import('./simulate.ts')).simulateCommand({ ...options, replay: options.history }));
  });
}

const OF_RUNS = ['workload', 'file', 'kubeconfig', 'context', 'history', 'days', 'seed', 'policy', 'events'];
