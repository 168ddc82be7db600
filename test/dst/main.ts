import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Story } from './story.ts';

/** Seeds beyond the default ones that once failed, or that alone notice a mutant (test/mutants); every run has them. */
const ALWAYS = [4206, 6478, 7656, 8811, 11775, 15981, 16872, 18576, 19071, 19551];

const HELP = `npm run -s test:dst [-- options]

Seeded fault stories of the controller; laws must hold at every action of every story.

  --seeds N    how many, from 1 on (default 3000), and some beyond that found something
  --from N     the first seed (default 1)
  --seed N     one of them, with everything that the controller did
  --first      stop at the first that fails
`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '3000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    first: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else process.exitCode = values.seed === undefined ? await runMany() : await replay(number('seed', values.seed));

async function runMany(): Promise<number> {
  const [first, count] = [number('from', values.from), number('seeds', values.seeds)];
  const startedMs = performance.now();
  let failed = 0;
  const range = Array.from({ length: count }, (_, i) => first + i);
  const seeds = [...new Set([...range, ...ALWAYS])];
  for (const seed of seeds) {
    const breaches = await breachesOf(new Story(seed));
    if (breaches.length === 0) continue;
    failed++;
    process.stdout.write(`seed ${seed}: ${breaches.join('; ')}\n`);
    if (values.first) break;
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  process.stdout.write(`${seeds.length} stories in ${seconds} s, ${failed} failed\n`);
  if (failed > 0) process.stdout.write('to see one: npm run -s test:dst -- --seed N\n');
  return failed === 0 ? 0 : 1;
}

async function replay(seed: number): Promise<number> {
  const story = new Story(seed);
  story.port.watch((action) => {
    process.stdout.write(`${new Date(story.port.nowMs).toISOString()} ${JSON.stringify(action)}\n`);
  });
  const breaches = await breachesOf(story);
  process.stdout.write(breaches.length === 0 ? 'all laws held\n' : `${breaches.join('\n')}\n`);
  return breaches.length === 0 ? 0 : 1;
}

/** A story that does not settle, or throws, is a breach too. */
async function breachesOf(story: Story): Promise<readonly string[]> {
  return story.breaches().catch((error: unknown) => [String(error)]);
}

function number(flag: string, text: string): number {
  if (/^[0-9]{1,10}$/.test(text)) return Number(text);
  process.stderr.write(`--${flag} ${text}: must be a whole number\n`);
  process.exit(2);
}
