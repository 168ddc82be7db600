import type { Command } from 'commander';
import { addConnectionOptions } from '../flags/connection.ts';
import { append, outputFlag, wholeNumberFlag } from '../flags/flag-values.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
Examples:
  decant history
  decant history --pool default --limit 20 -o wide
  kubectl get consolidationcommands -o json | decant history -f - -o json
`;

export function addHistory(decant: Command): void {
  const command = decant
    .command('history')
    .description(
      'Show what the controller did and what it saved, newest first, from the ConsolidationCommands in the cluster.',
    )
    .option(
      '-f, --file <path>',
      'ConsolidationCommands: file, folder or - for stdin (repeatable; default: the cluster of the kubeconfig)',
      append,
    );
  addConnectionOptions(command)
    .option('--pool <name>', 'Only commands that remove nodes of this NodePool')
    .option('--limit <n>', 'Show at most this many commands (totals count all)', wholeNumberFlag(1, 999_999_999))
    .addOption(outputFlag(['text', 'wide', 'json', 'yaml']))
    .addHelpText('after', EXAMPLES)
    .action(async (options) => exitWith((await import('./history.ts')).historyCommand(options)));
}
