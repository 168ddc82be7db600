import type { Command, Option } from 'commander';
import { UsageError } from './usage-error.ts';

/** Refuses flags that would have no effect beside the others. `names`: as commander has them; `why` continues the flag. */
export function refuseUnused(command: Command, names: readonly string[], why: string): void {
  const given = command.options.find((option) => {
    const name = option.attributeName();
    return names.includes(name) && command.getOptionValueSource(name) === 'cli';
  });
  if (given !== undefined) throw new UsageError(`${given.long} ${why}`);
}

/** Names of all these flags but some, for `refuseUnused`. */
export function allBut(flags: readonly Option[], ...names: readonly string[]): readonly string[] {
  return flags.map((flag) => flag.attributeName()).filter((name) => !names.includes(name));
}
