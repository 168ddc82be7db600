import { parseArgs } from 'node:util';
import { libraryNames } from '../../src/cli/experiment/workload-library.ts';
import { type AbandonedRun, abandonedRun } from './runs.ts';
import { abandonedByPolicy, abandonedByWorkload } from './tables.ts';

const HELP = `npm run -s bench:abandoned [-- --seeds 3 --days 1 --policies rfc,calm --workloads a,b]

How many commands of the controller are abandoned, and how many of these after a replacement was launched, over the
library of workloads: by policy, and by workload with reasons. npm run -s lab:page -- abandoned does the same on all cores
and writes the tables into docs/policies.md and designs/policies.md.

  --json   one run per line, instead of the tables
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3' },
    days: { type: 'string', default: '1' },
    policies: { type: 'string', default: 'rfc,calm' },
    workloads: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const runs: AbandonedRun[] = [];
for (const policy of values.policies.split(',')) {
  for (const workload of values.workloads?.split(',') ?? libraryNames()) {
    for (let seed = 1; seed <= Number(values.seeds); seed++) {
      const run = await abandonedRun(workload, policy, seed, Number(values.days));
      runs.push(run);
      if (values.json) process.stdout.write(`${JSON.stringify(run)}\n`);
      else process.stderr.write(`${policy} ${workload} ${seed}: ${run.abandoned} of ${run.commands} abandoned\n`);
    }
  }
}
if (!values.json) process.stdout.write(`${abandonedByPolicy(runs)}\n\n${abandonedByWorkload(runs)}\n`);
