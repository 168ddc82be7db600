import type { Command } from 'commander';
import { GROUPINGS } from '../../lab/commitment-advice.ts';
import { addCommand } from '../flags/command.ts';
import { choice, flag, type OptionsOf, outputFlag, required } from '../flags/flag.ts';
import { percentage, wholeNumberFlag } from '../flags/flag-values.ts';

const EXAMPLES = `
Examples:
  decant commit --history week.jsonl.gz --discount 27.5%
  decant commit --history week.jsonl.gz --discount 40% --by family
  decant commit --history week.jsonl.gz --discount 27.5% -o json

Leave out waste: simulate the load under a policy first
  decant commit --history week.jsonl --discount 40% --after-consolidation calm
`;

const discount = percentage('a percentage above 0% and below 100%, such as 27.5%', (p) => p > 0 && p < 100);

const FLAGS = [
  required(flag('--history <file>', 'History file written by decant record')),
  required(flag('--discount <percent>', 'Discount of the commitment on list prices', discount)),
  choice('--by <group>', 'One commitment for all on-demand nodes, or one per family, type or pool', GROUPINGS, 'all'),
  flag(
    '--after-consolidation <policy>',
    'Size it for the nodes that this policy would have left (simulated): rfc, calm, stock, or a policy file',
  ),
  flag('--limit <n>', 'Show this many groups', wholeNumberFlag(1, 999_999_999), 10),
  outputFlag(['text', 'json', 'yaml']),
];

export type CommitOptions = OptionsOf<typeof FLAGS>;

export function addCommit(decant: Command): void {
  addCommand(decant, {
    name: 'commit',
    summary: 'Find the savings plan or reservation that would have cost least over a recorded history.',
    description:
      'The size of a commitment that would have cost least over a recorded history, with a few sizes around it. Counts on-demand nodes of NodePools at list prices.',
    flags: FLAGS,
    examples: EXAMPLES,
    run: async (options) => (await import('./commit.ts')).commitCommand(options),
  });
}
