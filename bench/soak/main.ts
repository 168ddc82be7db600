import { parseArgs } from 'node:util';
import { liveSoak } from './live.ts';
import { simulatedSoak } from './simulated.ts';

const HELP = `npm run -s bench:soak [-- options]

A controller under churn for days of a simulated cluster, or for minutes beside a real control plane: is memory flat, and is
anything left behind? Exits with 1 if a taint, a NodeClaim, an annotation or a command is.

  --days N            virtual days (default 6)
  --minutes N         minutes on a real control plane, instead
  --snapshots FOLDER  of the heap: one after a third of the minutes, one at the end
`;

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '6' },
    minutes: { type: 'string' },
    snapshots: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else {
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const left = await (values.minutes === undefined
    ? simulatedSoak(Number(values.days), say)
    : liveSoak(Number(values.minutes), values.snapshots, say));
  say(left.length === 0 ? 'nothing is left behind' : `left behind: ${left.join('; ')}`);
  process.exitCode = left.length === 0 ? 0 : 1;
}
