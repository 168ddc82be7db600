import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { flag, type OptionsOf, outputFlag } from '../flags/flag.ts';
import { wholeNumberFlag } from '../flags/flag-values.ts';
import { inputFlags } from '../flags/input.ts';
import { DECISION_FLAGS } from '../flags/planning.ts';
import type { GivenSettings } from '../flags/settings.ts';

const EXAMPLES = `
Examples:
  decant blockers
  decant blockers -f cluster.json --limit 10 --owner-label team
  decant blockers -o html > blockers.html
  decant blockers -o json | jq '.blockers[] | select(.jointCentsPerHour > 10)'
`;

const FLAGS = [
  ...inputFlags(),
  ...DECISION_FLAGS,
  flag(
    '--limit <n>',
    'Price this many blockers, those of the most expensive nodes first',
    wholeNumberFlag(1, 999_999),
    20,
  ),
  flag('--owner-label <key>', 'Pod label that names the owner of a blocker, such as team'),
  outputFlag(['text', 'json', 'yaml', 'html']),
];

export type BlockersOptions = OptionsOf<typeof FLAGS> & GivenSettings;

export function addBlockers(decant: Command): void {
  addCommand(decant, {
    name: 'blockers',
    summary: 'List what keeps nodes from being removed, and what each blocker costs.',
    description:
      'List what keeps nodes from being removed, and what each blocker costs: PodDisruptionBudgets, annotations, spreads, affinities, local volumes, pods without a controller, policies and budgets, priced by plans made with and without them.',
    flags: FLAGS,
    settings: 'plan',
    examples: EXAMPLES,
    run: async (options) => (await import('./blockers.ts')).blockersCommand(options),
  });
}
