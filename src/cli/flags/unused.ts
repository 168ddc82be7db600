import type { Command } from 'commander';
import { UsageError } from './usage-error.ts';

/** An option that would change nothing beside the others is a mistake; `names` as commander has them, `why` goes on from the flag. */
export function refuseIdle(command: Command, names: readonly string[], why: string): void {
  const given = command.options.find((option) => {
    const name = option.attributeName();
    return names.includes(name) && command.getOptionValueSource(name) === 'cli';
  });
  if (given !== undefined) throw new UsageError(`${given.long} ${why}`);
}
