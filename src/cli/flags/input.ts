import type { Command } from 'commander';
import { addConnectionOptions } from './connection.ts';
import { append } from './flag-values.ts';

/** The flags that name the cluster to read; `loadInput` reads it. */
export function addInputOptions(command: Command, otherwise = 'default: the cluster of the kubeconfig'): Command {
  command.option(
    '-f, --file <path>',
    `Kubernetes objects or a snapshot: file, folder or - for stdin (repeatable; ${otherwise})`,
    append,
  );
  return addConnectionOptions(command)
    .option(
      '--catalog <name|file>',
      'Instance types and prices: aws/us-east-1 or a file (default: the catalog of the snapshot, or aws/us-east-1)',
    )
    .option('--overlay <file>', 'Price changes by selector, such as savings plans')
    .option('--unavailable <file>', 'Offerings that cannot be launched')
    .option('--now <time>', 'Time to decide at, RFC 3339 (default: the time of the snapshot, or the current time)');
}
