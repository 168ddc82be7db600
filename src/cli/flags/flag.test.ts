import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Command } from 'commander';
import { addCommand } from './command.ts';
import { choice, fileFlag, flag, type OptionsOf, outputFlag, required } from './flag.ts';
import { wholeNumberFlag } from './flag-values.ts';

const FLAGS = [
  fileFlag('Files'),
  required(flag('--to <file>', 'Target')),
  flag('--max-price-limit <n>', 'Limit', wholeNumberFlag(0, 9)),
  flag('--time-zone <name>', 'Zone', String, 'UTC'),
  flag('--more <name...>', 'Several'),
  flag('--dry-run', 'Switch'),
  flag('--no-color', 'Switch off'),
  choice('--as <kind>', 'Kind', ['jobs', 'deployments']),
  outputFlag(['text', 'json']),
];

async function parse(...args: readonly string[]): Promise<OptionsOf<typeof FLAGS>> {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  return new Promise((resolve, reject) => {
    const run = async ({ flags: _, ...options }: OptionsOf<typeof FLAGS> & { readonly flags: unknown }) => {
      resolve(options);
      return 0;
    };
    addCommand(program, { name: 'c', description: '', flags: FLAGS, examples: '', run });
    program.parseAsync(['node', 'x', 'c', ...args]).catch(reject);
  });
}

describe('the type of options follows from flags', () => {
  // The literals compile only if names and types are those that commander uses.
  test('defaults', async () => {
    const expected: OptionsOf<typeof FLAGS> = { to: 'x', timeZone: 'UTC', color: true, output: 'text' };
    assert.deepEqual(await parse('--to', 'x'), expected);
  });

  test('every flag', async () => {
    const expected: Required<OptionsOf<typeof FLAGS>> = {
      file: ['a', 'b'],
      to: 'x',
      maxPriceLimit: 3,
      timeZone: 'CET',
      more: ['c', 'd'],
      dryRun: true,
      color: false,
      as: 'jobs',
      output: 'json',
    };
    const given =
      '-f a -f b --to x --max-price-limit 3 --time-zone CET --more c d --dry-run --no-color --as jobs -o json';
    assert.deepEqual(await parse(...given.split(' ')), expected);
  });

  test('a required flag and values', async () => {
    await assert.rejects(parse());
    await assert.rejects(parse('--to', 'x', '--max-price-limit', '10'));
    await assert.rejects(parse('--to', 'x', '-o', 'yaml'));
  });
});
