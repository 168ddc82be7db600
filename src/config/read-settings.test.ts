import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Compat } from './compat.ts';
import {
  type ControllerSettings,
  DEFAULT_CONTROLLER_SETTINGS,
  STOCK_CONTROLLER_SETTINGS,
} from './controller-settings.ts';
import { readSettings } from './read-settings.ts';
import { SETTING_FLAGS } from './setting-flags.ts';

interface Given {
  readonly flags?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly compat?: Compat;
}

function read({ flags = {}, env = {}, compat }: Given) {
  return readSettings({ flags: new Map(Object.entries(flags)), env, compat });
}

function settings(given: Given): ControllerSettings {
  const reading = read(given);
  assert.ok('settings' in reading, JSON.stringify(reading));
  return reading.settings;
}

test('defaults, and stock', () => {
  assert.deepEqual(settings({}), DEFAULT_CONTROLLER_SETTINGS);
  assert.deepEqual(settings({ compat: 'karpenter' }), STOCK_CONTROLLER_SETTINGS);
  const { utilizationThreshold, nodeBaseCost, minNodeLifetimeMs, spotToSpotTypes, maxReplacements } = settings({});
  assert.deepEqual(
    [utilizationThreshold, nodeBaseCost, minNodeLifetimeMs, spotToSpotTypes, maxReplacements],
    [0.75, 1, 300_000, 15, 1],
  );
  const stock = settings({ compat: 'karpenter' });
  assert.deepEqual([stock.utilizationThreshold, stock.minNodeLifetimeMs, stock.stabilizationWindowMs], [1, 0, 0]);
  assert.deepEqual([stock.ownerlessPodsBlock, stock.honorDoNotEvict, stock.shieldDestinations], [false, false, true]);
});

test('flags go before compat, compat before the environment, that before the default', () => {
  const env = { SCALE_DOWN_UTILIZATION_THRESHOLD: '0.5' };
  const flags = { 'scaledown-utilization-threshold': '0.25' };
  assert.equal(settings({ env }).utilizationThreshold, 0.5);
  assert.equal(settings({ env, flags }).utilizationThreshold, 0.25);
  assert.equal(settings({ env, compat: 'karpenter' }).utilizationThreshold, 1);
  assert.equal(settings({ env, flags, compat: 'karpenter' }).utilizationThreshold, 0.25);
  assert.equal(settings({ env: { SCALE_DOWN_UTILIZATION_THRESHOLD: '' } }).utilizationThreshold, 0.75);
});

test('the utilization threshold is a ratio: its ends are allowed, a hair beyond them is not', () => {
  const flags = (text: string) => ({ flags: { 'scaledown-utilization-threshold': text } });
  for (const text of ['0', '0.0', '0.75', '1', '1.0'])
    assert.equal(settings(flags(text)).utilizationThreshold, Number(text));
  for (const text of ['-0.1', '1.01', '75%', 'NaN', '0,5']) assert.ok('problems' in read(flags(text)), text);
});

test('what no document turns on is off unless asked for', () => {
  const { nodeSurchargeCents, destinationLifetime, spotToSpotShrink, maxWorkloadEvictions } = settings({});
  assert.deepEqual(
    [nodeSurchargeCents, destinationLifetime, spotToSpotShrink, maxWorkloadEvictions],
    [0, false, false, 0],
  );
  const asked = settings({
    flags: {
      'node-surcharge': '2.5',
      'destination-lifetime': 'true',
      'spot-interruption-rate': '0.2',
      'spot-to-spot-shrink': 'true',
    },
  });
  assert.equal(asked.nodeSurchargeCents, 2.5);
  assert.deepEqual(
    [asked.destinationLifetime, asked.spotInterruptionsPerHour, asked.spotToSpotShrink],
    [true, 0.2, true],
  );
});

test('a minimum lifetime that is asked for applies to all pools', () => {
  const { minNodeLifetimeMs, minNodeLifetimeForAll } = settings({ flags: { 'min-node-lifetime': '1h30m' } });
  assert.deepEqual([minNodeLifetimeMs, minNodeLifetimeForAll], [5_400_000, true]);
  assert.equal(settings({}).minNodeLifetimeForAll, false);
});

describe('each switch', () => {
  for (const each of SETTING_FLAGS) {
    test(each.flag, () => {
      // What help and documents show as the default is allowed, and is the default.
      for (const values of [DEFAULT_CONTROLLER_SETTINGS, STOCK_CONTROLLER_SETTINGS]) {
        const { minNodeLifetimeForAll: _, ...change } = each.read(each.show(values)) ?? {};
        assert.equal(Object.keys(change).length, 1);
        assert.deepEqual({ ...values, ...change }, values);
      }
      for (const bad of ['', 'x', '-1', 'NaN', '9'.repeat(400), '1e400', 'Never']) {
        const expected = { object: 'command line', field: `--${each.flag}`, value: bad, allowed: each.allowed };
        assert.deepEqual(read({ flags: { [each.flag]: bad } }), { problems: [expected] });
      }
    });
  }
});

const RATIO = 'a number from 0 to 1';
const bad: readonly [Given, string, string, string, string][] = [
  [
    { flags: { 'scaledown-utilization-threshold': '1.5' } },
    'command line',
    '--scaledown-utilization-threshold',
    '1.5',
    RATIO,
  ],
  [
    { env: { SCALE_DOWN_UTILIZATION_THRESHOLD: '1.5' } },
    'environment',
    'SCALE_DOWN_UTILIZATION_THRESHOLD',
    '1.5',
    RATIO,
  ],
  // Given wrong, even though something else goes before it.
  [
    { env: { SCALE_DOWN_UTILIZATION_THRESHOLD: '75%' }, compat: 'karpenter' },
    'environment',
    'SCALE_DOWN_UTILIZATION_THRESHOLD',
    '75%',
    RATIO,
  ],
  [{ flags: { 'max-replacements': '0' } }, 'command line', '--max-replacements', '0', 'a whole number of at least 1'],
  [
    { env: { DECANT_POOL_COOLDOWN: '5' } },
    'environment',
    'DECANT_POOL_COOLDOWN',
    '5',
    'a duration in h, m and s such as 30s or 1h30m; 0s is none',
  ],
];

describe('refused', () => {
  for (const [given, object, field, value, allowed] of bad) {
    test(`${field} ${value}`, () => assert.deepEqual(read(given), { problems: [{ object, field, value, allowed }] }));
  }

  test('all of them, not only the first', () => {
    const reading = read({
      flags: { 'node-base-cost': '-1', 'pool-cooldown': 'x' },
      env: { DECANT_NODE_BASE_COST: 'x' },
    });
    assert.equal('problems' in reading && reading.problems.length, 3);
  });
});
