import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { connectionFlags } from '../flags/connection.ts';
import { fileFlag, flag, type OptionsOf, outputFlag } from '../flags/flag.ts';
import { wholeNumberFlag } from '../flags/flag-values.ts';

const EXAMPLES = `
Examples:
  decant history
  decant history --pool default --limit 20 -o wide
  kubectl get consolidationcommands -o json | decant history -f - -o json
`;

const FLAGS = [
  fileFlag('ConsolidationCommands: file, folder or - for stdin (repeatable; default: the cluster of the kubeconfig)'),
  ...connectionFlags(),
  flag('--pool <name>', 'Only commands that remove nodes of this NodePool'),
  flag('--limit <n>', 'Show at most this many commands (totals count all)', wholeNumberFlag(1, 999_999_999)),
  outputFlag(['text', 'wide', 'json', 'yaml']),
];

export type HistoryOptions = OptionsOf<typeof FLAGS>;

export function addHistory(decant: Command): void {
  addCommand(decant, {
    name: 'history',
    description:
      'Show what the controller did and what it saved, newest first, from the ConsolidationCommands in the cluster.',
    flags: FLAGS,
    examples: EXAMPLES,
    run: async (options) => (await import('./history.ts')).historyCommand(options),
  });
}
