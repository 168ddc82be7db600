import { parseArgs } from 'node:util';
import { parseWorkload } from '../../src/cli/load-workload.ts';
import { SimulatedCluster } from '../../src/simulator/simulated-cluster.ts';
import { wavyWorkload } from './wavy-workload.ts';

const HELP = `npm run bench:simulator [-- options]

CPU time of simulated days on clusters of several sizes whose services follow the day.

  --nodes N,N,…    nodes at the peak, about (default 50,200)
  --days N         how long (default 7)
  --policy NAME    none, stock, or both (default both)
`;

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '50,200' },
    days: { type: 'string', default: '7' },
    policy: { type: 'string', default: 'both' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await run();

async function run(): Promise<void> {
  const policies = values.policy === 'both' ? (['none', 'stock'] as const) : [values.policy as 'none' | 'stock'];
  line(['nodes', 'most nodes', 'most pods', 'policy', 'cpu s', 'dollars', 'evictions', 'heap MB']);
  for (const nodes of values.nodes.split(',').map(Number)) {
    const scenario = await parseWorkload(wavyWorkload(nodes), 'bench');
    for (const consolidation of policies) {
      const before = process.cpuUsage();
      const cluster = new SimulatedCluster(scenario, { seed: 1, consolidation });
      let [mostNodes, mostPods] = [0, 0];
      for (let hour = 1; hour <= 24 * Number(values.days); hour++) {
        cluster.advanceTo(scenario.startMs + hour * 3_600_000);
        mostNodes = Math.max(mostNodes, cluster.world.nodes.size);
        mostPods = Math.max(mostPods, cluster.world.pods.size);
      }
      const { user } = process.cpuUsage(before);
      const { costDollars, evictions } = cluster.ledger.summary();
      const heap = process.memoryUsage().heapUsed / 2 ** 20;
      const figures = [user / 1e6, costDollars, evictions, heap].map((x) => x.toFixed(1));
      line([String(nodes), String(mostNodes), String(mostPods), consolidation, ...figures]);
    }
  }
}

function line(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell) => cell.padStart(11)).join('')}\n`);
}
