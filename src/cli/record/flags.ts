import { type Command, Option } from 'commander';
import { addConnectionOptions } from '../flags/connection.ts';
import { durationFlag } from '../flags/flag-values.ts';

const EXAMPLES = `
The file holds a snapshot of the cluster and a line for each change: replicas
that are wanted, pods of Jobs and how long they ran, nodes, prices, evictions.
Environment variables, secrets and other annotations are left out. Nothing is
written to the cluster. Ctrl-C ends it.

Examples:
  decant record --to week.jsonl.gz --for 168h
  decant compare --history week.jsonl.gz --policies stock calm
  decant simulate --history week.jsonl.gz --policy calm
`;

export function addRecord(decant: Command): void {
  addConnectionOptions(
    decant
      .command('record')
      .description('Follow a live cluster and write its history, for simulate, compare and tune --history.')
      .requiredOption('--to <file>', 'File to write, which must not exist; compressed if it ends with .gz'),
  )
    .addOption(
      new Option('--every <duration>', 'Time between two looks')
        .argParser(durationFlag({ least: '1s', most: '1h', example: '1m' }))
        .default(60_000, '1m'),
    )
    .option('--for <duration>', 'End after this time', durationFlag({ least: '1s', most: '10000h', example: '336h' }))
    .option(
      '--catalog <name|file>',
      'Instance types and prices: karpenter, a bundled table such as aws/eu-west-1, or a file (default: from the cluster)',
    )
    .option('--prices <file|url>', 'Metrics of Karpenter to take prices and availability from')
    .option('--pods-proxy', 'Ask the leader of Karpenter for its prices through the API server’s proxy to pods')
    .option('--zones <names>', 'Zones that nodes can be launched in (default: from the cluster)')
    .option('--overlay <file>', 'Price changes by selector, such as savings plans')
    .option('--unavailable <file>', 'Offerings that cannot be launched')
    .addHelpText('after', EXAMPLES)
    .action(async (options) => {
      const { recordCommand } = await import('./record.ts');
      process.exitCode = await recordCommand(options);
    });
}
