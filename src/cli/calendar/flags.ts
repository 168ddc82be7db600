import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { connectionFlags } from '../flags/connection.ts';
import { fileFlag, flag, type OptionsOf, outputFlag } from '../flags/flag.ts';

const EXAMPLES = `
Examples:
  decant calendar
  decant calendar -f cluster.json -f policies.yaml --time-zone Europe/Berlin
  decant calendar --from 2026-12-21T00:00:00Z -o json
`;

const FLAGS = [
  fileFlag(
    'NodePools, NodeClaims and ConsolidationPolicies: file, folder or - (repeatable; default: the cluster of the kubeconfig)',
  ),
  ...connectionFlags(),
  flag('--from <time>', 'First moment shown, RFC 3339 (default: midnight of today)'),
  flag('--time-zone <name>', 'IANA time zone to show the week in', String, 'UTC'),
  outputFlag(['text', 'json', 'yaml']),
];

export type CalendarOptions = OptionsOf<typeof FLAGS>;

export function addCalendar(decant: Command): void {
  addCommand(decant, {
    name: 'calendar',
    description: 'Show for a week ahead when each pool may be disrupted, and what forbids it at other times.',
    flags: FLAGS,
    examples: EXAMPLES,
    run: async (options) => (await import('./calendar.ts')).calendarCommand(options),
  });
}
