import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { load } from 'js-yaml';
import { decant } from '../../../test/build/decant.ts';
import { restlessPool } from '../../../test/examples/restless-pool.ts';
import type { Plan } from '../../engine/plan-document.ts';

const EXAMPLES = join(import.meta.dirname, '../../../examples');
const BLOCKED = join(EXAMPLES, 'blocked-node.yaml');
const SOFT = join(EXAMPLES, 'soft-spread.yaml');
const BUSY = join(EXAMPLES, 'busy-node.yaml');
const RESTLESS = join(EXAMPLES, 'restless-pool.json.gz');
const FORTY = join(EXAMPLES, 'forty-nodes.json.gz');
/** What does not depend on how well the search does. */
const ONE_PASS = ['--search', 'karpenter'];

async function told(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await decant(['explain', ...args]);
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
}

/** Lines as one, so that no sentence is missed because it was wrapped. */
function flat(text: string): string {
  return text.replace(/\s+/g, ' ');
}

describe('why is this node not consolidated? (kubernetes-sigs/karpenter#711)', () => {
  test('every blocker, where each pod would go, and what would unlock it', async () => {
    const text = flat(await told('node', 'web-1', '-f', BLOCKED));
    for (const sentence of [
      'node web-1 stays: PodDisruptionBudget shop/checkout allows no eviction of pod shop/checkout-1 now (first of 3',
      'pod batch/report-4 has the annotation karpenter.sh/do-not-disrupt: "true"',
      'if PDB shop/checkout allowed 1 more',
      'if pod batch/report-4 did not have the annotation karpenter.sh/do-not-disrupt',
      'if pod shop/cart-7 could leave zone us-east-1a: then deleted, saving 17.28 ¢/h',
      'if node web-3 had 0.37 cpu more free: then deleted, saving 17.28 ¢/h',
      '2 pods would move: 2 to web-2',
      'shop/cart-7 has no place; closest is web-3, which lacks 0.37 cpu',
      'web-2: zone is us-east-1b, wants us-east-1a',
      'no new node of pool general: its nodes cannot have zone us-east-1a',
    ]) {
      assert.ok(text.includes(sentence), `${sentence}\n${text}`);
    }
  });

  test('a node that empties itself says how far it has come', async () => {
    const { now, objects, ...rest } = JSON.parse(readFileSync(join(EXAMPLES, 'two-nodes.json'), 'utf8'));
    const timeAdded = new Date(Date.parse(now) - 50 * 60_000).toISOString();
    const [node] = objects.filter((each: { kind: string }) => each.kind === 'Node');
    node.spec.taints = [{ key: 'decant.sh/leaving', value: '12', effect: 'PreferNoSchedule', timeAdded }];
    const { stdout } = await decant(
      ['explain', 'node', node.metadata.name, '-f', '-'],
      JSON.stringify({ now, objects, ...rest }),
    );
    assert.match(flat(stdout), /emptying: 12 pods 50 min ago, \d+ now/);
  });

  test('the pod itself has nowhere to go', async () => {
    const text = flat(await told('pod', 'shop/cart-7', '-f', BLOCKED));
    assert.match(text, /pod shop\/cart-7 has no other node to go to, nor to a new one/);
    assert.match(text, /web-3: too little cpu/);
  });
});

describe('why are nodes kept that only preferences fill? (kubernetes-sigs/karpenter#667)', () => {
  test('which preference it is, what it costs, and how to do without', async () => {
    const text = flat(await told('node', 'soft-1', '-f', SOFT));
    for (const sentence of [
      'if pod shop/web-1 had no preferred topology spread by host: then deleted, saving 16.64 ¢/h',
      'with --preference-policy Ignore: then deleted, saving 16.64 ¢/h',
      'shop/web-1 prefers a new node to those that fit',
      '2 nodes, such as soft-2: 1 pod there already, spread by host prefers a skew of 1',
    ]) {
      assert.ok(text.includes(sentence), `${sentence}\n${text}`);
    }
    const pod = flat(await told('pod', 'shop/web-1', '-f', SOFT));
    assert.match(pod, /2 of them, such as soft-2, only if no new node can be launched: 1 pod there already/);
  });

  test('with the preference ignored, two of three go', async () => {
    const nodesLeft = async (...policy: readonly string[]) => {
      const { stdout } = await decant(['plan', '-f', SOFT, '-o', 'json', ...policy]);
      const { moves, totals } = JSON.parse(stdout);
      return totals.nodes - moves.flatMap((m: { nodes: readonly string[] }) => m.nodes).length;
    };
    assert.equal(await nodesLeft(), 3);
    assert.equal(await nodesLeft('--preference-policy', 'Respect'), 3);
    assert.equal(await nodesLeft('--preference-policy', 'Ignore'), 1);
  });
});

describe('why was the busy node removed and the light one kept? (aws/karpenter-provider-aws#8868)', () => {
  test('a move of a later stage, on the cluster that the stages before leave', async () => {
    const { moves } = JSON.parse((await decant(['plan', '-f', FORTY, '-o', 'json'])).stdout) as Plan;
    const number = 1 + moves.findIndex((m) => m.nodes.some((name) => name.includes(' of move ')));
    assert.notEqual(number, 0);
    const { nodes, move } = JSON.parse(await told('move', `${number}`, '-f', FORTY, '-o', 'json'));
    assert.deepEqual(nodes.map((n: { node: string }) => n.node).sort(), move.nodes);
    assert.equal(nodes.flatMap((n: { placements: unknown[] }) => n.placements).length, move.placements.length);
  });

  test('as Karpenter decides: the same savings for fewer evictions', async () => {
    const move = JSON.parse(await told('move', '1', '-f', BUSY, '--compat', 'karpenter', '-o', 'json'));
    assert.deepEqual(move.move.nodes, ['tools-1']);
    const instead = move.alternatives.find((a: { what: string }) => a.what === 'instead');
    assert.equal(instead.node, 'tools-2');
    assert.deepEqual([move.move.savingsCentsPerHour, instead.savingsCentsPerHour], [34.56, 34.56]);
    assert.deepEqual([move.move.disruptionCost, instead.disruptionCost], [4, 9]);
    const node = flat(await told('node', 'tools-2', '-f', BUSY, '--compat', 'karpenter'));
    assert.match(node, /tools-2 removable, but not in this plan: it takes 3 pods of move 1/);
    assert.match(node, /34.56 ¢\/h for a disruption cost of 9.0, the plan saves 34.56 ¢\/h for 4.0/);
  });

  test('as Decant decides: the busy node is above the threshold, and the threshold that would do is named', async () => {
    const busy = flat(await told('node', 'tools-1', '-f', BUSY));
    assert.match(busy, /tools-1 stays: utilization 89 % is above the threshold of 75 %/);
    assert.match(busy, /utilization threshold ≥ 0.894/);
    assert.match(await told('node', 'tools-2', '-f', BUSY), /tools-2 is deleted in move 1, wave 1/);
    const raised = ['--scaledown-utilization-threshold', '0.894'];
    assert.match(await told('node', 'tools-1', '-f', BUSY, ...raised), /tools-1 is (deleted|removable)/);
  });
});

describe('why does nothing happen? (aws/karpenter-provider-aws#9207)', () => {
  test('the example is what its script makes', () => {
    assert.equal(gunzipSync(readFileSync(RESTLESS)).toString(), restlessPool());
  });

  test('fifty nodes, no decisions: each is inside a window that never ends', async () => {
    const { stdout } = await decant(['plan', '-f', RESTLESS, '-o', 'json']);
    assert.deepEqual(JSON.parse(stdout).moves, []);
    const text = flat(await told('node', 'worker-08', '-f', RESTLESS));
    assert.match(text, /all 50 nodes of the pool are inside this window, which restarts with every pod/);
    assert.match(
      text,
      /in 53 s, when consolidateAfter has passed \(if no pod comes or goes\): then deleted, saving 17.28/,
    );
    assert.match(text, /consolidateAfter ≤ 7 s for NodePool workers: then deleted/);
  });

  test('a minute without pods would let six go at once, as the budget says', async () => {
    const { stdout } = await decant([
      'plan',
      '-f',
      RESTLESS,
      ...ONE_PASS,
      '--now',
      '2026-08-20T12:01:00Z',
      '-o',
      'json',
    ]);
    assert.equal(JSON.parse(stdout).moves.flatMap((m: { nodes: string[] }) => m.nodes).length, 6);
  });
});

test('the answer comes first and fits one screen', async () => {
  for (const [node, first] of [
    ['node-0012', /^node node-0012 stays: NodePool "quiet" has consolidation policy WhenEmpty/],
    ['node-0015', /^node node-0015 is replaced by c5a.xlarge.* in move 1, wave 1/],
    ['node-0009', /^node node-0009 stays: PodDisruptionBudget/],
  ] as const) {
    const lines = (await told('node', node, '-f', FORTY, ...ONE_PASS)).split('\n');
    assert.match(lines[0], first);
    assert.ok(lines.length < 45, `${lines.length} lines`);
    assert.ok(lines.every((line) => line.length <= 100));
  }
});

test('a node of the plan names its move and wave', async () => {
  const { stdout } = await decant(['plan', '-f', FORTY, '-o', 'json']);
  const { moves } = JSON.parse(stdout);
  // Later ones remove nodes that do not run yet.
  const last = moves.findLastIndex(({ nodes }: Plan['moves'][number]) => nodes.every((node) => !node.includes(' ')));
  const [name] = moves[last].nodes;
  const e = JSON.parse(await told('node', name, '-f', FORTY, '-o', 'json'));
  assert.deepEqual([e.verdict, e.move.number], ['goes', last + 1]);
  assert.deepEqual(e.move.move, moves[last]);
});

test('a node that only goes together with others: what refuses it is said to refuse it alone', async () => {
  const text = await told('node', 'node-a', '-f', join(EXAMPLES, 'two-nodes.json'));
  assert.match(text, /^node node-a is .* in move 1.*together with/);
  assert.match(text, /GATES, REMOVED ALONE\n[\s\S]*✗ cheaper/);
  assert.match(await told('node', 'node-0015', '-f', FORTY, ...ONE_PASS), /^GATES$/m);
});

test('JSON and YAML are one document', async () => {
  for (const subject of [
    ['node', 'web-1', '-f', BLOCKED],
    ['pod', 'shop/cart-7', '-f', BLOCKED],
    ['move', '1', '-f', BUSY],
  ]) {
    const [json, yaml] = await Promise.all([told(...subject, '-o', 'json'), told(...subject, '-o', 'yaml')]);
    assert.deepEqual(load(yaml), JSON.parse(json));
    assert.equal(JSON.parse(json).apiVersion, 'decant.sh/v1alpha1');
  }
});

describe('a node by its short name', () => {
  const within = (domain: string) => readFileSync(BLOCKED, 'utf8').replaceAll(/\bweb-([123])\b/g, `web-$1${domain}`);
  const told = (input: string) => decant(['explain', 'node', 'web-1', '-f', '-'], input);

  test('is found if it is the only one', async () => {
    const { code, stdout } = await told(within('.ec2.internal'));
    assert.equal(code, 0);
    assert.match(stdout, /node web-1\.ec2\.internal stays/);
  });

  test('is not if there are two, or if it is only how a name begins', async () => {
    const second = within('.a.internal').replaceAll('web-2.a.internal', 'web-1.b.internal');
    assert.match((await told(second)).stderr, /no node web-1 .*there is web-1\.a\.internal, web-1\.b\.internal/);
    assert.match((await told(within('0'))).stderr, /no node web-1 /);
  });
});

describe('exit code 2', () => {
  for (const [name, args, message] of [
    ['an unknown node', ['node', 'web', '-f', BLOCKED], /no node web among the 3 of the input \(there is web-1, web-2/],
    ['a NodeClaim', ['node', 'general-web-1', '-f', BLOCKED], /is a NodeClaim; its node is web-1/],
    [
      'a pod without namespace',
      ['pod', 'cart-7', '-f', BLOCKED],
      /give it as namespace\/name \(there is shop\/cart-7\)/,
    ],
    ['a move of an empty plan', ['move', '1', '-f', BLOCKED], /no move 1: the plan has none/],
    ['a move that is not there', ['move', 'two', '-f', BUSY], /no move two: the plan has only move 1/],
    ['no input', ['node', 'web-1'], /no input/],
  ] as const) {
    test(name, async () => {
      const { code, stdout, stderr } = await decant(['explain', ...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
    });
  }
});

test('help has an example', async () => {
  const { stdout } = await decant(['explain', '--help']);
  assert.match(stdout, /decant explain node ip-10-0-1-17 -f cluster.json/);
});
