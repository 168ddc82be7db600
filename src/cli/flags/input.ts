import type { Command } from 'commander';
import { addConnectionOptions } from './connection.ts';

/** The options that say which cluster a command is about; `loadInput` reads what they say. */
export function addInputOptions(command: Command, otherwise = 'default: the cluster of the kubeconfig'): Command {
  command.option(
    '-f, --file <path>',
    `Kubernetes objects or a snapshot: file, folder or - for stdin (repeatable; ${otherwise})`,
    append,
  );
  return addConnectionOptions(command)
    .option(
      '--catalog <name|file>',
      'instance types and prices: aws/us-east-1 or a file (default: the snapshot’s own, or aws/us-east-1)',
    )
    .option('--overlay <file>', 'price changes by selector, such as savings plans')
    .option('--unavailable <file>', 'offerings that cannot be had now')
    .option('--now <time>', 'the moment to decide for, RFC 3339 (default: the snapshot’s, or this moment)');
}

function append(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}
