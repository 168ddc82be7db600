import { basename } from 'node:path';
import { dump } from 'js-yaml';
import { InputError, inputError } from '../../config/input-error.ts';
import { piecesOf } from '../../kube/read/input-paths.ts';
import { type Oddity, TraceReader } from '../../lab/trace-rows.ts';
import { TraceSelection } from '../../lab/trace-workload.ts';
import { tell } from '../input/load-input.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';
import type { TraceImportOptions } from './flags.ts';

export async function traceImportCommand(file: string, options: TraceImportOptions): Promise<number> {
  const {
    name,
    description,
    from,
    length = Number.POSITIVE_INFINITY,
    sample = 1,
    keepTimes = false,
    ...rest
  } = options;
  const trace = new TraceReader(file, options);
  const selection = new TraceSelection({ ...rest, sample, fromS: from, lengthS: length, keepTimes });
  for await (const piece of piecesOf(file)) {
    for (const row of trace.rows(piece)) selection.add(row);
    if (trace.isStopped) break;
  }
  for (const row of trace.rows('', true)) selection.add(row);
  if (trace.problems.length > 0) throw inputError(trace.problems);
  tell(remarksOn(trace));
  const apps = selection.apps();
  if (apps.length === 0) throw new InputError(`${file}: the window and the sample contain no row of the trace`);
  const workload = {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Workload',
    name: name ?? nameOf(file),
    ...(description === undefined ? {} : { description }),
    nodePools: [NODE_POOL],
    apps: [AGENT, ...apps],
  };
  print(dump(workload, { noRefs: true, lineWidth: -1, flowLevel: 5 }));
  return EXIT.ok;
}

function remarksOn({ ignored, oddities }: TraceReader): string[] {
  const rows = (count: number) => (count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`);
  return [
    ...(ignored.length === 0 ? [] : [`ignored columns: ${ignored.join(', ')}`]),
    ...[...oddities].map(([oddity, count]) => `${rows(count)} ${ODDITIES[oddity]}`),
  ];
}

const ODDITIES: Readonly<Record<Oddity, string>> = {
  'no size': 'without cpu or memory left out',
  'end before start': 'with an end before the start: counted as running on',
};

function nameOf(file: string): string {
  const plain = basename(file)
    .toLowerCase()
    .replace(/(\.csv)?(\.gz)?$/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain.slice(0, 40) || 'trace';
}

/** A general-purpose pool: edit the file for other instance types. */
const NODE_POOL = {
  metadata: { name: 'default' },
  spec: {
    template: {
      spec: {
        expireAfter: 'Never',
        requirements: [
          { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['c6a', 'm6a', 'r6a'] },
          { key: 'karpenter.k8s.aws/instance-cpu', operator: 'In', values: ['2', '4', '8', '16', '32'] },
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
        ],
      },
    },
    disruption: { consolidateAfter: '1m', budgets: [{ nodes: '10%' }] },
  },
};

const AGENT = { kind: 'DaemonSet', name: 'agent', requests: { cpu: '100m', memory: '200Mi' } };
