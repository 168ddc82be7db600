import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `npm run -s bench:progress [-- options] [-- COMMAND OF DECANT]

How far the estimates of progress lines are off, from a quarter of the time to the last 2 s: the estimate divided by the
time that was left. Runs each command at a terminal (needs util-linux' script). Exits with 1 beyond a factor of two.

  npm run -s bench:progress                             the commands below
  npm run -s bench:progress -- tune -w web --keep-savings 90%

  --show   every estimate
`;
const COMMANDS = [
  'tune -w web --keep-savings 90%',
  'tune -w slow-growth --max-evictions-per-pod-day 2 --seeds 2',
  'tune -w cron-thrash --keep-savings 80% --days 0.5',
  'compare --policies stock,calm,balanced --seeds 2 -w web -w slow-growth -w cron-thrash',
];
const UNITS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };
const ESTIMATE = /about ([\d.]+) (s|min|h) left/g;

interface Estimate {
  readonly atS: number;
  readonly leftS: number;
  /** What the text, which is rounded, may stand for. */
  readonly unitS: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: { show: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
});
if (values.help) process.stdout.write(HELP);
else {
  const own = process.argv.slice(2).filter((arg) => arg !== '--show');
  process.stdout.write('| command | seconds | lowest | highest |\n|---|---|---|---|\n');
  for (const command of positionals.length > 0 ? [own.join(' ')] : COMMANDS) await measure(command);
}

async function measure(command: string): Promise<void> {
  const estimates: Estimate[] = [];
  const startedMs = performance.now();
  const decant = [process.execPath, join(import.meta.dirname, '../../scripts/decant.js'), command].join(' ');
  const child = spawn('script', ['-qefc', `stty cols 120; ${decant}`, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.on('data', (data: Buffer) => {
    const atS = (performance.now() - startedMs) / 1000;
    for (const [, number, unit] of data.toString().matchAll(ESTIMATE))
      estimates.push({ atS, leftS: Number(number) * UNITS[unit], unitS: UNITS[unit] });
  });
  await new Promise((resolve) => child.on('close', resolve));
  const totalS = (performance.now() - startedMs) / 1000;
  const judged = estimates.filter(({ atS }) => atS > totalS / 4 && atS < totalS - 2);
  const ratios = judged.map((estimate) => ratioOf(estimate, totalS - estimate.atS));
  if (values.show)
    for (const [i, { atS, leftS }] of judged.entries())
      process.stdout.write(
        `${atS.toFixed(1)} s: ${leftS} of ${(totalS - atS).toFixed(1)} s: ${ratios[i].toFixed(2)}\n`,
      );
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)];
  process.stdout.write(`| ${command} | ${totalS.toFixed(0)} | ${lowest.toFixed(2)} | ${highest.toFixed(2)} |\n`);
  if (!(lowest >= 0.5 && highest <= 2)) process.exitCode = 1;
}

/** Of the values that the text may stand for, the nearest one. */
function ratioOf({ leftS, unitS }: Estimate, actualS: number): number {
  const nearest = Math.min(Math.max(actualS, leftS - unitS / 2), leftS + unitS / 2);
  return nearest / actualS;
}
