import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { program } from '../../src/cli/program.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['README.md', 'docs/*.md', 'examples/*.md', 'deploy/**/*.md'], { cwd: root });

/** `decant …` in code, up to a pipe, a redirection, a comment or the next command. */
const COMMAND = /(?<!helm \w+ |[\w./-]|-n )decant (?:-- )?(?<words>[a-z][^|>#;`\n]*)/g;

function codeOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/\\\n\s*/g, '');
  const blocks = [...text.matchAll(/^```(?:sh|bash)?\n([\s\S]*?)^```/gm)].map(([, block]) => block);
  const indented = text.split('\n').filter((line) => /^ {4}\S/.test(line));
  const spans = [...text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(([, span]) => span);
  return [...blocks, ...indented, ...spans];
}

/** What is wrong with it, or undefined. */
function complaint(words: readonly string[], command: Command): string | undefined {
  const [first, ...rest] = words;
  const below = command.commands.find((each) => each.name() === first);
  if (below !== undefined) return complaint(rest, below);
  if (command.commands.length > 0 && /^[a-z]+$/.test(first ?? '') && command.registeredArguments.length === 0)
    return `no command ${first}`;
  const known = new Set(['--help', ...command.options.flatMap(({ long, short }) => [long, short])]);
  const unknown = words.map((word) => word.split('=')[0]).find((word) => /^--?[a-z]/.test(word) && !known.has(word));
  return unknown === undefined ? undefined : `${command.name()} has no flag ${unknown}`;
}

test('every command in the documentation exists, with its flags', () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const page of pages) {
    for (const code of codeOf(page)) {
      for (const { groups } of code.matchAll(COMMAND)) {
        const words = groups!.words.trim().split(/\s+/);
        if (!program().commands.some((each) => each.name() === words[0]) && !words.some((word) => word.startsWith('-')))
          continue;
        seen += 1;
        const problem = complaint(words, program());
        if (problem !== undefined) wrong.push(`${page}: decant ${words.join(' ')}: ${problem}`);
      }
    }
  }
  assert.ok(seen > 120, `only ${seen} commands were found`);
  assert.deepEqual(wrong, []);
});
