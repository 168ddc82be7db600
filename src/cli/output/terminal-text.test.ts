import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { decant } from '../../../test/build/decant.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/two-nodes.json');
const CLEAR_SCREEN = '\u001b[2J';

/** The example with something else in place of a text that it has. */
async function exampleWith(text: string, other: string): Promise<string> {
  return (await readFile(EXAMPLE, 'utf8')).replaceAll(text, JSON.stringify(other).slice(1, -1));
}

describe('text from a file cannot control the terminal', () => {
  test('a label in a table', async () => {
    const input = await exampleWith('c5a.xlarge', `m7i${CLEAR_SCREEN}\u009b\n\u202eNODES`);
    const { stdout, stderr } = await decant(['plan', '-f', '-', '--scaledown-utilization-threshold', '0'], input);
    assert.match(stdout, /m7i\\u001b\[2J\\u009b\\u000a\\u202eNODES/);
    assert.doesNotMatch(stdout + stderr, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  });

  test('the same in JSON, where it is read back as it was', async () => {
    const input = await exampleWith('c5a.xlarge', 'm7i\u009b\u001b');
    const { stdout } = await decant(['plan', '-f', '-', '-o', 'json'], input);
    assert.doesNotMatch(stdout, /(?!\n)\p{Cc}/u);
    const { nodes } = JSON.parse(stdout) as { nodes: readonly { instanceType: string }[] };
    assert.ok(nodes.some(({ instanceType }) => instanceType === 'm7i\u009b\u001b'));
  });

  test('what cannot be seen', async () => {
    const input = await exampleWith('c5a.xlarge', 'm7i\u200b.\ufeff.\u2028.\u{e0041}');
    const spelled = String.raw`m7i\u200b.\ufeff.\u2028.\udb40\udc41`;
    const table = await decant(['plan', '-f', '-', '--scaledown-utilization-threshold', '0'], input);
    assert.ok(table.stdout.includes(spelled), table.stdout);
    const json = await decant(['plan', '-f', '-', '-o', 'json'], input);
    assert.ok(json.stdout.includes(spelled));
    const { nodes } = JSON.parse(json.stdout) as { nodes: readonly { instanceType: string }[] };
    assert.ok(nodes.some(({ instanceType }) => instanceType === 'm7i\u200b.\ufeff.\u2028.\u{e0041}'));
  });

  test('colours are ours', async () => {
    const input = await exampleWith('c5a.xlarge', `m7i${CLEAR_SCREEN}`);
    const { stdout } = await decant(['plan', '-f', '-'], input, { FORCE_COLOR: '1' });
    assert.ok(stdout.includes('\u001b[1m'));
    assert.ok(!stdout.includes(CLEAR_SCREEN));
  });

  test('a name, which no API server would take', async () => {
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name: `n${CLEAR_SCREEN}\n` } });
    const { code, stderr } = await decant(['plan', '-f', '-'], input);
    assert.equal(code, 2);
    assert.match(stderr, /^decant: stdin: Node .*: metadata\.name: .*: allowed: a name without control characters\n$/);
    assert.doesNotMatch(stderr.trimEnd(), /\p{Cc}/u);
  });

  test('what stands on the command line', async () => {
    for (const args of [['plan', '-f', CLEAR_SCREEN], [`plan${CLEAR_SCREEN}`], ['plan', '--search', CLEAR_SCREEN]]) {
      const { code, stderr } = await decant(args);
      assert.equal(code, 2);
      assert.match(stderr, /\\u001b\[2J/);
      assert.doesNotMatch(stderr, /(?!\n)\p{Cc}/u);
    }
  });
});
