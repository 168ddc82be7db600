import { parseArgs } from 'node:util';
import { policyNamed } from '../../src/cli/compare-policies.ts';
import { parseWorkload } from '../../src/cli/load-workload.ts';
import { policyCluster } from '../../src/cli/policy-cluster.ts';
import { wavyWorkload } from './wavy-workload.ts';

const HELP = `npm run bench:simulator [-- options]

CPU time of simulated days on clusters of several sizes whose services follow the day.

  --nodes N,N,…    nodes at the peak, about (default 50,200)
  --days N         how long (default 7)
  --policy NAME,…  none, stock, documents, calm, or a file (default none,stock)
  --work N         pods that a search of our controller places in trials, at most (default 2000)
`;

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '50,200' },
    days: { type: 'string', default: '7' },
    policy: { type: 'string', default: 'none,stock' },
    work: { type: 'string', default: '2000' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await run();

async function run(): Promise<void> {
  const days = Number(values.days);
  const policies = values.policy.split(',');
  line(['nodes', 'most nodes', 'most pods', 'policy', 'cpu s', 'dollars', 'evictions', 'MB day 1', 'MB at end']);
  for (const nodes of values.nodes.split(',').map(Number)) {
    const scenario = await parseWorkload(wavyWorkload(nodes), 'bench');
    for (const name of policies) {
      const policy = await policyNamed(name, '--policy');
      const before = process.cpuUsage();
      const { attended } = policyCluster(scenario, { work: Number(values.work), ...policy }, { seed: 1 });
      const { world, ledger } = attended.cluster;
      let [mostNodes, mostPods, heapOfFirstDay] = [0, 0, 0];
      await attended.run(days, Math.ceil(24 * days), (share) => {
        mostNodes = Math.max(mostNodes, world.nodes.size);
        mostPods = Math.max(mostPods, world.pods.size);
        if (heapOfFirstDay === 0 && share * days >= 1) heapOfFirstDay = heap();
        return false;
      });
      const { user } = process.cpuUsage(before);
      const { costDollars, evictions } = ledger.summary();
      const figures = [user / 1e6, costDollars, evictions, heapOfFirstDay, heap()].map((x) => x.toFixed(1));
      line([String(nodes), String(mostNodes), String(mostPods), name, ...figures]);
    }
  }
}

/** Megabytes that are in use; `node --expose-gc` leaves out what nobody needs any more. */
function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

function line(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell) => cell.padStart(11)).join('')}\n`);
}
