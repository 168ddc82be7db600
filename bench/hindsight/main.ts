import { parseArgs } from 'node:util';
import { BUILT_IN_POLICIES, HINDSIGHT } from '../../src/lab/built-in-policies.ts';
import { recordedFuture } from '../../src/lab/future.ts';
import { runOne } from '../../src/lab/run-one.ts';
import { exactOptimum } from './exact.ts';
import { HOURS, smallWorkload } from './small-workloads.ts';

const HELP = `npm run -s bench:hindsight [-- --from 1 --seeds 10 --runs 4000]

How close the policy hindsight of the lab is to the fewest evictions that are possible, on small workloads whose optimum can be
found by trying everything. Prints the table of designs/policies.md.

  --seeds n  small workloads, from number 1 or --from n
  --runs n   give a workload up after this many simulated runs
`;

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '10' },
    runs: { type: 'string', default: '4000' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const days = HOURS / 24;
const SEED = 1;
const policies = [...BUILT_IN_POLICIES.filter(({ name }) => ['stock', 'calm'].includes(name)), ...HINDSIGHT];
const total = { hindsight: 0, optimum: 0 };
process.stdout.write('| workload | stock | calm | hindsight | optimum | hindsight, +2 % | optimum, +2 % | runs |\n');
process.stdout.write('|---|--:|--:|--:|--:|--:|--:|--:|\n');
const first = Number(values.from);
for (let number = first; number < first + Number(values.seeds); number++) {
  const workload = await smallWorkload(number);
  const runs = await Promise.all(
    policies.map((policy) => runOne({ workload: workload.name, policy, seed: SEED, days }, workload)),
  );
  const [stock, calm, ...limits] = runs;
  const future = recordedFuture(workload, SEED, days);
  let simulated = 0;
  const cells = HINDSIGHT.flatMap(({ maxCost = 1 }, i) => {
    // Costs are sums of fractions.
    const optimum = exactOptimum(workload, SEED, future, maxCost * stock.costDollars + 1e-9, Number(values.runs));
    if (optimum === undefined) return [`${limits[i].evictions}`, 'not found'];
    simulated += optimum.simulated;
    total.hindsight += limits[i].evictions;
    total.optimum += optimum.evictions;
    return [`${limits[i].evictions}`, `${optimum.evictions}`];
  });
  const calmCell = `${calm.evictions} (${(calm.costDollars / stock.costDollars).toFixed(2)})`;
  process.stdout.write(
    `| ${workload.name} | ${stock.evictions} | ${calmCell} | ${cells.join(' | ')} | ${simulated} |\n`,
  );
}
process.stdout.write(`\nhindsight ${total.hindsight}, optimum ${total.optimum}\n`);
