import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '../../controller/command.ts';
import type { Refusal } from '../../engine/refusal.ts';
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
  [
    { kind: 'begun', number: 1, command: command() },
    '#1 removes node n-1, 12 pods to other nodes: saves 20.6 ¢/h (6.5 required)',
  ],
  [
    { kind: 'begun', number: 2, command: command({ pods: [0, 0] }) },
    '#2 removes 2 empty nodes n-1, n-2: saves 20.6 ¢/h (6.5 required)',
  ],
  [
    {
      kind: 'begun',
      number: 3,
      command: command({ replacements: [REPLACEMENT], predicted: { ...FIGURES, requiredCentsPerHour: 0 } }),
    },
    '#3 replaces node n-1 (27.5 ¢/h) by one m5a.xlarge (6.9 ¢/h), 12 pods to move: saves 20.6 ¢/h',
  ],
  [
    { kind: 'begun', number: 4, command: command({ pods: [1, 1, 1, 1, 1] }) },
    '#4 removes 5 nodes n-1, n-2, n-3, n-4, …, 5 pods to other nodes: saves 20.6 ¢/h (6.5 required)',
  ],
  [
    { kind: 'done', number: 1, command: command({ realised: FIGURES }) },
    '#1 done after 90 s: 20.6 ¢/h saved as predicted, 12 pods moved',
  ],
  [
    {
      kind: 'done',
      number: 1,
      command: command({ realised: { ...FIGURES, savingsCentsPerHour: 18, evictions: 0 } }),
    },
    '#1 done after 90 s: 18.0 ¢/h saved (20.6 ¢/h predicted), no pod moved',
  ],
  [
    { kind: 'given-up', number: 1, command: command({ reason: 'pod-landed' }) },
    '#1 abandoned after 90 s: a pod was scheduled to one of its nodes',
  ],
  [
    { kind: 'given-up', number: 1, command: command({ reason: 'not-cheaper' }) },
    '#1 abandoned after 90 s: not cheaper',
  ],
  [{ kind: 'launched', nodes: 2, types: ['a', 'b'] }, 'Karpenter launches 2 nodes (a, b)'],
  [
    { kind: 'leaving', node: 'n-1', type: 'm5.large', cause: 'interruption', pods: 1 },
    'spot interruption: node n-1 (m5.large) is removed, 1 pod to move',
  ],
];

function writer(width = 200): DemoWriter {
  return new DemoWriter({ workload: 'w', policy: 'calm', seed: 1, width });
}

for (const [news, words] of WORDS)
  test(words, () => assert.deepEqual(writer().news(news, TEN), [`Mon 10:00  ${words}`]));

const HERE: Moment = {
  nowMs: TEN,
  nodes: 2,
  pods: 9,
  pendingPods: 1,
  dollarsPerHour: 0.5,
  costDollars: 3,
  evictions: 0,
  reevictions: 0,
  commands: 0,
};
const ALONE: Moment = { ...HERE, nodes: 3, dollarsPerHour: 0.75, costDollars: 4 };

test('every hour says how things stand; reasons to stay come when they change, explained when they are new', () => {
  const grace: Refusal = { code: 'grace-period', waitMs: 60_000 };
  const dear: Refusal = { code: 'not-cheaper', centsPerHour: 10, cheapestCentsPerHour: 10 };
  const cooldown: Refusal = { code: 'pool-cooldown', nodePool: 'p', waitMs: 30_000 };
  const nodes = new Map([
    ['n-1', { refusal: grace, before: dear }],
    ['n-2', { refusal: grace }],
    ['n-3', { refusal: dear }],
  ]);
  const w = writer();
  const moments = { here: HERE, alone: ALONE };
  const standing =
    'Mon 10:00  ── 2 nodes, 9 pods (1 pending), $0.50/h (without consolidation 3, $0.75/h); saved $1.00 (25.0 %)';
  const stay = 'Mon 10:00  3 nodes stay: 2 grace period (after 1 not cheaper), 1 not cheaper';
  const held = '; 1 move delayed: 1 pool cooldown';
  const indent = ' '.repeat(11);
  assert.deepEqual(w.hour(moments, { nodes, held: [] }), [
    standing,
    stay,
    `${indent}grace period, such as n-1: evaluated before and kept: protected by consolidationGracePeriod for 60 s`,
    `${indent}not cheaper, such as n-1: no cheaper replacement: costs 10.00 ¢/h, the cheapest that is sure to launch 10.00 ¢/h`,
  ]);
  assert.deepEqual(w.hour(moments, { nodes, held: [] }), [standing]);
  assert.deepEqual(w.hour(moments, { nodes, held: [cooldown] }), [
    standing,
    stay + held,
    `${indent}pool cooldown: NodePool "p" rests after its last command for 30 s`,
  ]);
});

test('savings are the difference of the amounts shown, also when there are none', () => {
  const status = (here: number, alone: number) => {
    return writer().status({ here: { ...HERE, costDollars: here }, alone: { ...ALONE, costDollars: alone } });
  };
  assert.match(status(57.214, 71.226), /; saved \$14\.02 \(19\.7 %\) \(/);
  assert.match(status(5, 4), /; spent \$1\.00 more \(25\.0 %\) \(/);
  assert.match(status(0, 0), /; nothing saved \(/);
});
