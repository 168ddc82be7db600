import { type Command, Option } from 'commander';
import { SWITCHES } from '../config/switch-table.ts';
import { DEFAULT_SWITCHES } from '../config/switch-values.ts';

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

/** As text: `readSwitches` checks them, so that a bad one is reported like any other bad value. */
function addSwitches(command: Command): void {
  for (const each of SWITCHES) {
    const value = each.valueOptional ? '[true|false]' : '<value>';
    const help = `${each.help} (default: ${each.show(DEFAULT_SWITCHES)}, env: ${each.env})`;
    command.addOption(new Option(`--${each.flag} ${value}`, help).helpGroup('Switches:'));
  }
}

function givenSwitches(command: Command): ReadonlyMap<string, string> {
  const given = command.options.flatMap((option) => {
    // true: a flag that stands alone.
    const value: unknown = command.getOptionValue(option.attributeName());
    const isSwitch = SWITCHES.some(({ flag }) => option.long === `--${flag}`);
    return isSwitch && value !== undefined ? [[option.long!.slice(2), String(value)] as const] : [];
  });
  return new Map(given);
}
