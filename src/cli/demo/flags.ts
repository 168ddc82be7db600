import type { Command } from 'commander';
import { addCommand } from '../flags/command.ts';
import { flag, type OptionsOf } from '../flags/flag.ts';
import { durationFlag, seed } from '../flags/flag-values.ts';
import { LISTEN_FLAGS } from '../flags/listen.ts';

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

const FLAGS = [
  flag(
    '-w, --workload <name|file>',
    'Workload of the library (decant simulate --list), or a file',
    String,
    'restless-destinations',
  ),
  flag(
    '--policy <name|file>',
    'none, stock, balanced, rfc, calm, or a policy file (see decant compare --help)',
    String,
    'calm',
  ),
  flag('--seed <number>', 'Seed of the random events', seed, 1),
  flag(
    '--speed <duration>',
    'Simulated time per second (default in a terminal: 30m)',
    durationFlag({ least: '1s', most: '24h', example: '30m' }),
  ).conflicts('once'),
  flag('--once', 'Simulate one day as fast as possible, then stop'),
  flag('--no-dashboard', 'Do not serve a dashboard').conflicts(['port', 'bindAddress', 'tokenFile', 'tlsCertFile']),
  ...LISTEN_FLAGS,
];

export type DemoOptions = OptionsOf<typeof FLAGS>;

export function addDemo(decant: Command): void {
  addCommand(decant, {
    name: 'demo',
    description: 'Watch the controller consolidate a simulated cluster.',
    flags: FLAGS,
    examples: EXAMPLES,
    run: async (options) => (await import('./demo.ts')).demoCommand(options),
  });
}
