import { type Command, Option } from 'commander';
import { DEFAULT_CONTROLLER_SETTINGS } from '../../config/controller-settings.ts';
import { SETTING_FLAGS } from '../../config/setting-flags.ts';

export interface GivenSettings {
  /** Settings given, by flag without its dashes. */
  readonly flags: ReadonlyMap<string, string>;
}

/** Values stay text: `readSettings` checks them and reports bad ones like any other problem. */
export function settingFlags(which: 'plan' | 'all'): readonly Option[] {
  return SETTING_FLAGS.filter(({ isOfPlan }) => isOfPlan || which === 'all').map(
    ({ flag, valueOptional, help, show, env }) => {
      const value = valueOptional ? '[true|false]' : '<value>';
      const text = `${help} (default: ${show(DEFAULT_CONTROLLER_SETTINGS)}, env: ${env})`;
      return new Option(`--${flag} ${value}`, text).helpGroup('Settings:');
    },
  );
}

export function givenSettings(command: Command): GivenSettings {
  const given = command.options.flatMap((option) => {
    // true: a flag without a value.
    const value: unknown = command.getOptionValue(option.attributeName());
    const isSetting = SETTING_FLAGS.some(({ flag }) => option.long === `--${flag}`);
    return isSetting && value !== undefined ? [[option.long!.slice(2), String(value)] as const] : [];
  });
  return { flags: new Map(given) };
}
