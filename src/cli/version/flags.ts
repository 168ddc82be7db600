import { type Command, Option } from 'commander';
import { addConnectionOptions } from '../flags/connection.ts';

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
    .addOption(new Option('-o, --output <format>', 'Output format').choices(['text', 'json', 'yaml']).default('text'))
    .addHelpText('after', EXAMPLES)
    .action(async (options) => {
      const { versionCommand } = await import('./version.ts');
      process.exitCode = await versionCommand(options);
    });
}
