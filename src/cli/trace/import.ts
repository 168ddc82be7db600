import { basename } from 'node:path';
import { dump } from 'js-yaml';
import { InputError, inputError } from '../../config/input-error.ts';
import { textOf } from '../../kube/read/input-paths.ts';
import { readTrace } from '../../lab/trace-rows.ts';
import { traceApps } from '../../lab/trace-workload.ts';
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
  const reading = readTrace(await textOf(file), file, options);
  if ('problems' in reading) throw inputError(reading.problems);
  if (reading.ignored.length > 0) tell([`ignored columns: ${reading.ignored.join(', ')}`]);
  const apps = traceApps(reading.rows, { ...rest, sample, fromS: from, lengthS: length, keepTimes });
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
