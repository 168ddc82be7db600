import type { Command } from 'commander';
import { addConnectionOptions } from '../flags/connection.ts';
import { outputFlag } from '../flags/flag-values.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
Examples:
  decant version
  decant version --client
  decant version -o json
`;

export function addVersion(decant: Command): void {
  const command = decant
    .command('version')
    .description('Versions of Decant, of the cluster, of Karpenter in it, and of the custom resources of both.')
    .option('--client', 'Version of Decant only; asks no cluster');
  addConnectionOptions(command)
    .addOption(outputFlag(['text', 'json', 'yaml']))
    .addHelpText('after', EXAMPLES)
    .action(async (options) => exitWith((await import('./version.ts')).versionCommand(options)));
}
