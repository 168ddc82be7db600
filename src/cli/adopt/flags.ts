import { type Command, Option } from 'commander';
import { addConnectionOptions } from '../flags/connection.ts';
import { append, outputFlag } from '../flags/flag-values.ts';
import { refuseUnused } from '../flags/unused.ts';
import { exitWith } from '../output/exit.ts';

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
    .argument('[pools...]', 'NodePool names (default: all)')
    .summary('Show how to hand NodePools over from Karpenter to Decant.')
    .description(
      'Show how to hand NodePools over from Karpenter to Decant: a ConsolidationPolicy that keeps the present behaviour, a recommended one, the patch to hand over and the patch to revert. Changes nothing. Exits 1 if no pool can be handed over.',
    )
    .option(
      '-f, --file <path>',
      'NodePools and ConsolidationPolicies: file, folder or - for stdin (repeatable; default: the cluster of the kubeconfig)',
      append,
    );
  addConnectionOptions(command)
    .addOption(
      new Option('--profile <name>', 'Policies that -o yaml and -o json print')
        .choices(['preserving', 'calm'])
        .default('preserving'),
    )
    .addOption(
      new Option('--hand-over', 'Print only the commands that hand the pools over to Decant').conflicts('giveBack'),
    )
    .option('--give-back', 'Print only the commands that hand the pools back to Karpenter')
    .addOption(outputFlag(['text', 'yaml', 'json'], 'Output format; yaml and json are policies for kubectl apply'))
    .addHelpText('after', EXAMPLES)
    .action(async (pools, options) => {
      if (options.output === 'text' || options.handOver || options.giveBack)
        refuseUnused(command, ['profile'], 'is for the policies of -o yaml and -o json');
      await exitWith((await import('./adopt.ts')).adoptCommand(pools, options));
    });
}
