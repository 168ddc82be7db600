import { parseArgs } from 'node:util';
import { loadWorkload } from '../../src/cli/experiment/load-workload.ts';
import { libraryNames } from '../../src/cli/experiment/workload-library.ts';
import type { Command } from '../../src/controller/command.ts';
import { builtInPolicy } from '../../src/lab/built-in-policies.ts';
import { policyCluster } from '../../src/lab/policy-cluster.ts';

const HELP = `npm run -s bench:abandoned [-- --seeds 3 --days 1 --policies rfc,calm --workloads a,b]

How many commands of the controller are abandoned, and how many of these after a replacement was launched, over the
library of workloads. Prints the table of docs/policies.md and bench/README.md.
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3' },
    days: { type: 'string', default: '1' },
    policies: { type: 'string', default: 'rfc,calm' },
    workloads: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

/** Pods placed in trials of one search, as in the lab. */
const WORK = 2000;

interface Tally {
  begun: number;
  abandoned: number;
  afterLaunch: number;
  readonly reasons: Map<string, number>;
}

const newTally = (): Tally => ({ begun: 0, abandoned: 0, afterLaunch: 0, reasons: new Map() });

function count(tally: Tally, { phase, reason, launchedMs }: Command): void {
  if (phase === 'waiting' && reason === undefined) tally.begun++;
  if (phase !== 'abandoned') return;
  tally.abandoned++;
  if (launchedMs !== undefined) tally.afterLaunch++;
  const why = `${reason}${launchedMs === undefined ? '' : ' (launched)'}`;
  tally.reasons.set(why, (tally.reasons.get(why) ?? 0) + 1);
}

function row(name: string, { begun, abandoned, afterLaunch, reasons }: Tally): string {
  const share = (n: number) => `${n} (${begun === 0 ? '0.0' : ((100 * n) / begun).toFixed(1)} %)`;
  const why = [...reasons].sort((a, b) => b[1] - a[1]).map(([reason, n]) => `${n} ${reason}`);
  return `| ${name} | ${begun} | ${share(abandoned)} | ${share(afterLaunch)} | ${why.join(', ')} |\n`;
}

async function run(workload: string, policy: string, seed: number): Promise<Tally> {
  const named = builtInPolicy(policy);
  if (named === undefined) throw new Error(`no policy is called ${policy}`);
  const tally = newTally();
  const { attended } = policyCluster(
    await loadWorkload(workload),
    { ...named, work: WORK },
    {
      seed,
      reported: ({ transitions }) => {
        for (const command of transitions) count(tally, command);
      },
    },
  );
  await attended.run(Number(values.days), 1, () => false);
  return tally;
}

const names = values.workloads?.split(',') ?? libraryNames();
process.stdout.write('| policy | commands | abandoned | after launch | reasons |\n|---|---|---|---|---|\n');
for (const policy of values.policies.split(',')) {
  const total = newTally();
  for (const workload of names) {
    for (let seed = 1; seed <= Number(values.seeds); seed++) {
      const tally = await run(workload, policy, seed);
      process.stderr.write(row(`${policy} ${workload} ${seed}`, tally));
      total.begun += tally.begun;
      total.abandoned += tally.abandoned;
      total.afterLaunch += tally.afterLaunch;
      for (const [reason, n] of tally.reasons) total.reasons.set(reason, (total.reasons.get(reason) ?? 0) + n);
    }
  }
  process.stdout.write(row(policy, total));
}
