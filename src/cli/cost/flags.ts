import type { Command } from 'commander';
import { outputFlag, wholeNumberFlag } from '../flags/flag-values.ts';
import { addInputOptions } from '../flags/input.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
Examples:
  decant cost
  decant cost --by workload --limit 20
  decant cost -f cluster.json --by label:team
  decant cost -o json | jq '.groups[] | select(.name == "shop")'
`;

export function addCost(decant: Command): void {
  const command = decant
    .command('cost')
    .summary('Show the cost of the cluster by namespace, workload, label, pool or node.')
    .description(
      'Cost of the cluster by namespace, workload, label, pool or node: by requests, as OpenCost allocates them, with idle capacity shown.',
    );
  addInputOptions(command)
    .option('--by <group>', 'Group by namespace, workload, pool, node, or label:KEY', 'namespace')
    .option('--limit <n>', 'Show this many groups (totals count all)', wholeNumberFlag(1, 999_999_999))
    .addOption(outputFlag(['text', 'json', 'yaml']))
    .addHelpText('after', EXAMPLES)
    .action(async (options) => exitWith((await import('./cost.ts')).costCommand(options)));
}
