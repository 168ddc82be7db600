import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from 'commander';
import { program } from './program.ts';

/** Of a terminal with the default width. */
const COLUMNS = 80;

/** Each command with its help, as it is printed into a pipe. */
function pages(command: Command, path: string): readonly (readonly [path: string, page: string])[] {
  let page = '';
  command.configureOutput({ writeOut: (text) => (page += text), getOutHelpWidth: () => COLUMNS });
  command.outputHelp();
  return [[path, page], ...command.commands.flatMap((each) => pages(each, `${path} ${each.name()}`))];
}

for (const [path, page] of pages(program(), 'decant')) {
  test(`${path} --help fits a terminal and shows how it is done`, () => {
    assert.deepEqual(
      page.split('\n').filter((line) => line.length > COLUMNS),
      [],
    );
    // Descriptions keep most of the width beside the longest flags.
    assert.doesNotMatch(page, /^ {31}/m);
    assert.match(page, /^Examples:\n {2}\S/m);
    assert.doesNotMatch(page, /null|undefined|Infinity/);
  });
}

test('after a mistake one is pointed to the help of the command that it was made with', () => {
  const decant = program();
  let said = '';
  for (const each of [decant, ...decant.commands]) each.configureOutput({ writeErr: (text) => (said += text) });
  assert.throws(() => decant.parse(['plan', '--outptu'], { from: 'user' }));
  assert.match(said, /unknown option '--outptu'\n\(Did you mean --output\?\)\n\(see decant plan --help/);
});

const misplaced: readonly (readonly [line: string, says: RegExp])[] = [
  [
    'plan package.json',
    /^decant: plan takes no arguments, not: package\.json; files are given with -f: decant plan -f package\.json\n/,
  ],
  ['plan no-such-file', /^decant: plan takes no arguments, not: no-such-file\n\(see decant plan --help/],
  ['explain pool windows', /^decant: explain takes node, pod or move, and one name, not: pool windows\n/],
  ['catalog show a b', /^decant: show takes 1 argument, not: a b\n/],
];
for (const [line, says] of misplaced) {
  test(`decant ${line}: is told what to write instead`, () => {
    const decant = program();
    let said = '';
    const quiet = (command: Command) => {
      command.configureOutput({ writeErr: (text) => (said += text) });
      command.commands.forEach(quiet);
    };
    quiet(decant);
    assert.throws(() => decant.parse(line.split(' '), { from: 'user' }));
    assert.match(said, says);
  });
}

test('the commands are listed by what they are for, none outside a group', () => {
  const [[, page]] = pages(program(), 'decant');
  const titles = [...page.matchAll(/^(\S.*):$/gm)].map(([, title]) => title);
  assert.deepEqual(titles, [
    'Options',
    'Understand a cluster',
    'Consolidate it',
    'Try policies in simulations',
    'Prices, commitments and files',
    'Other commands',
    'Examples',
    'Exit codes',
  ]);
});
