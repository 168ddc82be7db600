import { type Command, Option } from 'commander';
import { append } from '../flags/flag-values.ts';
import { addSettingFlags, givenSettings } from '../flags/settings.ts';

const EXAMPLES = `
Examples:
  kubectl get nodepools -o json | decant validate -f -
  decant validate -f pools/ -o json
  decant validate -f nodepool.yaml --scaledown-utilization-threshold 0.6
`;

export function addValidate(decant: Command): void {
  const command = decant
    .command('validate')
    .summary('Check disruption blocks and settings.')
    .description(
      'Check disruption blocks and settings. Lists every invalid value with what is allowed, and exits 1 if there is one.',
    )
    .option(
      '-f, --file <path>',
      'NodePools and ConsolidationPolicies: file, folder or - for stdin (repeatable)',
      append,
    )
    .addOption(new Option('-o, --output <format>', 'Output format').choices(['text', 'json', 'yaml']).default('text'))
    .addHelpText('after', EXAMPLES);
  addSettingFlags(command);
  command.action(async ({ file = [], output }) => {
    const { validateCommand } = await import('./validate.ts');
    process.exitCode = await validateCommand({ file, output, flags: givenSettings(command) });
  });
}
