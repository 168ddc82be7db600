import type { Command } from 'commander';
import { outputFlag, wholeNumberFlag } from '../flags/flag-values.ts';
import { addInputOptions } from '../flags/input.ts';
import { addDecisionOptions } from '../flags/planning.ts';
import { givenSettings } from '../flags/settings.ts';
import { exitWith } from '../output/exit.ts';

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
    .addOption(outputFlag(['text', 'json', 'yaml', 'html']))
    .addHelpText('after', EXAMPLES)
    .action(async (options) =>
      exitWith((await import('./blockers.ts')).blockersCommand({ ...options, flags: givenSettings(command) })),
    );
}
