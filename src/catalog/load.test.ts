import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { InputError } from '../config/input-error.ts';
import { type Catalog, loadCatalog } from './load.ts';

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decant-catalog-'));
});
after(() => rm(folder, { recursive: true }));

async function file(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const ENTRY = {
  name: 'm5.large',
  architecture: 'amd64',
  operatingSystems: ['linux'],
  resources: { cpu: '2', memory: '8Gi' },
  offerings: [{ price: 0.1, zone: 'z', capacityType: 'spot' }],
};

const SOLD_IN_US_EAST_1 = 1345;

function launchable({ types }: Catalog): number {
  return types.filter((type) => type.offerings.some((o) => o.available)).length;
}

test('the bundled catalog, by name and by default', async () => {
  assert.equal(launchable(await loadCatalog({ name: 'aws/us-east-1' })), SOLD_IN_US_EAST_1);
  assert.equal(launchable(await loadCatalog({})), SOLD_IN_US_EAST_1);
});

test('a bare list, a Catalog, a snapshot and YAML all hold entries', async () => {
  const documents = [
    await file('bare.json', JSON.stringify([ENTRY])),
    await file(
      'kind.json',
      JSON.stringify({ apiVersion: 'decant.sh/v1alpha1', kind: 'Catalog', instanceTypes: [ENTRY] }),
    ),
    await file('snapshot.json', JSON.stringify({ now: '2026-08-20T12:00:00Z', instanceTypes: [ENTRY], objects: [] })),
    await file('flow.yaml', JSON.stringify([ENTRY])),
    await file(
      'block.yml',
      'kind: Catalog\ninstanceTypes:\n- name: m5.large\n  architecture: amd64\n  operatingSystems: [linux]\n  resources: {cpu: 2, memory: 8Gi}\n  offerings:\n  - {price: 0.1, zone: z, capacityType: spot}\n',
    ),
  ];
  const { types } = await loadCatalog({ entries: { source: 's', entries: [ENTRY] } });
  for (const name of documents)
    assert.deepEqual(await loadCatalog({ name }), { types, origin: { name: `catalog ${name}` } });
});

test('a named catalog goes before the entries of a snapshot', async () => {
  const found = await loadCatalog({ name: 'aws/us-east-1', entries: { source: 's', entries: [ENTRY] } });
  assert.equal(launchable(found), SOLD_IN_US_EAST_1);
});

test('overlay and unavailable offerings change the catalog, and warn of what does nothing', async () => {
  const warnings: string[] = [];
  const overlay = await file(
    'overlay.yaml',
    'kind: CatalogOverlay\noverlays:\n- {capacityType: spot, price: "+100%"}\n- {capacityType: reserved, price: "0"}\n',
  );
  const unavailable = await file('unavailable.yaml', '- m5.large/z/spot\n- c5.large\n');
  const { types, origin } = await loadCatalog({
    entries: { source: 's', entries: [ENTRY] },
    overlay,
    unavailable,
    warn: (w) => warnings.push(w),
  });
  assert.deepEqual(
    types[0].offerings.map((o) => [o.price, o.available, o.priceSource]),
    [[0.2, false, 'overlay']],
  );
  assert.equal(origin.name, `snapshot + overlay ${overlay}`);
  assert.deepEqual(warnings, [
    `${overlay}: overlays[1]: matches no offering of the catalog`,
    `${unavailable}: offerings[1] (c5.large): matches no offering of the catalog`,
  ]);
});

const BAD: readonly (readonly [string, string, RegExp])[] = [
  ['empty.json', '', /empty\.json: the file is empty/],
  ['truncated.json', '[{"name": "m5', /truncated\.json: not JSON/],
  ['bad.yaml', 'a: b\n  c: d', /bad\.yaml: line 2, column 4: not YAML: bad indentation of a mapping entry$/],
  ['none.json', '[]', /none\.json: has no instance types/],
  ['kind.json', '{"kind": "Plan", "instanceTypes": []}', /kind\.json: kind: "Plan": allowed: Catalog/],
  [
    'version.json',
    '{"apiVersion": "decant.sh/v9", "instanceTypes": []}',
    /apiVersion: "decant\.sh\/v9": allowed: decant\.sh\/v1alpha1/,
  ],
  ['field.json', '{"kind": "Catalog", "instancetypes": []}', /unknown field: "instancetypes": allowed: one of/],
  ['other.json', '{"items": []}', /other\.json: instanceTypes: not set: allowed: a list/],
  [
    'dear.json',
    JSON.stringify([{ ...ENTRY, offerings: [{ ...ENTRY.offerings[0], price: 1e308 }] }]),
    /offerings\[0\]\.price: 1e\+308: allowed: at most 1000000 dollars per hour/,
  ],
  ['text.yaml', 'm5.large', /text\.yaml: "m5\.large": allowed: an object/],
];

for (const [name, content, message] of BAD) {
  test(`refused: ${message.source}`, async () => {
    const path = await file(name, content);
    await assert.rejects(
      loadCatalog({ name: path }),
      (error) => error instanceof InputError && message.test(error.message),
    );
  });
}

test('a region that is not bundled is said not to be', async () => {
  await assert.rejects(
    loadCatalog({ name: 'aws/eu-west-9' }),
    /catalog aws\/eu-west-9: no such file, and not one of the bundled 34 regions of aws; did you mean aws\/eu-west-1\?$/,
  );
  await assert.rejects(loadCatalog({ name: join(folder, 'absent.json') }), /absent\.json: cannot be read/);
});
