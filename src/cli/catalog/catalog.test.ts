import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { load as parseYaml } from 'js-yaml';
import { decant } from '../../../test/build/decant.ts';

let folder: string;
let a: string;
let b: string;

function entry(name: string, spot: number, more: object = {}): object {
  const offerings = ['z1', 'z2'].flatMap((zone) => [
    { price: 0.2, zone, capacityType: 'on-demand' },
    { price: spot, zone, capacityType: 'spot' },
  ]);
  const resources = { cpu: '2', memory: '8Gi' };
  return { name, architecture: 'amd64', operatingSystems: ['linux'], resources, offerings, ...more };
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decant-'));
  a = join(folder, 'a.json');
  b = join(folder, 'b.json');
  const reserved = { offerings: [{ price: 0.2, zone: 'z1', capacityType: 'on-demand', available: false }] };
  await writeFile(a, JSON.stringify([entry('m.old', 0.1), entry('m.same', 0.1), entry('m.cheaper', 0.1)]));
  await writeFile(
    b,
    JSON.stringify([
      entry('m.same', 0.1),
      entry('m.cheaper', 0.08, { resources: { cpu: '2', memory: '7Gi' } }),
      entry('m.new', 0.1, reserved),
    ]),
  );
});
after(() => rm(folder, { recursive: true }));

async function run(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await decant(['catalog', ...args]);
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
}

describe('list', () => {
  test('a family of the bundled catalog below a price', async () => {
    const text = await run('list', '--family', 'm7i', '--max-price', '0.1');
    assert.equal(
      text,
      [
        'TYPE        ARCH   CPU    MEMORY  ON-DEMAND $/H  SPOT $/H',
        'm7i.large   amd64    2   7.4 GiB         0.1008    0.0434',
        'm7i.xlarge  amd64    4  14.8 GiB         0.2016    0.0925',
        '',
      ].join('\n'),
    );
  });

  test('by architecture, as JSON: cheapest first', async () => {
    const { items } = JSON.parse(await run('list', '--arch', 'arm64', '-o', 'json'));
    type Item = { readonly cheapestDollarsPerHour: Readonly<Record<'on-demand' | 'spot', number | null>> };
    const prices = items.map(({ cheapestDollarsPerHour: each }: Item) =>
      Math.min(each['on-demand'] ?? Number.MAX_VALUE, each.spot ?? Number.MAX_VALUE),
    );
    assert.ok(items.length > 100);
    assert.deepEqual(
      prices,
      [...prices].sort((x, y) => x - y),
    );
    assert.ok(items.every((item: { architecture: string }) => item.architecture === 'arm64'));
  });

  test('a type that cannot be had has no price, and none below any price', async () => {
    assert.match(await run('list', '--catalog', b), /m\.new .* –\s+–\n$/);
    assert.doesNotMatch(await run('list', '--catalog', b, '--max-price', '1000'), /m\.new/);
    assert.equal(await run('list', '--catalog', b, '--max-price', '0'), 'no instance type matches\n');
  });
});

test('show: allocatable capacity, and prices by zone', async () => {
  const text = await run('show', 'm.cheaper', '--catalog', b);
  assert.match(text, /^memory +7Gi +10Mi +7158Mi$/m);
  assert.match(text, /^\$\/H +ON-DEMAND +SPOT\nz1 +0\.2000 +0\.0800$/m);
  const type = JSON.parse(await run('show', 'm.cheaper', '--catalog', b, '-o', 'json'));
  assert.deepEqual(type.overhead, { pods: '0', cpu: '100m', memory: '10Mi' });
  assert.deepEqual(type.offerings[1], {
    zones: ['z1'],
    capacityTypes: ['spot'],
    dollarsPerHour: 0.08,
    available: true,
  });
});

describe('import: what it writes is the same catalog', () => {
  for (const args of [
    ['--to', 'decant'],
    ['--to', 'kwok', '-o', 'json'],
    ['--to', 'kwok', '-o', 'yaml'],
  ]) {
    test(args.join(' '), async () => {
      const file = join(folder, `imported${args.includes('json') ? '.json' : '.yaml'}`);
      await writeFile(file, await run('import', b, ...args));
      assert.equal(await run('diff', b, file, '--exit-code'), 'no difference in 3 types\n');
    });
  }

  test('with the price changes of an overlay in it', async () => {
    const overlay = join(folder, 'overlay.yaml');
    await writeFile(overlay, '[{capacityType: spot, price: "-50%"}]');
    const document = parseYaml(await run('import', a, '--overlay', overlay)) as { instanceTypes: unknown[] };
    assert.deepEqual(
      document.instanceTypes[0],
      entry('m.old', 0.05, { resources: { pods: '110', cpu: '2', memory: '8Gi' } }),
    );
  });
});

describe('diff', () => {
  test('as text, and exit 1 if asked', async () => {
    const { code, stdout } = await decant(['catalog', 'diff', a, b, '--exit-code']);
    assert.equal(code, 1);
    const [, onlyInA, onlyInB, , , ...rows] = stdout.split('\n');
    assert.equal(onlyInA, '1 type only in A: m.old');
    assert.equal(onlyInB, '1 type only in B: m.new');
    assert.deepEqual(
      rows.map((row) => row.replace(/ +/g, ' ')),
      ['m.cheaper spot $/h 0.1000 0.0800 -20.0 % z1, z2', 'm.cheaper allocatable memory 8182Mi 7158Mi -12.5 %', ''],
    );
  });

  test('as JSON: what cannot be had, what is not offered', async () => {
    const without = join(folder, 'without.json');
    await writeFile(
      without,
      JSON.stringify([entry('m.new', 0, { offerings: [{ price: 0.2, zone: 'z1', capacityType: 'spot' }] })]),
    );
    const difference = JSON.parse(await run('diff', b, without, '-o', 'json'));
    const of = { instanceType: 'm.new', zones: ['z1'] };
    assert.deepEqual(difference.offerings, [
      { ...of, capacityType: 'on-demand', a: 'unavailable', b: null },
      { ...of, capacityType: 'spot', a: null, b: 0.2 },
    ]);
  });
});

describe('exit 2 and one line for', () => {
  const cases: readonly [string, readonly string[], RegExp][] = [
    [
      'an unknown type',
      ['show', 'm7i.larg'],
      /^decant: no instance type m7i\.larg in .*; did you mean m7i\.large\?\n$/,
    ],
    ['an unknown family', ['list', '--family', 'm7i,m7ii'], /no family m7ii in .*did you mean m7i\?/],
    ['an unknown architecture', ['list', '--arch', 'sparc'], /no architecture sparc in .*; it has arm64, amd64\n$/],
    [
      'a price that is none',
      ['list', '--max-price', 'much'],
      /--max-price: "much": allowed: a number of dollars per hour/,
    ],
    [
      'a file that is not there',
      ['import', 'nowhere.json'],
      /^decant: nowhere\.json: cannot be read: no such file or directory\n$/,
    ],
    ['no command', [], /Usage: decant catalog/],
  ];
  for (const [name, args, message] of cases) {
    test(name, async () => {
      const { code, stdout, stderr } = await decant(['catalog', ...args]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, message);
    });
  }
});

test('help has examples', async () => {
  for (const command of ['list', 'show', 'import', 'diff']) {
    assert.match(await run(command, '--help'), new RegExp(`Examples:\n {2}decant catalog ${command} `));
  }
});
