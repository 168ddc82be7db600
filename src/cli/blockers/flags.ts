import { type Command, Option } from 'commander';
import { wholeNumberFlag } from '../flags/flag-values.ts';
import { addInputOptions } from '../flags/input.ts';
import { addDecisionOptions } from '../flags/planning.ts';
import { givenSettings } from '../flags/settings.ts';

const EXAMPLES = `
Examples:
  decant blockers
  decant blockers -f cluster.json --limit 10 --owner-label team
  decant blockers -o html > blockers.html
  decant blockers -o json | jq '.blockers[] | select(.jointCentsPerHour > 10)'
`;

export function addBlockers(decant: Command): void {
  const command = decant
    .command('blockers')
    .summary('List what keeps nodes from being removed, and what each blocker costs.')
    .description(
      'List what keeps nodes from being removed, and what each blocker costs: PodDisruptionBudgets, annotations, spreads, affinities, local volumes, pods without a controller, policies and budgets, priced by plans made with and without them.',
    );
  addDecisionOptions(addInputOptions(command))
    .option(
      '--limit <n>',
      'Price this many blockers, those of the most expensive nodes first',
      wholeNumberFlag(1, 999_999),
      20,
    )
    .option('--owner-label <key>', 'Pod label that names the owner of a blocker, such as team')
    .addOption(
      new Option('-o, --output <format>', 'Output format').choices(['text', 'json', 'yaml', 'html']).default('text'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options) => {
      const { blockersCommand } = await import('./blockers.ts');
      process.exitCode = await blockersCommand({ ...options, flags: givenSettings(command) });
    });
}
