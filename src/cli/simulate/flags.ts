import { type Command, InvalidArgumentError, Option } from 'commander';
import { addImportedClusterOptions } from '../flags/imported-cluster.ts';
import { refuseIdle } from '../flags/unused.ts';

const EXAMPLES = `
Examples:
  decant simulate -w web --days 7 --policy stock
  decant simulate -w my-workload.yaml --seed 3 -o json
  decant simulate -w web --days 7 --policy calm -o html > week.html
  decant simulate -f cluster.json --policy calm --days 2 --wave 30%
`;

export function addSimulate(program: Command): void {
  const simulate = addImportedClusterOptions(
    program
      .command('simulate')
      .description('What a cluster would cost, and how often pods would be evicted, over days of virtual time.'),
  )
    .option('-w, --workload <name or file>', 'a workload of the library, or a file; see --list')
    .option('--list', 'what the library has')
    .option('--days <days>', 'how long to simulate', days, 1)
    .option('--seed <number>', 'another seed is another week', seed, 1)
    .option('--policy <name|file>', 'who consolidates: none, stock (Karpenter), rfc, calm, or a YAML file', 'stock')
    .option('--events <file>', 'write everything that happens to a file, a line each')
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices(['text', 'json', 'yaml', 'html']).default('text'),
    )
    .addHelpText('after', EXAMPLES);
  simulate.action(async (options) => {
    if (options.list) refuseIdle(simulate, OF_RUNS, 'is for a simulation; --list runs none');
    const { simulateCommand } = await import('./simulate.ts');
    process.exitCode = await simulateCommand(options);
  });
}

const OF_RUNS = ['workload', 'file', 'kubeconfig', 'context', 'days', 'seed', 'policy', 'events'];

/** A year is more than anybody wants to wait for. */
const MOST_DAYS = 366;

function days(text: string): number {
  const number = /^[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : 0;
  if (!(number > 0 && number <= MOST_DAYS))
    throw new InvalidArgumentError(`allowed: a number of days above 0 and up to ${MOST_DAYS}.`);
  return number;
}

function seed(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('allowed: a whole number of up to 9 digits.');
  return Number(text);
}
