import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { load as parseYaml } from 'js-yaml';
import { decant } from '../../../test/build/decant.ts';
import type { Plan } from '../../engine/plan-document.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/forty-nodes.json.gz');
const TWO_NODES = join(import.meta.dirname, '../../../examples/two-nodes.json');

describe('the example', () => {
  test('as JSON: every field of the schema, totals that add up', async () => {
    const { code, stdout, stderr } = await decant(['plan', '-f', EXAMPLE, '--compat', 'karpenter', '-o', 'json']);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    const plan: Plan = JSON.parse(stdout);
    const schema = JSON.parse(await readFile(join(import.meta.dirname, '../../../docs/plan.schema.json'), 'utf8'));
    const { totals, prices, move, node } = schema.$defs;
    assert.deepEqual(Object.keys(plan).sort(), [...schema.required, 'prices'].sort());
    assert.deepEqual(Object.keys(plan.prices ?? {}).sort(), [...prices.required].sort());
    assert.deepEqual(Object.keys(plan.totals).sort(), [...totals.required].sort());
    assert.ok(plan.moves.length > 0);
    for (const m of plan.moves) assert.deepEqual(Object.keys(m).sort(), [...move.required].sort());
    for (const n of plan.nodes) assert.deepEqual(Object.keys(n).sort(), [...node.required].sort());

    assert.equal(plan.now, '2026-08-20T12:00:00Z');
    assert.equal(plan.totals.nodes, plan.nodes.length);
    const price = plan.nodes.reduce((sum, n) => sum + (n.centsPerHour ?? 0), 0);
    const saved = plan.moves.reduce((sum, m) => sum + m.savingsCentsPerHour, 0);
    assert.ok(Math.abs(plan.totals.centsPerHour - price) < 1e-6);
    assert.ok(Math.abs(plan.totals.savingsCentsPerHour - saved) < 1e-6);
    assert.ok(Math.abs(plan.totals.plannedCentsPerHour - (price - saved)) < 1e-6);
  });

  test('as text: the money first, no colour in a pipe, no line over 100 columns', async () => {
    const { code, stdout } = await decant(['plan', '-f', EXAMPLE]);
    assert.equal(code, 0);
    const lines = stdout.split('\n');
    assert.match(
      lines[0],
      /^40 nodes, 508 pods: \$[\d.,]+\/h now, \$[\d.,]+\/h planned, saves \$[\d.,]+\/h \([\d.]+ %\)$/,
    );
    assert.ok(!stdout.includes('\u001b'));
    assert.ok(Math.max(...lines.map((line) => line.length)) <= 100);
  });

  test('as HTML: one page that says the money of the JSON, and without scripts the words', async () => {
    const { code, stdout } = await decant(['plan', '-f', EXAMPLE, '--search', 'karpenter', '-o', 'html']);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^<!doctype html>[\s\S]*<title>Decant plan: \$8\.29\/h → \$7\.88\/h<\/title>[\s\S]*<noscript><pre>40 nodes, 508 pods: [\s\S]*<\/html>\n$/,
    );
  });

  test('with the Karpenter that runs, by the image of its Deployment', async () => {
    const deployment = (tag: string) =>
      JSON.stringify({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace: 'kube-system', name: 'karpenter', uid: 'k' },
        spec: { template: { spec: { containers: [{ name: 'controller', image: `x/karpenter/controller:${tag}` }] } } },
      });
    const planned = (tag: string, ...args: readonly string[]) =>
      decant(['plan', '-f', TWO_NODES, '-f', '-', ...args], deployment(tag));
    const known = await planned('1.14.3@sha256:ab');
    assert.equal(known.stderr, '');
    assert.match(known.stdout, /^Karpenter 1\.14\.3 runs in Deployment kube-system\/karpenter\.$/m);
    const old = await planned('1.9.1', '-o', 'json');
    assert.match(old.stderr, /warning: Karpenter 1\.9\.1 .*; assuming the decisions of 1\.14\.1/);
    const { karpenter } = JSON.parse(old.stdout) as Plan;
    assert.deepEqual(karpenter, { version: '1.9.1', deployment: 'kube-system/karpenter', closest: '1.14.1' });
  });

  test('as YAML, and from stdin: the same plan', async () => {
    const [json, yaml] = await Promise.all([
      decant(['plan', '-f', EXAMPLE, '-o', 'json']),
      decant(['plan', '-f', '-', '-o', 'yaml'], gunzipSync(await readFile(EXAMPLE))),
    ]);
    assert.deepEqual(withoutTimes(parseYaml(yaml.stdout) as Plan), withoutTimes(JSON.parse(json.stdout)));
  });
});

test('--bound proves that a plan is the best possible, or how near it is', async () => {
  const { stdout } = await decant(['plan', '-f', TWO_NODES, '--bound', '-o', 'json']);
  const { bound, totals }: Plan = JSON.parse(stdout);
  assert.ok(bound !== undefined && Math.abs(bound.centsPerHour - totals.plannedCentsPerHour) < 1e-6);
  assert.ok(bound.gapPercent < 1e-6);
  const text = await decant(['plan', '-f', TWO_NODES, '--bound', '--max-replacements', '1']);
  assert.match(text.stdout, /no plan can get below \$0\.173\/h; this one is the best possible/);
});

test('the picture in the README is what the command prints', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../../README.md'), 'utf8');
  const [, picture = ''] = /```\n\$ decant plan -f examples\/forty-nodes\.json\.gz\n([^`]+)```/.exec(readme) ?? [];
  const { stdout } = await decant(['plan', '-f', EXAMPLE]);
  const printed = new Set(withoutDuration(stdout).split('\n'));
  const lines = withoutDuration(picture).trimEnd().split('\n');
  assert.ok(lines.length > 10);
  assert.deepEqual(
    lines.filter((line) => line !== '…' && !printed.has(line)),
    [],
  );
});

function withoutDuration(text: string): string {
  return text.replace(/ in [\d.]+ m?s\b/, '');
}

function withoutTimes(plan: Plan): Plan {
  return { ...plan, totals: { ...plan.totals, loadMs: 0, elapsedMs: 0 } };
}

describe('exit codes', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'decant-'));
    await writeFile(join(folder, 'truncated.json'), '{"kind":"List","items":[{"kind":"No');
    await writeFile(join(folder, 'empty.json'), '');
    await writeFile(join(folder, 'nothing.json'), '{"now":"2026-08-20T12:00:00Z","instanceTypes":[],"objects":[]}');
  });
  after(() => rm(folder, { recursive: true }));

  const usage: readonly [string, readonly string[], RegExp][] = [
    ['unknown option', ['plan', '--nope'], /^decant: unknown option '--nope'/],
    ['unknown command', ['nope'], /^decant: unknown command 'nope'/],
    ['no input', ['plan'], /^decant: no input: give files, folders or - with -f/],
    [
      'time budget without a unit',
      ['plan', '-f', EXAMPLE, '--time-budget', '5'],
      /^decant: command line: --time-budget: "5": allowed: a duration from 0s to 500h, such as/,
    ],
    [
      'bad time',
      ['plan', '-f', EXAMPLE, '--now', 'noon'],
      /^decant: command line: --now: "noon": allowed: an RFC 3339 time/,
    ],
    [
      'bad format',
      ['plan', '-f', EXAMPLE, '-o', 'pdf'],
      /^decant: command line: --output: "pdf": allowed: text, wide, json, yaml, html/,
    ],
    ['unknown catalog', ['plan', '-f', EXAMPLE, '--catalog', 'aws/mars-1'], /^decant: .*aws\/mars-1.*\n$/],
  ];
  for (const [name, args, message] of usage) {
    test(`2 for ${name}`, async () => {
      const { code, stdout, stderr } = await decant(args);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, message);
    });
  }

  for (const name of ['truncated.json', 'empty.json', 'missing.json']) {
    test(`2 for ${name}: one line that names the file, nothing on stdout`, async () => {
      const { code, stdout, stderr } = await decant(['plan', '-f', join(folder, name), '-o', 'json']);
      assert.equal(code, 2);
      assert.equal(stdout, '');
      assert.match(stderr, new RegExp(`^decant: [^\\n]*${name}[^\\n]*\\n$`));
    });
  }

  test('0 for nothing to do, 1 if asked', async () => {
    const args = ['plan', '-f', join(folder, 'nothing.json')];
    assert.equal((await decant(args)).code, 0);
    assert.equal((await decant([...args, '--exit-code'])).code, 1);
    assert.equal((await decant(['plan', '-f', EXAMPLE, '--exit-code'])).code, 0);
  });

  test('0 for help, with an example in it', async () => {
    const { code, stdout } = await decant(['plan', '--help']);
    assert.equal(code, 0);
    assert.match(stdout, /Examples:\n {2}decant plan --context production\n {2}kubectl get/);
  });
});

describe('likely mistakes are reported', () => {
  const changed = async (change: (objects: Record<string, never>[]) => void) => {
    const snapshot = JSON.parse(await readFile(TWO_NODES, 'utf8'));
    change(snapshot.objects);
    return JSON.stringify(snapshot);
  };

  test('a NodePool that is not ready', async () => {
    const input = await changed((objects) => {
      for (const each of objects) if (each.kind === 'NodePool') delete each.status;
    });
    const { code, stderr } = await decant(['plan', '-f', '-'], input);
    assert.equal(code, 0);
    assert.match(stderr, /^decant: warning: NodePool default is not Ready; as in Karpenter.*\n$/);
  });

  test('several NodePools that are not ready, in one line', async () => {
    const input = await changed((objects) => {
      const pool = objects.find((each) => each.kind === 'NodePool')!;
      const idle = ['a', 'b', 'c', 'd'].map((name) => ({ ...pool, metadata: { name, uid: name }, status: {} }));
      objects.push(...(idle as unknown as typeof objects));
    });
    const { stderr } = await decant(['plan', '-f', '-'], input);
    assert.match(stderr, /^decant: warning: NodePools a, b, c and 1 more are not Ready; as in Karpenter, they .*\n$/);
  });

  test('a NodeOverlay while its gate is off, and a CapacityBuffer whose PodTemplate is not in the input', async () => {
    const overlay = { apiVersion: 'karpenter.sh/v1alpha1', kind: 'NodeOverlay', metadata: { name: 'plan' } };
    const buffer = { apiVersion: 'autoscaling.x-k8s.io/v1beta1', kind: 'CapacityBuffer' };
    const container = { name: 'controller', image: 'karpenter/controller:1.15.0' };
    const more = [
      { ...overlay, spec: { requirements: [], price: '0.1' } },
      {
        ...buffer,
        metadata: { name: 'room', namespace: 'shop' },
        spec: { podTemplateRef: { name: 'spare' }, replicas: 2 },
      },
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'karpenter', namespace: 'kube-system' },
        spec: { template: { spec: { containers: [container] } } },
      },
    ];
    const { now, instanceTypes, objects } = JSON.parse(await readFile(TWO_NODES, 'utf8'));
    const input = JSON.stringify({ now, instanceTypes, objects: [...objects, ...more] });
    const { code, stderr } = await decant(['plan', '-f', '-'], input);
    assert.equal(code, 0);
    assert.equal(
      stderr,
      [
        'decant: warning: NodeOverlay plan changes nothing: the gate NodeOverlay of Karpenter is off',
        'decant: warning: CapacityBuffer shop/room keeps no room: its PodTemplate spare is not known',
        '',
      ].join('\n'),
    );
  });

  test('default spread constraints without the Services that they look at', async () => {
    const constraint = '{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway}';
    const config = `{podTopologySpread: {defaultConstraints: [${constraint}]}}`;
    const { stderr } = await decant(['plan', '-f', TWO_NODES, '--scheduler-config', config]);
    assert.match(stderr, /^decant: warning: the input has no Services: the default spread constraints/);
  });

  test('an annotation that protects nothing', async () => {
    for (const [value, isSaid] of [
      ['1d', true],
      ['-5m', true],
      ['x'.repeat(250_000), true],
      ['8h', false],
      ['false', false],
    ] as const) {
      const input = await changed((objects) => {
        const pod = objects.find(({ kind }) => kind === 'Pod') as unknown as { metadata: { annotations: object } };
        pod.metadata.annotations = { 'karpenter.sh/do-not-disrupt': value };
      });
      const { stderr } = await decant(['plan', '-f', '-'], input);
      const written = value.length < 80 ? `"${value}"` : `"${'x'.repeat(79)}…`;
      const said = `decant: warning: pod shop/cart-1: karpenter.sh/do-not-disrupt ${written} protects nothing: allowed: "true" or a duration such as "8h"\n`;
      assert.equal(stderr, isSaid ? said : '');
    }
  });

  test('no nodes', async () => {
    const { code, stderr } = await decant(['plan', '-f', '-'], '{"objects":[]}');
    assert.equal(code, 0);
    assert.match(stderr, /^decant: warning: the input has no nodes; a complete dump: kubectl get nodes,/);
  });

  describe('a ConsolidationPolicy in the input', () => {
    const plans = async (...policies: readonly (readonly [name: string, spec: object])[]) => {
      const snapshot = JSON.parse(await readFile(TWO_NODES, 'utf8'));
      for (const [name, spec] of policies) {
        const apiVersion = 'decant.sh/v1alpha1';
        snapshot.objects.push({ apiVersion, kind: 'ConsolidationPolicy', metadata: { name }, spec });
      }
      return decant(['plan', '-f', '-', '-o', 'json'], JSON.stringify(snapshot));
    };
    const moves = ({ stdout }: { stdout: string }) => (JSON.parse(stdout) as Plan).moves.length;

    test('goes before the block of the pools that it selects, and of no others', async () => {
      const never = { nodePoolSelector: {}, consolidateAfter: 'Never' };
      const other = { ...never, nodePoolSelector: { matchLabels: { team: 'other' } } };
      const [none, all, others] = await Promise.all([plans(), plans(['p', never]), plans(['p', other])]);
      assert.deepEqual([none, all, others].map(moves), [1, 0, 1]);
      assert.deepEqual(
        [none, all, others].map(({ stderr }) => stderr),
        ['', '', ''],
      );
    });

    test('and another: the pool is left alone, and that is said', async () => {
      const both = await plans(['a', { nodePoolSelector: {} }], ['b', { nodePoolSelector: {} }]);
      assert.equal(moves(both), 0);
      assert.match(both.stderr, /^decant: warning: NodePool default is ignored: several policies select it: a, b\n$/);
    });

    test('that is wrong is refused', async () => {
      const { code, stdout, stderr } = await plans(['p', { nodePoolSelector: {}, consolidateAfter: 'soon' }]);
      assert.match(stderr, /^decant: ConsolidationPolicy\/p: spec\.consolidateAfter: "soon": allowed: a duration/);
      assert.deepEqual([code, stdout], [2, '']);
    });
  });

  const without = async (kind: string) => {
    const snapshot = JSON.parse(await readFile(TWO_NODES, 'utf8'));
    return { ...snapshot, objects: snapshot.objects.filter((each: { kind: string }) => each.kind !== kind) };
  };
  const MISSING: readonly (readonly [kind: string, words: string])[] = [
    ['NodeClaim', 'the input has no NodeClaims: no node is managed by Karpenter, and none can be removed'],
    ['NodePool', 'the input has no NodePools: no node can be removed or launched'],
    ['Pod', 'the input has no pods: every node looks empty'],
  ];
  for (const [kind, words] of MISSING) {
    test(`a dump without any ${kind}`, async () => {
      const { code, stderr } = await decant(['plan', '-f', '-'], JSON.stringify(await without(kind)));
      assert.equal(code, 0);
      assert.match(stderr, /\ndecant: warning: a complete dump: kubectl get nodes,pods,\S+ -A -o json\n$/);
      assert.equal(stderr.split('\n')[0], `decant: warning: ${words}`);
    });
  }

  test('a node that is being deleted under its NodeClaim', async () => {
    const snapshot = await without('nothing');
    const node = snapshot.objects.find((each: { kind: string }) => each.kind === 'Node');
    node.metadata.deletionTimestamp = '2026-08-20T11:59:00Z';
    const { code, stderr } = await decant(['plan', '-f', '-'], JSON.stringify(snapshot));
    assert.equal(code, 0);
    assert.match(stderr, /^decant: warning: NodeClaim \S+ is not being deleted, but its node is; as in Karpenter/);
  });

  test('a node without a label that its price depends on: that is all that is said of its price', async () => {
    const { name, plan } = await planWithZone(undefined);
    const { refusals, centsPerHour } = nodeOf(plan, name);
    assert.equal(centsPerHour, null);
    const codes = refusals.map(({ code }) => code);
    assert.ok(codes.includes('missing-label') && !codes.includes('unpriced'), codes.join());
  });

  test('a node without a price: that is said of the node, and stands at the top', async () => {
    const { name, plan, text } = await planWithZone('mars-1a');
    assert.equal(nodeOf(plan, name).centsPerHour, null);
    assert.ok(nodeOf(plan, name).refusals.some(({ code }) => code === 'unpriced'));
    assert.equal(plan.prices?.nodesBySource.none, 1);
    assert.match(
      text.split('\n')[2],
      /^No price for 1 of 40 nodes of NodePools, .* % of their vCPUs, such as .*mars-1a/,
    );
  });

  test('exit 2 if more than a tenth of the vCPUs have no price, with what can be done about it', async () => {
    const input = (await readFile(TWO_NODES, 'utf8')).replaceAll(
      '"topology.kubernetes.io/zone": "us-east-1a"',
      '"topology.kubernetes.io/zone": "mars-1a"',
    );
    const { code, stdout, stderr } = await decant(['plan', '-f', '-', '-o', 'json'], input);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr,
      /^decant: 2 of 2 nodes of NodePools \(100 % of their vCPUs\) have no price, such as .*, mars-1a, on-demand: .*--catalog.*\n$/,
    );
  });

  test('exit 2 if no node has a price, although none is Karpenter’s', async () => {
    const bare = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name },
      status: { capacity: { cpu: '4' } },
    });
    const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [bare('a'), bare('b')] });
    const { code, stdout, stderr } = await decant(['plan', '-f', '-'], input);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^decant: 2 of 2 nodes \(100 % of their vCPUs\) have no price, .*no node has a region label/);
  });

  /** The example with one node in another zone, or in none. */
  async function planWithZone(zone: string | undefined) {
    const snapshot = JSON.parse(gunzipSync(await readFile(EXAMPLE)).toString());
    const { metadata } = snapshot.objects.find((each: { kind: string }) => each.kind === 'Node');
    metadata.labels['topology.kubernetes.io/zone'] = zone;
    const input = JSON.stringify(snapshot);
    const { stdout, stderr } = await decant(['plan', '-f', '-', '-o', 'json'], input);
    assert.equal(stderr, '');
    const { stdout: text } = await decant(['plan', '-f', '-'], input);
    const plan: Plan = JSON.parse(stdout);
    return { name: String(metadata.name), plan, text };
  }

  function nodeOf({ nodes }: Plan, name: string) {
    const found = nodes.find((node) => node.name === name);
    assert.ok(found);
    return found;
  }
});
