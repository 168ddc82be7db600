import { type Command, Option } from 'commander';
import { durationFlag, seed } from '../flags/flag-values.ts';
import { exitWith } from '../output/exit.ts';
import { addListenOptions } from '../serve/flags.ts';

const EXAMPLES = `
In a terminal, the demo runs until Ctrl-C, then prints a summary; it also serves
a dashboard and prints its address. In a pipe, it runs as with --once unless
--speed is given, and serves a dashboard only with --port.

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
    .description('Watch the controller consolidate a simulated cluster.')
    .option(
      '-w, --workload <name|file>',
      'Workload of the library (decant simulate --list), or a file',
      'restless-destinations',
    )
    .option('--policy <name|file>', 'none, stock, rfc, calm, or a policy file (see decant compare --help)', 'calm')
    .option('--seed <number>', 'Seed of the random events', seed, 1)
    .addOption(
      new Option('--speed <duration>', 'Simulated time per second (default in a terminal: 30m)')
        .argParser(durationFlag({ least: '1s', most: '24h', example: '30m' }))
        .conflicts('once'),
    )
    .option('--once', 'Simulate one day as fast as possible, then stop')
    .addOption(
      new Option('--no-dashboard', 'Do not serve a dashboard').conflicts([
        'port',
        'bindAddress',
        'tokenFile',
        'tlsCertFile',
      ]),
    );
  addListenOptions(demo)
    .addHelpText('after', EXAMPLES)
    .action(async (options) => exitWith((await import('./demo.ts')).demoCommand(options)));
}
