import { type Command, Option } from 'commander';
import { addSwitches, givenSwitches } from '../flags/settings.ts';

const EXAMPLES = `
Examples:
  kubectl get nodepools -o json | decant validate -f -
  decant validate -f pools/ -o json
  decant validate -f nodepool.yaml --scaledown-utilization-threshold 0.6
`;

export function addValidate(decant: Command): void {
  const command = decant
    .command('validate')
    .description(
      'Is every disruption block and switch what it should be? Names each value that is not, and what is allowed.',
    )
    .option(
      '-f, --file <path>',
      'NodePools and ConsolidationPolicies: file, folder or - for stdin (repeatable)',
      (path: string, paths: readonly string[] = []) => [...paths, path],
    )
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json', 'yaml']).default('text'))
    .addHelpText('after', EXAMPLES);
  addSwitches(command);
  command.action(async ({ file = [], output }) => {
    const { validateCommand } = await import('./validate.ts');
    process.exitCode = await validateCommand({ file, output, flags: givenSwitches(command) });
  });
}
