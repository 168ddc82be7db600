import { type Command, Option } from 'commander';
import { durationFlag } from '../flags/flag-values.ts';
import { addInputOptions } from '../flags/input.ts';
import { refuseUnused } from '../flags/unused.ts';
import { exitWith } from '../output/exit.ts';

const EXAMPLES = `
The file holds a snapshot of the cluster and a line for each change: wanted
replicas, pods of Jobs and how long they ran, nodes, prices, evictions.
Environment variables, secrets and other annotations are left out. Nothing is
written to the cluster. Ctrl-C ends it.

With --prometheus, series of kube-state-metrics and Karpenter are read instead:
kube_deployment_spec_replicas, kube_statefulset_replicas, kube_pod_*,
kube_job_owner, kube_replicaset_owner, karpenter_nodes_allocatable,
karpenter_pods_eviction_requests_total.

Examples:
  decant record --to week.jsonl.gz --for 7d
  decant record --to p.jsonl --prometheus http://prometheus:9090 --range 14d
  decant compare --history week.jsonl.gz --policies stock calm
  decant simulate --history week.jsonl.gz --policy calm
`;

export function addRecord(decant: Command): void {
  const record = addInputOptions(
    decant
      .command('record')
      .description('Follow a live cluster and write its history, for simulate, compare and tune --history.')
      .requiredOption('--to <file>', 'History to write or continue; compressed if it ends with .gz'),
  )
    .addOption(
      new Option('--every <duration>', 'Time between two observations')
        .argParser(durationFlag({ least: '1s', most: '1h', example: '1m' }))
        .default(60_000, '1m'),
    )
    .option('--for <duration>', 'End after this time', durationFlag({ least: '1s', most: '400d', example: '14d' }))
    .option('--prometheus <url>', 'Write the past that this Prometheus knows instead, for the cluster as it is now')
    .addOption(
      new Option('--range <duration>', 'Length of that past, up to now')
        .argParser(durationFlag({ least: '10m', most: '400d', example: '14d' }))
        .default(14 * 24 * 3_600_000, '14d'),
    )
    .addHelpText('after', EXAMPLES);
  record.action(async (options) => {
    if (options.prometheus === undefined) refuseUnused(record, ['file', 'now', 'range'], 'is for --prometheus');
    else refuseUnused(record, ['for'], 'is not for --prometheus, which has a --range');
    await exitWith((await import('./record.ts')).recordCommand(options));
  });
}
