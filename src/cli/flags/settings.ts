import { type Command, Option } from 'commander';
import { DEFAULT_CONTROLLER_SETTINGS } from '../../config/controller-settings.ts';
import { SWITCHES } from '../../config/switch-table.ts';

/** Values stay text: `readSwitches` checks them and reports bad ones like any other problem. */
export function addSwitches(command: Command, only?: ReadonlySet<string>): void {
  for (const each of SWITCHES) {
    if (only !== undefined && !only.has(each.flag)) continue;
    const value = each.valueOptional ? '[true|false]' : '<value>';
    const help = `${each.help} (default: ${each.show(DEFAULT_CONTROLLER_SETTINGS)}, env: ${each.env})`;
    command.addOption(new Option(`--${each.flag} ${value}`, help).helpGroup('Settings:'));
  }
}

export function givenSwitches(command: Command): ReadonlyMap<string, string> {
  const given = command.options.flatMap((option) => {
    // true: a flag without a value.
    const value: unknown = command.getOptionValue(option.attributeName());
    const isSwitch = SWITCHES.some(({ flag }) => option.long === `--${flag}`);
    return isSwitch && value !== undefined ? [[option.long!.slice(2), String(value)] as const] : [];
  });
  return new Map(given);
}
