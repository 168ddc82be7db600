import { type Command, InvalidArgumentError } from 'commander';
import { addInputOptions } from './input.ts';

/** The options that say with which cluster of one's own a simulation begins; `loadImportedCluster` reads what they say. */
export function addImportedClusterOptions(command: Command): Command {
  return addInputOptions(command, 'or give --kubeconfig or --context')
    .option(
      '--wave <percent>',
      'with -f or --context: Deployments swing by so much over the day, around what they have',
      wave,
    )
    .option('--growth <percent>', 'with -f or --context: Deployments grow by so much a day, or shrink', growth);
}

function wave(text: string): number {
  const percent = percentOf(text);
  if (percent !== undefined && percent > 0 && percent <= 100) return percent / 100;
  throw new InvalidArgumentError('allowed: a percentage above 0 % and up to 100 %, such as 30%.');
}

function growth(text: string): number {
  const percent = percentOf(text);
  if (percent !== undefined && percent >= -100 && percent <= 1000) return percent / 100;
  throw new InvalidArgumentError('allowed: a percentage from -100 % to 1000 %, such as 5%.');
}

function percentOf(text: string): number | undefined {
  return /^-?[0-9]{1,4}(\.[0-9]{1,3})?%?$/.test(text) ? Number.parseFloat(text) : undefined;
}
