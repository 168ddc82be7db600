import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load as parseYaml } from 'js-yaml';
import { decant } from '../../../test/build/decant.ts';
import type { Command, Figures } from '../../controller/command.ts';
import { commandObject } from '../../live/journal-object.ts';

const DAY = Date.UTC(2026, 7, 20);
const HOUR = 3_600_000;

function figures(savingsCentsPerHour: number, evictions: number): Figures {
  return { savingsCentsPerHour, requiredCentsPerHour: 1, disruptionCost: evictions, evictions };
}

function node(name: string, nodePool: string) {
  return { node: name, nodeClaim: `claim-${name}`, nodePool, centsPerHour: 10, pods: 2 };
}

const BASE = { phase: 'done', replacements: [], workloads: {}, phaseMs: DAY } as const;
const COMMANDS: readonly Command[] = [
  {
    ...BASE,
    id: 'c1',
    decidedMs: DAY + HOUR,
    nodes: [node('a', 'default')],
    predicted: figures(10, 2),
    realised: figures(9, 3),
  },
  {
    ...BASE,
    id: 'c3',
    phase: 'abandoned',
    decidedMs: DAY + 3 * HOUR,
    nodes: [node('d', 'default')],
    replacements: [
      { nodeClaim: 'decant-c3-1', nodePool: 'default', requirements: [], requests: { cpu: 500 }, centsPerHour: 4 },
    ],
    predicted: figures(6, 2),
    reason: 'timeout',
  },
  {
    ...BASE,
    id: 'c2',
    phase: 'waiting',
    decidedMs: DAY + 4 * HOUR,
    nodes: [node('e', 'batch'), node('f', 'default')],
    predicted: figures(20, 4),
  },
];
const JOURNAL = JSON.stringify({
  kind: 'ConsolidationCommandList',
  apiVersion: 'decant.sh/v1alpha1',
  items: COMMANDS.map(commandObject),
});

function history(...args: readonly string[]) {
  return decant(['history', '-f', '-', ...args], JOURNAL);
}

test('newest first, with predicted and realised savings and the reason of an abandoned command', async () => {
  const { code, stdout, stderr } = await history();
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal(
    stdout,
    `\
3 commands: 1 done, 1 abandoned, 1 open
$0.090/h saved ($0.100/h predicted), $66 a month, for 3 evictions

WHEN (UTC)        POOL            PHASE         SAVES     SAVED  PODS  WHAT
2026-08-20 04:00  batch, default  waiting    $0.200/h         -     4  delete e, f
2026-08-20 03:00  default         abandoned  $0.060/h         -     2  replace d by 1 new: it timed
                                                                       out
2026-08-20 01:00  default         done       $0.100/h  $0.090/h     3  delete a
`,
  );
});

test('of one pool, and not all of it; totals are of all', async () => {
  const { stdout } = await history('--pool', 'default', '--limit', '1', '-o', 'wide');
  assert.match(stdout, /^3 commands: /);
  assert.match(stdout, /\n… and 2 older commands\n$/);
  assert.match((await history('--pool', 'batch')).stdout, /^1 command: 0 done, 0 abandoned, 1 open\n/);
});

test('JSON and YAML are one document', async () => {
  const [json, yaml] = await Promise.all([history('-o', 'json'), history('-o', 'yaml')]);
  const document = JSON.parse(json.stdout);
  assert.deepEqual(parseYaml(yaml.stdout), document);
  assert.deepEqual(document.totals, {
    commands: 3,
    open: 1,
    done: 1,
    abandoned: 1,
    predictedSavingsCentsPerHour: 10,
    realisedSavingsCentsPerHour: 9,
    evictions: 3,
  });
  assert.deepEqual(
    document.commands.map(({ id, kind, reason }: { id: string; kind: string; reason?: object }) => ({
      id,
      kind,
      reason,
    })),
    [
      { id: 'c2', kind: 'delete', reason: undefined },
      { id: 'c3', kind: 'replace', reason: { code: 'timeout', message: 'it timed out' } },
      { id: 'c1', kind: 'delete', reason: undefined },
    ],
  );
});

test('an empty journal', async () => {
  const { code, stdout } = await decant(['history', '-f', '-'], '{"kind":"List","items":[]}');
  assert.deepEqual([code, stdout], [0, 'no commands yet\n']);
});

test('a pool that has none: those that have are named', async () => {
  const { code, stderr } = await decant(['history', '-f', '-', '--pool', 'defualt'], JOURNAL);
  assert.equal(code, 0);
  assert.match(stderr, /no command of NodePool defualt: the history has commands of (\w+, )*default/);
});

const refused: readonly [string, string, readonly string[], RegExp][] = [
  [
    'an object that is no command',
    JOURNAL.replace('"Done"', '"Finished"'),
    [],
    /^decant: ConsolidationCommand\/c1: status\.phase: "Finished": allowed: one of Waiting,/,
  ],
  [
    'a limit that is none',
    JOURNAL,
    ['--limit', '0'],
    /^decant: command line: --limit: "0": allowed: a whole number from 1 to/,
  ],
  ['no file', '', [], /^decant: stdin: the file is empty/],
];
for (const [name, input, args, message] of refused) {
  test(`exit code 2 for ${name}`, async () => {
    const { code, stdout, stderr } = await decant(['history', '-f', '-', ...args], input);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, message);
  });
}
