import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { flag, type OptionsOf, required } from '../flags/flag.ts';
import { durationFlag } from '../flags/flag-values.ts';
import { inputFlags } from '../flags/input.ts';
import { refuseUnused } from '../flags/unused.ts';

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

const FLAGS = [
  required(flag('--to <file>', 'History to write or continue; compressed if it ends with .gz')),
  ...inputFlags(),
  flag(
    '--every <duration>',
    'Time between observations',
    durationFlag({ least: '1s', most: '1h', example: '1m' }),
    60_000,
    '1m',
  ),
  flag('--for <duration>', 'Stop after this time', durationFlag({ least: '1s', most: '400d', example: '14d' })),
  flag('--prometheus <url>', 'Build the history from this Prometheus instead, for the present cluster'),
  flag(
    '--range <duration>',
    'Length of that history, up to now',
    durationFlag({ least: '10m', most: '400d', example: '14d' }),
    14 * 24 * 3_600_000,
    '14d',
  ),
];

export type RecordOptions = OptionsOf<typeof FLAGS>;

export function addRecord(decant: Command): void {
  addCommand(decant, {
    name: 'record',
    description: 'Follow a live cluster and write its history, for simulate, compare and tune --history.',
    flags: FLAGS,
    examples: EXAMPLES,
    async run(options, command) {
      if (options.prometheus === undefined) refuseUnused(command, ['file', 'now', 'range'], 'is for --prometheus');
      else refuseUnused(command, ['for'], 'is not for --prometheus, which has a --range');
      return (await import('./record.ts')).recordCommand(options);
    },
  });
}
