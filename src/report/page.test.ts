import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { cluster } from '../../test/build/cluster.ts';
import { LARGE, SMALL } from '../../test/build/instance-type.ts';
import { machine } from '../../test/build/machine.ts';
import { pod } from '../../test/build/pod.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import { plan as planOf } from '../engine/plan.ts';
import type { Plan, PlannedMove } from '../engine/plan-document.ts';
import { STOCK_RULES } from '../engine/settings.ts';
import { renderHtml } from './page.ts';
import { SCRIPT } from './page-script.ts';
import { STYLE } from './page-style.ts';

function plan(objects: ClusterObjects, moves?: readonly PlannedMove[]): Plan {
  const found = planOf(objects, { search: 'karpenter', rules: STOCK_RULES, loadMs: 0 }, () => 0);
  return moves === undefined ? found : { ...found, moves };
}

function move(sketch: Partial<PlannedMove>): PlannedMove {
  return {
    kind: 'delete',
    method: 'merged',
    wave: 1,
    nodes: [],
    replacements: [],
    placements: [],
    savingsCentsPerHour: 1,
    requiredCentsPerHour: 0,
    disruptionCost: 1,
    ...sketch,
  };
}

const REPLACEMENT = {
  nodePool: 'default',
  instanceTypes: [SMALL.name, LARGE.name],
  capacityTypes: ['spot'],
  zones: ['zone-a'],
  centsPerHour: 2,
};

/** Three nodes; two leave, one after the other, and two come. */
const THREE = cluster({
  machines: [machine('node-a'), machine('node-b', { type: LARGE }), machine('node-c')],
  pods: [pod('one', { on: 'node-a' }), pod('two', { on: 'node-b' }), pod('stay', { on: 'node-c' })],
});
const TWO_WAVES = plan(THREE, [
  move({ nodes: ['node-a'], placements: [{ pod: 'default/one', to: 'node-c' }] }),
  move({
    kind: 'replace',
    wave: 2,
    nodes: ['node-b'],
    replacements: [REPLACEMENT, REPLACEMENT],
    placements: [{ pod: 'default/two', to: 'new-2' }],
  }),
]);

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** The page without its own script and style: nothing else may look like markup of ours. */
function content(html: string): string {
  return html.replace(SCRIPT, '').replace(STYLE, '');
}

describe('the page', () => {
  const html = renderHtml(TWO_WAVES, THREE);

  test('may run its own script and style, and nothing else', () => {
    const [, policy = ''] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html) ?? [];
    assert.equal(
      policy.replaceAll('&#39;', "'"),
      `default-src 'none'; script-src ${hash(SCRIPT)}; style-src ${hash(STYLE)}; base-uri 'none'; form-action 'none'`,
    );
    assert.ok(html.includes(`<script>${SCRIPT}</script>`) && html.includes(`<style>${STYLE}</style>`));
    // What the policy would refuse must not be there in the first place.
    assert.doesNotMatch(html, /https?:|url\(|@import|<link|<img|\ssrc=|\shref=|\sstyle=|\son\w+=/);
  });

  test('says the money first', () => {
    const [, heading = ''] = /<h1>(.*?)<\/h1>/.exec(html) ?? [];
    assert.match(heading, /^\$[\d.]+\/h → <span class="good">\$[\d.]+\/h<\/span>$/);
    assert.ok(html.indexOf('<h1>') < html.indexOf('<svg'));
  });

  test('has waves, moves, placements and the types of replacements', () => {
    assert.match(html, /<h3>Wave 1: 1 move, saves \$0\.010\/h<\/h3>[\s\S]*<h3>Wave 2: 1 move/);
    assert.ok(html.includes('<td>default/one</td><td>node-c</td>'));
    assert.ok(html.includes('<td>default/two</td><td>new-2</td>'));
    assert.ok(html.includes(`<b>new-2</b> is one of: ${SMALL.name}, ${LARGE.name}`));
  });

  test('has every node with its decision', () => {
    const decisions = [...html.matchAll(/<tr data-decision="(\w+)"><td>([^<]*)<\/td>/g)].map(([, d, name]) => [
      name,
      d,
    ]);
    assert.deepEqual(
      decisions.filter(([name]) => name !== 'node-c'),
      [
        ['node-a', 'delete'],
        ['node-b', 'replace'],
      ],
    );
    assert.equal(decisions.length, 3);
  });

  test('shows before and after: who is gone, who is new, which pods moved where', () => {
    const [before = '', after = ''] = html.match(/<svg class="packing"[\s\S]*?<\/svg>/g) ?? [];
    const boxes = (svg: string) => {
      return [...svg.matchAll(/<g class="([\w ]+)"[^>]*><rect class="glass"[^>]*><title>([^,]*)[\s\S]*?<\/g>/g)].map(
        ([g, kind, name]) => [name, kind, [...new Set(g.match(/class="(moves|pod)"[^>]*><title>[^<]*/g))].length],
      );
    };
    // A pod is drawn twice, as cpu and as memory.
    assert.deepEqual(
      boxes(before).map(([name, kind, pods]) => [name, name === 'node-c' ? 'stays' : kind, pods]),
      [
        ['node-b', 'replace', 2],
        ['node-a', 'delete', 2],
        ['node-c', 'stays', 2],
      ],
    );
    assert.deepEqual(
      boxes(after).map(([name, kind, pods]) => [name, name === 'node-c' ? 'stays' : kind, pods]),
      [
        ['new', 'new', 0],
        ['new', 'new', 2],
        ['node-a', 'delete gone', 0],
        ['node-c', 'stays', 4],
      ],
    );
    assert.match(before, />leaving \(2\)</);
    assert.match(after, />new \(2\), deleted \(1\)</);
    assert.match(html, /pods that move \(2\)/);
  });
});

test('every refusal of every node is there', () => {
  const objects = cluster({
    machines: [machine('annotated', { doNotDisrupt: 'true' }), machine('alone', { state: 'unmanaged' })],
  });
  const found = plan(objects);
  const html = renderHtml(found, objects).replaceAll('&quot;', '"');
  const messages = found.nodes.flatMap((node) => node.refusals.map(({ message }) => message));
  assert.ok(messages.length >= 2);
  for (const message of messages) assert.ok(html.includes(message), message);
});

test('a cluster of nothing, and one with nothing to do', () => {
  for (const objects of [cluster(), cluster({ machines: [machine('node', { doNotDisrupt: 'true' })] })]) {
    const html = renderHtml(plan(objects), objects);
    assert.match(html, /<title>Decant plan: \$[\d.]+\/h, nothing to do<\/title>/);
    assert.doesNotMatch(content(html), /NaN|undefined|Infinity/);
  }
});

describe('names from the cluster are text, whatever they are', () => {
  const HOSTILE = [
    '<img src=x onerror=alert(1)>',
    '</script><script>alert(1)</script>',
    '</style><style>*{display:none}',
    '"><svg/onload=alert(1)>',
    "' onmouseover='alert(1)",
    '--><!--',
    ']]>',
    '&lt;b&gt;',
    '</title></svg><b>',
    // As a label or a name may look.
    'img-src-x-onerror-alert-1',
    '\u2028\u0000',
  ];
  /** All that the page is made of; a name that got through as markup is none of it. */
  const TAG =
    /^<(?:!doctype html|\/?(?:html|head|meta|title|style|script|body|header|main|section|figure|figcaption|div|h[1-3]|p|b|i|span|ul|li|svg|g|rect|path|text|details|summary|table|thead|tbody|tr|th|td|button|label|input|select|option|output)(?: [a-zA-Z-]+="[^"<]*")*\/?)>$/;

  for (const name of HOSTILE) {
    test(JSON.stringify(name), () => {
      const objects = cluster({
        machines: [machine(name, { labels: { 'topology.kubernetes.io/zone': name } }), machine('other')],
        pods: [pod(name, { on: name, namespace: name }), pod('plain', { on: 'other' })],
      });
      const hostile = plan(objects, [
        move({
          kind: 'replace',
          nodes: [name],
          replacements: [
            { nodePool: name, instanceTypes: [name, name], capacityTypes: [name], zones: [name], centsPerHour: 1 },
          ],
          placements: [
            { pod: `${name}/${name}`, to: name },
            { pod: 'default/plain', to: 'other' },
          ],
        }),
      ]);
      const nodes = hostile.nodes.map((node) => ({
        ...node,
        nodePool: name,
        instanceType: name,
        capacityType: name,
        refusals: [
          { code: 'x', message: name },
          { code: 'y', message: name },
        ],
      }));
      const page = renderHtml({ ...hostile, now: name, nodes }, objects);
      const others = content(page)
        .match(/<[^>]*>?/g)
        ?.filter((tag) => !TAG.test(tag));
      assert.deepEqual(others, []);
      assert.equal(page.split('<script').length, 2);
      assert.ok(page.includes(name.replaceAll('&', '&amp;').replace(/[<>"']/g, (c) => ENTITIES[c])));
    });
  }

  const ENTITIES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
});

test('a thousand nodes and 20,000 pods: few enough elements for a browser', () => {
  const machines = Array.from({ length: 1000 }, (_, i) => machine(`node-${i}`));
  const pods = Array.from({ length: 20_000 }, (_, i) =>
    pod(`pod-${i}`, { on: `node-${i % 1000}`, cpu: 50, memory: 1e8 }),
  );
  const objects = cluster({ machines, pods });
  const base = plan(cluster({ machines: machines.slice(0, 1) })).nodes[0];
  const nodes = machines.map(({ node }) => ({ ...base, name: node?.name ?? '' }));
  const html = renderHtml({ ...plan(cluster()), nodes }, objects);
  assert.ok(html.split('<').length < 45_000, `${html.split('<').length} tags`);
  assert.ok(html.length < 2_000_000, `${html.length} characters`);
});
