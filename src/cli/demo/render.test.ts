import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../controller/command.ts';
import type { Refusal } from '../../engine/refusal.ts';
import { CALM, STOCK } from '../../lab/built-in-policies.ts';
import type { NamedPolicy } from '../../lab/named-policy.ts';
import type { Moment } from '../../simulator/moment.ts';
import type { ClusterEvent } from './events.ts';
import { DemoWriter } from './render.ts';

const TEN = Date.UTC(2026, 2, 2, 10);
const FIGURES = { savingsCentsPerHour: 20.6, requiredCentsPerHour: 6.5, disruptionCost: 13, evictions: 12 };

function command(sketch: Partial<Command> & { readonly pods?: readonly number[] } = {}): Command {
  const { pods = [12], ...more } = sketch;
  return {
    id: 'a-00',
    phase: 'waiting',
    decidedMs: TEN - 90_000,
    phaseMs: TEN,
    nodes: pods.map((n, i) => ({
      node: `n-${i + 1}`,
      nodeClaim: `n-${i + 1}`,
      nodePool: 'p',
      centsPerHour: 27.5,
      pods: n,
    })),
    replacements: [],
    workloads: {},
    predicted: FIGURES,
    ...more,
  };
}

const REPLACEMENT: Command['replacements'][number] = {
  nodeClaim: 'p-a-00-1',
  nodePool: 'p',
  requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5a.xlarge', 'm5.xlarge'] }],
  requests: {},
  centsPerHour: 6.9,
};

const WORDS: readonly (readonly [ClusterEvent, string])[] = [
  [{ kind: 'done', number: 1, command: done() }, '#1 removed node n-1, 12 pods moved: saves 20.6 ¢/h, done in 90 s'],
  [
    { kind: 'done', number: 2, command: done({ pods: [0, 0], realised: { ...FIGURES, evictions: 0 } }) },
    '#2 removed 2 empty nodes n-1, n-2: saves 20.6 ¢/h, done in 90 s',
  ],
  [
    { kind: 'done', number: 2, command: done({ pods: [0], realised: { ...FIGURES, evictions: 1 } }) },
    '#2 removed node n-1, 1 pod moved: saves 20.6 ¢/h, done in 90 s',
  ],
  [
    { kind: 'done', number: 3, command: done({ replacements: [REPLACEMENT] }) },
    '#3 replaced node n-1 (27.5 ¢/h) by one m5a.xlarge (6.9 ¢/h), 12 pods moved: saves 20.6 ¢/h, done in 90 s',
  ],
  [
    { kind: 'done', number: 4, command: done({ pods: [1, 1, 1, 1, 1], realised: { ...FIGURES, evictions: 5 } }) },
    '#4 removed 5 nodes n-1, n-2, n-3, n-4, …, 5 pods moved: saves 20.6 ¢/h, done in 90 s',
  ],
  [
    { kind: 'done', number: 1, command: done({ realised: { ...FIGURES, savingsCentsPerHour: 18, evictions: 0 } }) },
    '#1 removed node n-1, 0 pods moved: saves 18.0 ¢/h (20.6 ¢/h predicted), done in 90 s',
  ],
  [
    { kind: 'abandoned', number: 1, command: command({ phase: 'abandoned', reason: 'pod-landed' }) },
    '#1 abandoned after 90 s: node n-1 stays, a pod was scheduled to one of its nodes',
  ],
  [{ kind: 'launched', nodes: 2, types: ['a', 'b'] }, 'Karpenter launches 2 nodes (a, b)'],
  [
    { kind: 'leaving', node: 'n-1', type: 'm5.large', cause: 'interruption', pods: 1 },
    'spot interruption: node n-1 (m5.large) is removed, 1 pod to move',
  ],
];

function done(sketch: Parameters<typeof command>[0] = {}): Command {
  return command({ phase: 'done', realised: FIGURES, ...sketch });
}

function writer(policy: NamedPolicy = CALM): DemoWriter {
  return new DemoWriter({ workload: 'w', policy, seed: 1, width: 200 });
}

for (const [news, words] of WORDS)
  test(words, () => assert.deepEqual(writer().news(news, TEN), [`Mon 10:00  ${words}`]));

test('a move that is abandoned again for the same reason is reported once', () => {
  const w = writer();
  const abandoned = (number: number, reason: string) =>
    w.news({ kind: 'abandoned', number, command: command({ phase: 'abandoned', reason }) }, TEN).length;
  assert.deepEqual([abandoned(1, 'not-cheaper'), abandoned(2, 'not-cheaper'), abandoned(3, 'timeout')], [1, 0, 1]);
});

test('a command that has begun has no line of its own in the log', () => {
  assert.deepEqual(writer().news({ kind: 'begun', number: 1, command: command() }, TEN), []);
});

const HERE: Moment = {
  nowMs: TEN,
  nodes: 2,
  pods: 9,
  pendingPods: 1,
  dollarsPerHour: 0.5,
  costDollars: 3,
  evictions: 4,
  reevictions: 0,
  commands: 0,
};
const BASELINE: Moment = { ...HERE, nodes: 3, dollarsPerHour: 0.75, costDollars: 4, evictions: 7 };
const IDLE = { underWay: [], staying: { nodes: new Map(), held: [] } };

test('three lines: both clusters, what is saved, and what is being done', () => {
  const moments = { here: HERE, baseline: BASELINE };
  const lines = (now: string) => [
    'Mon 10:00  9 pods (1 pending) on 2 nodes, $0.50/h; stock Karpenter 3 nodes, $0.75/h',
    'saved $1.00 (25.0 %) against stock Karpenter, 4 evictions against 7',
    `now: ${now}`,
  ];
  assert.deepEqual(writer().status(moments, IDLE), lines('nothing to do'));
  const grace: Refusal = { code: 'grace-period', waitMs: 60_000 };
  const dear: Refusal = { code: 'not-cheaper', centsPerHour: 10, cheapestCentsPerHour: 10 };
  const cooldown: Refusal = { code: 'pool-cooldown', nodePool: 'p', waitMs: 30_000 };
  const nodes = new Map([
    ['n-1', { refusal: grace, before: dear }],
    ['n-2', { refusal: grace }],
    ['n-3', { refusal: dear }],
  ]);
  const staying = { nodes, held: [cooldown] };
  const why = '3 nodes stay: 2 grace period (after 1 not cheaper), 1 not cheaper; 1 move held back: 1 pool cooldown';
  assert.deepEqual(writer().status(moments, { ...IDLE, staying }), lines(why));
  const underWay = [1, 2].map((number) => ({ kind: 'begun', number, command: command() }) as const);
  const move = '#2 removes node n-1, 12 pods to other nodes: saves 20.6 ¢/h (6.5 required) (and 1 more)';
  assert.deepEqual(writer().status(moments, { underWay, staying }), lines(move));
});

test('stock Karpenter itself is compared with no consolidation', () => {
  const [first, second] = writer(STOCK).status({ here: HERE, baseline: BASELINE }, IDLE);
  assert.match(first, / on 2 nodes, .*; no consolidation 3 nodes,/);
  assert.match(second, /against no consolidation,/);
});

test('savings are the difference of the amounts shown, also when there are none', () => {
  const saved = (here: number, baseline: number) => {
    const moments = { here: { ...HERE, costDollars: here }, baseline: { ...BASELINE, costDollars: baseline } };
    return writer().status(moments, IDLE)[1].trim();
  };
  assert.match(saved(57.214, 71.226), /^saved \$14\.02 \(19\.7 %\) against/);
  assert.match(saved(5, 4), /^spent \$1\.00 more \(25\.0 %\) against/);
  assert.match(saved(0, 0), /^nothing saved against/);
});
