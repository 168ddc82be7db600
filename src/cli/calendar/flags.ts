import type { Command } from 'commander';
import { addConnectionOptions } from '../flags/connection.ts';
import { outputFlag } from '../flags/flag-values.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
Examples:
  decant calendar
  decant calendar -f cluster.json -f policies.yaml --time-zone Europe/Berlin
  decant calendar --from 2026-12-21T00:00:00Z -o json
`;

export function addCalendar(decant: Command): void {
  const command = decant
    .command('calendar')
    .description('The week ahead: when each pool may be disrupted, and what forbids it at other times.')
    .option(
      '-f, --file <path>',
      'NodePools, NodeClaims and ConsolidationPolicies: file, folder or - (repeatable; default: the cluster of the kubeconfig)',
      (path: string, paths: readonly string[] = []) => [...paths, path],
    );
  addConnectionOptions(command)
    .option('--from <time>', 'First moment shown, RFC 3339 (default: midnight of today)')
    .option('--time-zone <name>', 'Time zone to show the week in, by its IANA name', 'UTC')
    .addOption(outputFlag(['text', 'json', 'yaml']))
    .addHelpText('after', EXAMPLES)
    .action(async (options) => exitWith((await import('./calendar.ts')).calendarCommand(options)));
}
