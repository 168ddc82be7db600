import { type Command, Option } from 'commander';
import { DEFAULT_CONTROLLER_SETTINGS } from '../../config/controller-settings.ts';
import { SETTING_FLAGS } from '../../config/setting-flags.ts';

/** Values stay text: `readSettings` checks them and reports bad ones like any other problem. */
export function addSettingFlags(command: Command, only?: ReadonlySet<string>): void {
  for (const each of SETTING_FLAGS) {
    if (only !== undefined && !only.has(each.flag)) continue;
    const value = each.valueOptional ? '[true|false]' : '<value>';
    const help = `${each.help} (default: ${each.show(DEFAULT_CONTROLLER_SETTINGS)}, env: ${each.env})`;
    command.addOption(new Option(`--${each.flag} ${value}`, help).helpGroup('Settings:'));
  }
}

export function givenSettings(command: Command): ReadonlyMap<string, string> {
  const given = command.options.flatMap((option) => {
    // true: a flag without a value.
    const value: unknown = command.getOptionValue(option.attributeName());
    const isSetting = SETTING_FLAGS.some(({ flag }) => option.long === `--${flag}`);
    return isSetting && value !== undefined ? [[option.long!.slice(2), String(value)] as const] : [];
  });
  return new Map(given);
}
