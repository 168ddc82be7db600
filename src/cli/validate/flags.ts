import type { Command } from 'commander';
import { append, outputFlag } from '../flags/flag-values.ts';
import { addSettingFlags, givenSettings } from '../flags/settings.ts';
import { exitWith } from '../output/exit.ts';

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
    .addOption(outputFlag(['text', 'json', 'yaml']))
    .addHelpText('after', EXAMPLES);
  addSettingFlags(command);
  command.action(async ({ file = [], output }) => {
    await exitWith((await import('./validate.ts')).validateCommand({ file, output, flags: givenSettings(command) }));
  });
}
