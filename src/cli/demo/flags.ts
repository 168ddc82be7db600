import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseGoDuration } from '../../engine/cluster/go-duration.ts';
import { addListenOptions } from '../serve/flags.ts';

const EXAMPLES = `
On a terminal it runs until Ctrl-C, which gives a summary, and shows itself in
the browser too: the address is printed. In a pipe it behaves as with --once,
unless --speed is given; then there is a dashboard only where --port asks for
one.

Examples:
  decant demo
  decant demo -w mass-scale-in --speed 10m
  decant demo --policy stock --once
  decant demo --speed 1m --port 9000
  decant demo --policy my-policy.yaml --seed 7 --once | tail
`;

export function addDemo(decant: Command): void {
  const demo = decant
    .command('demo')
    .description('A simulated cluster with the real controller at work in it, seen as it happens.')
    .option('-w, --workload <name|file>', 'of the library (decant simulate --list), or a file', 'endless-timer')
    .option('--policy <name|file>', 'none, stock, rfc, calm, or a YAML file as decant compare reads it', 'calm')
    .option('--seed <number>', 'another seed is another day', seed, 1)
    .addOption(
      new Option('--speed <duration>', 'virtual time that passes in a second (default on a terminal: 30m)')
        .argParser(virtualMsPerSecond)
        .conflicts('once'),
    )
    .option('--once', 'one virtual day, as fast as it goes')
    .addOption(new Option('--no-dashboard', 'only the terminal').conflicts(['port', 'bindAddress', 'tokenFile']));
  addListenOptions(demo)
    .addHelpText('after', EXAMPLES)
    .action(async (options) => {
      const { demoCommand } = await import('./demo.ts');
      process.exitCode = await demoCommand(options);
    });
}

function seed(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError('allowed: a whole number of up to 9 digits.');
  return Number(text);
}

const SLOWEST_MS = 1000;
const FASTEST_MS = 24 * 3_600_000;

function virtualMsPerSecond(text: string): number {
  const ms = parseGoDuration(text) ?? Number.NaN;
  if (ms >= SLOWEST_MS && ms <= FASTEST_MS) return ms;
  throw new InvalidArgumentError('allowed: a duration from 1s to 24h, such as 30m.');
}
