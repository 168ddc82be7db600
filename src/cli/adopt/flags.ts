import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { connectionFlags } from '../flags/connection.ts';
import { choice, fileFlag, flag, type OptionsOf, outputFlag } from '../flags/flag.ts';
import { refuseUnused } from '../flags/unused.ts';

const EXAMPLES = `
Examples:
  decant adopt
  decant adopt default batch -f cluster.json
  decant adopt -o yaml | kubectl apply -f -
  decant adopt --profile calm -o yaml | kubectl apply -f -
  decant adopt --hand-over | sh
  decant adopt --give-back | sh
`;

const FLAGS = [
  fileFlag(
    'NodePools and ConsolidationPolicies: file, folder or - for stdin (repeatable; default: the cluster of the kubeconfig)',
  ),
  ...connectionFlags(),
  choice('--profile <name>', 'Policies that -o yaml and -o json print', ['preserving', 'calm'], 'preserving'),
  flag('--hand-over', 'Print only the commands that hand the pools over to Decant').conflicts('giveBack'),
  flag('--give-back', 'Print only the commands that hand the pools back to Karpenter'),
  outputFlag(['text', 'yaml', 'json'], 'Output format; yaml and json are policies for kubectl apply'),
];

export type AdoptOptions = OptionsOf<typeof FLAGS>;

export function addAdopt(decant: Command): void {
  addCommand(decant, {
    name: 'adopt',
    arguments: { '[pools...]': 'NodePool names (default: all)' },
    summary: 'Show how to hand NodePools over from Karpenter to Decant.',
    description:
      'Show how to hand NodePools over from Karpenter to Decant: a ConsolidationPolicy that keeps the current behavior, a recommended one, the patch to hand over and the patch to revert. Changes nothing. Exits 1 if no pool can be handed over.',
    flags: FLAGS,
    examples: EXAMPLES,
    async run(options, command) {
      if (options.output === 'text' || options.handOver || options.giveBack)
        refuseUnused(command, ['profile'], 'is for the policies of -o yaml and -o json');
      return (await import('./adopt.ts')).adoptCommand(command.args, options);
    },
  });
}
