import { parseArgs } from 'node:util';
import { median } from '../statistics.ts';
import { type DayFigures, type DayPolicy, oneRun } from './one-run.ts';

const HELP = `npm run -s bench:live-day [-- options]

The same day, made short, on a real control plane with the real Karpenter: under stock Karpenter, its Balanced policy,
and Decant with the policy calm. Times and the price of an eviction are as much shorter as the day is. Each run has a
control plane of its own and begins with a day of warm-up.

  --minutes N     how long a day takes (default 10)
  --seeds N       runs per policy (default 3)
  --seed N        the first seed (default 1)
  --warm-up N     days before the one that counts (default 1)
  --policies LIST of stock, balanced, calm (default: all)
`;

const POLICIES: readonly DayPolicy[] = ['stock', 'balanced', 'calm'];

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seeds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    'warm-up': { type: 'string', default: '1' },
    policies: { type: 'string', default: POLICIES.join() },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else await compare();

async function compare(): Promise<void> {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const policies = values.policies.split(',').map((name) => {
    const policy = POLICIES.find((each) => each === name);
    if (policy === undefined) throw new Error(`--policies: ${name}: allowed: ${POLICIES.join(', ')}`);
    return policy;
  });
  const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => Number(values.seed) + i);
  const [minutes, warmUpDays] = [Number(values.minutes), Number(values['warm-up'])];
  const found = new Map<DayPolicy, DayFigures[]>(policies.map((policy) => [policy, []]));
  const startMs = performance.now();
  const runs = policies.length * seeds.length;
  let done = 0;
  for (const seed of seeds)
    for (const policy of policies) {
      const figures = await oneRun({ policy, seed, minutes, warmUpDays, say });
      found.get(policy)?.push(figures);
      done++;
      const leftMin = ((performance.now() - startMs) / done / 60_000) * (runs - done);
      say(
        `${policy}, seed ${seed}: ${row(figures).join(', ')}; ${done} of ${runs} runs, about ${leftMin.toFixed(0)} min left`,
      );
    }
  process.stdout.write(
    `a day in ${minutes} minutes, after ${warmUpDays} of warm-up; median of seeds ${seeds.join(', ')}\n\n`,
  );
  process.stdout.write('| policy | cost | evictions | nodes launched | pods pending, mean |\n|---|---|---|---|---|\n');
  for (const [policy, figures] of found) {
    const of = (key: keyof DayFigures) => median(figures.map((each) => each[key]));
    const middle = {
      dollarsPerHour: of('dollarsPerHour'),
      evictions: of('evictions'),
      launched: of('launched'),
      pending: of('pending'),
    };
    process.stdout.write(`| ${policy} | ${row(middle).join(' | ')} |\n`);
  }
}

function row({ dollarsPerHour, evictions, launched, pending }: DayFigures): readonly string[] {
  return [`$${dollarsPerHour.toFixed(3)}/h`, String(evictions), String(launched), pending.toFixed(1)];
}
