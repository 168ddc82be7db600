import { type Command, Option } from 'commander';
import { addConnectionOptions } from '../flags/connection.ts';

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
      'What the controller did and what came of it, newest first: the ConsolidationCommands that it keeps in the cluster.',
    )
    .option(
      '-f, --file <path>',
      'ConsolidationCommands: file, folder or - for stdin (repeatable; default: the cluster of the kubeconfig)',
      (path: string, paths: readonly string[] = []) => [...paths, path],
    );
  addConnectionOptions(command)
    .option('--pool <name>', 'only commands that remove nodes of this NodePool')
    .option('--limit <n>', 'show so many, at most; totals are of all')
    .addOption(
      new Option('-o, --output <format>', 'how to print').choices(['text', 'wide', 'json', 'yaml']).default('text'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options) => {
      const { historyCommand } = await import('./history.ts');
      process.exitCode = await historyCommand(options);
    });
}
