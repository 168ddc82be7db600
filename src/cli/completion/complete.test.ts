import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadCluster } from '../../kube/read/load.ts';
import { program } from '../program.ts';
import { complete } from './complete.ts';
import { completionScript, SHELLS } from './script.ts';

const NAMES = { nodes: ['node-a', 'node-b'], pods: ['shop/cart-7'], nodepools: ['general', 'gpu'] };

function completions(...words: string[]): Promise<readonly string[]> {
  return complete(program(), words, async (kind) => NAMES[kind]);
}

describe('what may follow', () => {
  test('commands, and not the hidden one', async () => {
    assert.deepEqual(await completions('co'), ['commit', 'compare', 'completion', 'cost']);
    assert.ok(!(await completions('')).some((name) => name.startsWith('_')));
  });
  test('flags of the command', async () => {
    assert.deepEqual(await completions('plan', '--outp'), ['--output']);
    assert.deepEqual(await completions('cost', '--by'), ['--by']);
  });
  test('values that an option allows', async () => {
    assert.deepEqual(await completions('cost', '-o', 'j'), ['json']);
  });
  test('names of the cluster', async () => {
    assert.deepEqual(await completions('explain', 'node', 'node-'), ['node-a', 'node-b']);
    assert.deepEqual(await completions('explain', 'pod', '-f', 'x.json', ''), ['shop/cart-7']);
    assert.deepEqual(await completions('history', '--pool', 'g'), ['general', 'gpu']);
  });
  test('names of pools, one after the other', async () => {
    assert.deepEqual(await completions('adopt', '--hand-over', 'g'), ['general', 'gpu']);
    assert.deepEqual(await completions('adopt', 'gpu', 'ge'), ['general']);
  });
  test('names in the files that are read', async () => {
    const file = join(import.meta.dirname, '../../../examples/two-nodes.json');
    const { nodes, nodePools } = (await loadCluster([file])).objects;
    const found = await complete(program(), ['explain', 'node', '-f', file, '']);
    assert.deepEqual(found, nodes.map(({ name }) => name).sort());
    const pools = await complete(program(), ['adopt', '-f', file, '']);
    assert.deepEqual(pools, nodePools.map(({ name }) => name).sort());
    assert.deepEqual(await complete(program(), ['explain', 'node', '-f', 'no-such-file', '']), []);
  });
  test('nothing, so that the shell offers files', async () => {
    assert.deepEqual(await completions('plan', '-f', 'ex'), []);
    assert.deepEqual(await completions('explain', 'node', 'node-a', ''), []);
  });
  test('arguments that have a choice', async () => {
    assert.deepEqual(await completions('completion', 'f'), ['fish']);
  });
});

test('bash completes by asking the program', () => {
  const main = join(import.meta.dirname, '../main.ts');
  const script = `${completionScript('bash')}
    decant() { "${process.execPath}" "${main}" "$@"; }
    COMP_WORDS=(decant explain n); COMP_CWORD=2; _decant; echo "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  assert.equal(stdout, 'node\n', stderr);
});

test('every shell has a script that asks for words', () => {
  for (const shell of SHELLS) assert.match(completionScript(shell), /__complete --/);
});
