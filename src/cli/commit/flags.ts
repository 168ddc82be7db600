import { type Command, Option } from 'commander';
import { GROUPINGS } from '../../lab/commitment-advice.ts';
import { outputFlag, percentage, wholeNumberFlag } from '../flags/flag-values.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
Examples:
  decant commit --history week.jsonl.gz --discount 27.5%
  decant commit --history week.jsonl.gz --discount 40% --by family
  decant commit --history week.jsonl.gz --discount 27.5% -o json

Commit to what is needed, not to waste: this simulates the load under a policy
  decant commit --history week.jsonl --discount 40% --after-consolidation calm
`;

const discount = percentage('a percentage above 0% and below 100%, such as 27.5%', (p) => p > 0 && p < 100);

export function addCommit(decant: Command): void {
  decant
    .command('commit')
    .summary('Show what savings plan or reservation would have been right for a recorded history.')
    .description(
      'The size of a commitment that would have cost least over a recorded history, with a few sizes around it. Counts on-demand nodes of NodePools at list prices.',
    )
    .requiredOption('--history <file>', 'What decant record wrote')
    .requiredOption('--discount <percent>', 'Discount of the commitment on list prices', discount)
    .addOption(
      new Option('--by <group>', 'A commitment for all on-demand nodes, or one per family, type or pool')
        .choices([...GROUPINGS])
        .default('all'),
    )
    .option(
      '--after-consolidation <policy>',
      'Commit to what this policy would have left of the load: rfc, calm, stock, or a policy file (simulated)',
    )
    .option('--limit <n>', 'Show this many groups', wholeNumberFlag(1, 999_999_999), 10)
    .addOption(outputFlag(['text', 'json', 'yaml']))
    .addHelpText('after', EXAMPLES)
    .action(async (options) => exitWith((await import('./commit.ts')).commitCommand(options)));
}
