import { parseArgs } from 'node:util';
import { parseWorkload } from '../../src/cli/experiment/load-workload.ts';
import { policyNamed } from '../../src/cli/experiment/policies.ts';
import { policyCluster } from '../../src/lab/policy-cluster.ts';
import { wavyWorkload } from './wavy-workload.ts';

const HELP = `npm run bench:simulator [-- options]

CPU time of simulated days on clusters whose services follow the day. Without options: a week of 200 nodes under every
policy, then how it grows to 2,000 nodes on a day from midnight to past its peak.

  --nodes N,N,…    nodes at the peak, about (default 200)
  --days N         how long (default 7)
  --policy NAME,…  none, stock, rfc, calm, or a file (default all four)
  --work N         pods that a search of our controller places in trials, at most (default 2000)
`;

interface Series {
  readonly nodes: readonly number[];
  readonly days: number;
  readonly policies: readonly string[];
}

const POLICIES = ['none', 'stock', 'rfc', 'calm'];
const WEEK: Series = { nodes: [200], days: 7, policies: POLICIES };
const GROWTH: Series = { nodes: [500, 1000, 2000], days: 0.6, policies: POLICIES };

const { values } = parseArgs({
  options: {
    nodes: { type: 'string' },
    days: { type: 'string' },
    policy: { type: 'string' },
    work: { type: 'string', default: '2000' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else for (const series of asked()) await run(series);

function asked(): readonly Series[] {
  const { nodes, days, policy } = values;
  if (nodes === undefined && days === undefined && policy === undefined) return [WEEK, GROWTH];
  return [
    {
      nodes: nodes?.split(',').map(Number) ?? WEEK.nodes,
      days: days === undefined ? WEEK.days : Number(days),
      policies: policy?.split(',') ?? WEEK.policies,
    },
  ];
}

async function run({ nodes: sizes, days, policies }: Series): Promise<void> {
  line([
    'nodes',
    'days',
    'most nodes',
    'most pods',
    'policy',
    'cpu s',
    'dollars',
    'evictions',
    'MB day 1',
    'MB at end',
  ]);
  for (const nodes of sizes) {
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
      line([String(nodes), String(days), String(mostNodes), String(mostPods), name, ...figures]);
    }
  }
}

/** Megabytes in use; `node --expose-gc` leaves out garbage. */
function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

function line(cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell) => cell.padStart(11)).join('')}\n`);
}
