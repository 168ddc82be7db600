import { type Command, InvalidArgumentError } from 'commander';
import { addCommand } from '../flags/command.ts';
import { choice, flag, type OptionsOf } from '../flags/flag.ts';
import { decimalFlag, durationFlag, percentage, wholeNumberFlag } from '../flags/flag-values.ts';

const EXAMPLES = `
The trace is a CSV file with a header. It needs a start, a cpu and a memory
column; end or lifetime, censored, group and count are read if present. Units
are taken from suffixes (start_ms, memory_mib, cpu_milli).
docs/workload-files.md lists all names. --columns names the columns of a file
without a header, or instead of it; - stands for one that is not read.

Examples:
  decant trace import vms.csv --sample 2% --from 24h --length 36h > vms.yaml
  decant trace import pods.csv --as deployments --request-scale 0.9 > pods.yaml
  decant trace import tasks.csv --cpu-unit 0.01 --memory-unit 2.56GiB > t.yaml
  decant trace import jobs.csv --columns job,start,end,cpu,memory_mib > j.yaml
  decant compare -w vms.yaml --policies stock,balanced,calm --days 1.5
`;

const duration = durationFlag({ least: '0s', most: '4000d', example: '36h' });
const seconds = (text: string) => duration(text) / 1000;
const factor = decimalFlag('a number above 0', (value) => value > 0);
const share = percentage('a percentage above 0%, up to 100%', (percent) => percent > 0 && percent <= 100, {
  needsSign: true,
});

const names = (text: string) => text.split(/[,\s]+/);

const SIZES: Readonly<Record<string, number>> = { '': 1, gb: 1e9, gib: 2 ** 30, mb: 1e6, mib: 2 ** 20 };

const FLAGS = [
  choice(
    '--as <kind>',
    'Import as Jobs that run to completion, or as Deployments with a replica curve per group',
    ['jobs', 'deployments'],
    'jobs',
  ),
  flag('--columns <names>', 'Names of the columns of a file without a header, such as start,-,cpu,memory', names),
  flag('--name <name>', 'Name of the workload (default: name of the file)'),
  flag('--description <text>', 'Description of the workload, such as source and licence of the trace'),
  flag('--sample <percent>', 'Share of groups to keep (default: 100%)', share),
  flag('--seed <n>', 'Seed of the sample and of random lifetimes', wholeNumberFlag(0, 1e6), 1),
  flag('--from <duration>', 'Start of the window', seconds, 0),
  flag('--length <duration>', 'Length of the window (default: to the end)', seconds),
  flag('--keep-times', 'Do not shift the earliest start to 0'),
  flag('--time-scale <factor>', 'Factor for all times', factor, 1),
  flag('--request-scale <factor>', 'Factor for cpu and memory', factor, 1),
  flag('--cpu-unit <cores>', 'Cores of one unit of cpu', factor),
  flag('--memory-unit <size>', 'Size of one unit of memory, such as 2.56GiB', bytes),
];

export type TraceImportOptions = OptionsOf<typeof FLAGS>;

export function addTrace(decant: Command): void {
  const trace = decant
    .command('trace')
    .description('Make workloads from traces of machines, pods or tasks.')
    .addHelpText('after', EXAMPLES);
  addCommand(trace, {
    name: 'import',
    arguments: { '<file>': 'CSV file, also with .gz; - for stdin' },
    description: 'Convert a trace to a workload file for simulate, compare and tune.',
    flags: FLAGS,
    examples: EXAMPLES,
    run: async (options, { args }) => (await import('./import.ts')).traceImportCommand(args[0], options),
  });
}

function bytes(text: string): number {
  const [, amount, unit] = /^([0-9.]+)\s*([a-z]*)$/i.exec(text) ?? [];
  const value = Number(amount) * (SIZES[unit?.toLowerCase() ?? '?'] ?? Number.NaN);
  if (!(value > 0)) throw new InvalidArgumentError('a size such as 2.56GiB, 512MiB or 1GB');
  return value;
}
