import { type Command, Option } from 'commander';
import { addConnectionOptions } from '../flags/connection.ts';
import { refuseIdle } from '../flags/unused.ts';

const EXAMPLES = `
Examples:
  decant adopt
  decant adopt default batch -f cluster.json
  decant adopt -o yaml | kubectl apply -f -
  decant adopt --profile calm -o yaml | kubectl apply -f -
  decant adopt --hand-over | sh
  decant adopt --give-back | sh
`;

export function addAdopt(decant: Command): void {
  const command = decant
    .command('adopt')
    .argument('[pools...]', 'NodePools, by name (default: all)')
    .description(
      'How to hand NodePools over from Karpenter’s consolidation to Decant’s, per pool: the ConsolidationPolicy that keeps today’s behaviour, the one that we recommend, the patch, and the patch back. Changes nothing.',
    )
    .option(
      '-f, --file <path>',
      'NodePools and ConsolidationPolicies: file, folder or - for stdin (repeatable; default: the cluster of the kubeconfig)',
      (path: string, paths: readonly string[] = []) => [...paths, path],
    );
  addConnectionOptions(command)
    .addOption(
      new Option('--profile <name>', 'whose policies -o yaml and -o json print')
        .choices(['preserving', 'calm'])
        .default('preserving'),
    )
    .addOption(
      new Option('--hand-over', 'print only the commands that take the pools from Karpenter').conflicts('giveBack'),
    )
    .option('--give-back', 'print only the commands that undo that')
    .addOption(
      new Option('-o, --output <format>', 'text explains; yaml and json are the policies, for kubectl apply')
        .choices(['text', 'yaml', 'json'])
        .default('text'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (pools, options) => {
      if (options.output === 'text' || options.handOver || options.giveBack)
        refuseIdle(command, ['profile'], 'is for the policies of -o yaml and -o json');
      const { adoptCommand } = await import('./adopt.ts');
      process.exitCode = await adoptCommand(pools, options);
    });
}
