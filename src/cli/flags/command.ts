import type { Command } from 'commander';
import type { AnyFlag, OptionsOf } from './flag.ts';
import { type GivenSettings, givenSettings, settingFlags } from './settings.ts';

interface CommandSpec<Flags extends readonly AnyFlag[]> {
  /** With its arguments, as commander takes them. */
  readonly name: string;
  /** Help of each argument by name. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** For the list of commands; default: the description. */
  readonly summary?: string;
  readonly description: string;
  readonly flags: Flags;
  /** Settings that are flags too; default: none. */
  readonly settings?: 'plan' | 'all';
  readonly examples: string;
  readonly isDefault?: boolean;
  /** Returns the exit code. The arguments are `command.args`. */
  run(options: OptionsOf<Flags> & GivenSettings, command: Command): Promise<number>;
}

export function addCommand<const Flags extends readonly AnyFlag[]>(parent: Command, spec: CommandSpec<Flags>): void {
  const { name, summary, description, flags, settings, examples, isDefault = false, run } = spec;
  const command = parent.command(name, { isDefault }).description(description).addHelpText('after', examples);
  if (summary !== undefined) command.summary(summary);
  for (const [argument, help] of Object.entries(spec.arguments ?? {})) command.argument(argument, help);
  for (const flag of flags) command.addOption(flag);
  if (settings !== undefined) {
    for (const flag of settingFlags(settings)) command.addOption(flag);
  }
  command.action(async () => {
    process.exitCode = await run({ ...command.opts<OptionsOf<Flags>>(), ...givenSettings(command) }, command);
  });
}
