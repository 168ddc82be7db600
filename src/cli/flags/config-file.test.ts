import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { decant } from '../../../test/build/decant.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const FILE = ['-f', join(EXAMPLES, 'two-nodes.json')];

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'decant-config-'));
});
after(() => rmSync(folder, { recursive: true }));

/** The command line with this configuration file in XDG_CONFIG_HOME. */
function withConfig(text: string, ...args: readonly string[]) {
  writeFileSync(join(folder, 'decant.yaml'), text);
  return decant(args, '', { XDG_CONFIG_HOME: folder });
}

describe('defaults for flags from a configuration file', () => {
  test('for all commands, for one command, and flags win', async () => {
    const [json, ofPlan, flag, ofOther] = await Promise.all([
      decant(['plan', ...FILE, '-o', 'json']),
      decant(['plan', ...FILE, '-o', 'yaml']),
      decant(['plan', ...FILE]),
      decant(['cost', ...FILE, '-o', 'json']),
    ]);
    const timeless = (text: string) => text.replace(/"?(elapsedMs|loadMs)"?: [\d.]+/g, '').replace(/in \d+ ms/, '');
    const plan = async (text: string, ...args: readonly string[]) =>
      timeless((await withConfig(text, 'plan', ...FILE, ...args)).stdout);
    assert.equal(await plan('output: json'), timeless(json.stdout));
    assert.equal(await plan('output: json\nplan: { output: yaml }'), timeless(ofPlan.stdout));
    assert.equal(await plan('plan: { output: yaml }\noutput: json'), timeless(ofPlan.stdout));
    assert.equal(await plan('output: json', '-o', 'text'), timeless(flag.stdout));
    assert.equal(await plan('cost: { output: json }'), timeless(flag.stdout));
    assert.equal((await withConfig('cost: { output: json }', 'cost', ...FILE)).stdout, ofOther.stdout);
  });

  test('switches, settings and numbers', async () => {
    const { stdout } = await withConfig(
      'plan:\n  exit-code: true\n  scaledown-utilization-threshold: 0',
      'plan',
      ...FILE,
    );
    assert.match(stdout, /utilization/);
    const empty = await withConfig(
      'plan: { exit-code: true, min-node-lifetime: 9000h, scaledown-utilization-threshold: 0 }',
      'plan',
      ...FILE,
    );
    assert.equal(empty.code, 1);
    const cost = await withConfig('cost: { limit: 1, by: node }', 'cost', ...FILE, '-o', 'json');
    assert.equal(JSON.parse(cost.stdout).groups.length, 1);
  });

  test('catalog is a flag of many commands and a command of its own', async () => {
    const list = ['catalog', 'list', '--family', 'm7i'];
    const ireland = await decant([...list, '--catalog', 'aws/eu-west-1']);
    assert.equal((await withConfig('catalog: aws/eu-west-1', ...list)).stdout, ireland.stdout);
    const { stdout } = await withConfig('catalog: { output: json, catalog: aws/eu-west-1 }', ...list);
    assert.equal(JSON.parse(stdout).kind, 'InstanceTypeList');
  });

  test('a context is no default beside files, and no flag of the controller', async () => {
    const { code, stderr } = await withConfig('context: production', 'plan', ...FILE);
    assert.deepEqual([code, stderr], [0, '']);
    const run = await withConfig('mode: nonsense-of-another-kind', 'run', '--once', '--kubeconfig', '/nowhere/k');
    assert.doesNotMatch(run.stderr, /nonsense/);
  });

  const BAD: readonly (readonly [string, RegExp])[] = [
    ['outputt: json', /decant\.yaml: outputt: "json": allowed: flags without their dashes, such as output$/m],
    ['plan: { time-budgett: 5s }', /decant\.yaml: plan\.time-budgett: "5s": allowed: .*such as time-budget$/m],
    ['output: jsonn', /decant\.yaml: output: "jsonn": allowed: text, wide, json, yaml, html$/m],
    ['plan: { time-budget: soon }', /decant\.yaml: plan\.time-budget: "soon": allowed: a duration from 0s to 500h/m],
    ['plan: { exit-code: 3 }', /decant\.yaml: plan\.exit-code: 3: allowed: true or false$/m],
    ['plan: yes please', /decant\.yaml: plan: "yes please": allowed: flags of decant plan with their values$/m],
    ['[1, 2]', /decant\.yaml: a list of 2: allowed: flags with their values$/m],
    ['a: [', /decant\.yaml: line \d+, column \d+: not YAML/m],
  ];
  for (const [text, complaint] of BAD)
    test(`refused: ${text}`, async () => {
      const { code, stdout, stderr } = await withConfig(text, 'plan', ...FILE);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, complaint);
    });

  test('DECANT_CONFIG names another file, which must be there', async () => {
    const { code, stderr } = await decant(['plan', ...FILE], '', { DECANT_CONFIG: join(folder, 'gone.yaml') });
    assert.deepEqual([code, /gone\.yaml: no such file/.test(stderr)], [2, true]);
  });
});
