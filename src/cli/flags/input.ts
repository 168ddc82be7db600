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
      'Instance types and prices: karpenter, a bundled table such as aws/eu-west-1, or a file (default: from the cluster)',
    )
    .option('--prices <file|url>', 'Metrics of Karpenter to take prices and availability from')
    .option('--pods-proxy', 'Ask the leader of Karpenter for its prices through the API server’s proxy to pods')
    .option('--zones <names>', 'Zones that nodes can be launched in (default: from the cluster)')
    .option('--overlay <file>', 'Price changes by selector, such as savings plans')
    .option('--unavailable <file>', 'Offerings that cannot be launched')
    .option(
      '--now <time>',
      'Time to decide at, RFC 3339 (default: time of the snapshot, or the newest time in the files)',
    );
}
