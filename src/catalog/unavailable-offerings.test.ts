import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundledCatalog } from './bundled-catalog.ts';
import { CatalogError } from './catalog-error.ts';
import { applyUnavailable, decodeUnavailable } from './unavailable-offerings.ts';

const aws = bundledCatalog({ cloud: 'aws', region: 'us-east-1' }).types.filter((t) => t.offerings[0].available);

/** "type/zone/capacity-type" of everything that the entries make unavailable. */
function gone(...entries: readonly unknown[]): string[] {
  const { types } = applyUnavailable(aws, decodeUnavailable('u.yaml', entries));
  return types.flatMap((type) =>
    type.offerings
      .filter((o) => !o.available)
      .map((o) =>
        [
          type.name,
          ...['topology.kubernetes.io/zone', 'karpenter.sh/capacity-type'].map(
            (key) => o.requirements.find((r) => r.key === key)?.values?.[0],
          ),
        ].join('/'),
      ),
  );
}

test('one offering, in either way of writing', () => {
  assert.deepEqual(gone('m5.large/us-east-1a/spot'), ['m5.large/us-east-1a/spot']);
  assert.deepEqual(gone({ instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'spot' }), [
    'm5.large/us-east-1a/spot',
  ]);
});

test('what is left out, or written as *, is any', () => {
  assert.equal(gone('m5.large').length, 10);
  assert.equal(gone({ instanceType: 'm5.large', capacityType: 'spot' }).length, 5);
  assert.deepEqual(gone('m5.large/*/spot'), gone({ instanceType: 'm5.large', capacityType: 'spot' }));
  assert.equal(gone('*/us-east-1f').length, 1345 + 1332);
  assert.ok(
    gone('m5.*/us-east-1a/spot').every((o) => o.startsWith('m5.')),
    'a dot is a dot: m5a is not m5.*',
  );
});

test('a zone in which nothing is left of a type is no domain of it any more', () => {
  const zonesOf = (...entries: readonly unknown[]) => {
    const { types } = applyUnavailable(aws, decodeUnavailable('u.yaml', entries));
    const { requirements = [] } = types.find((t) => t.name === 'm5.large') ?? {};
    return requirements.find((r) => r.key === 'topology.kubernetes.io/zone');
  };
  const letters = (...all: readonly string[]) => all.map((letter) => `us-east-1${letter}`);
  assert.deepEqual(zonesOf('m5.large/us-east-1f/spot')?.values, letters('a', 'b', 'c', 'd', 'f'));
  assert.deepEqual(zonesOf('*/us-east-1f')?.values, letters('a', 'b', 'c', 'd'));
  assert.equal(zonesOf('m5.*')?.operator, 'DoesNotExist');
});

test('entries that name nothing are reported', () => {
  const rules = decodeUnavailable('u.yaml', ['m5.large', 'm5.huge', { instanceType: 'm5.large', zone: 'us-east-1e' }]);
  assert.deepEqual(
    applyUnavailable(aws, rules).unmatched.map((r) => r.where),
    ['u.yaml: offerings[1] (m5.huge)', 'u.yaml: offerings[2]'],
  );
});

for (const [entry, message] of [
  ['a/b/c/d', 'u.yaml: offerings[0]: "a/b/c/d": allowed: type, type/zone or type/zone/capacity-type'],
  ['a//spot', 'allowed: type, type/zone'],
  [{ zone: 'us-east-1a' }, 'offerings[0].instanceType: not set: allowed: a string'],
  [{ instanceType: 'm5.large', az: 'a' }, 'unknown field: "az": allowed: one of instanceType, zone, capacityType'],
  [3, 'offerings[0]: 3: allowed: an object'],
] as const) {
  test(`refused: ${message}`, () => {
    assert.throws(
      () => decodeUnavailable('u.yaml', [entry]),
      (error) => error instanceof CatalogError && error.message.includes(message),
    );
  });
}
