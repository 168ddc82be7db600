import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cluster, compiled, rowOf } from '../../../test/build/cluster.ts';
import { type Machine, machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { rules } from '../../../test/build/policy.ts';
import { HOUR_MS, NOW_MS } from '../../../test/build/units.ts';
import { ON_DEMAND, SPOT } from '../cluster/well-known.ts';
import { assess } from '../gates/assessment.ts';
import { DEFAULT_SETTINGS } from '../settings.ts';
import { type Destination, destinationFactor } from './destination-lifetime.ts';

const ON = { ...DEFAULT_SETTINGS, destinationLifetime: true };

interface Case {
  readonly old?: Machine;
  readonly kept?: Machine;
  /** Of the pool that launches. */
  readonly expireAfterMs?: number;
  readonly to?: string | 'kept';
  readonly settings?: typeof ON;
}

function expiringIn(name: string, hours: number): Machine {
  const { node, claim } = machine(name);
  return { node, claim: claim && { ...claim, createdMs: NOW_MS - HOUR_MS, expireAfterMs: (hours + 1) * HOUR_MS } };
}

function factor({ old = machine('old'), kept = machine('kept'), expireAfterMs, to = ON_DEMAND, settings = ON }: Case) {
  const c = compiled(cluster({ machines: [old, kept], nodePools: [nodePool('default', { expireAfterMs })] }));
  const assessed = assess(c, rowOf(c, 'old'), rules());
  assert.ok('candidate' in assessed);
  const destination: Destination = to === 'kept' ? { row: rowOf(c, 'kept') } : { template: 0, capacityType: to };
  return destinationFactor(c, settings, [assessed.candidate], [destination]);
}

/** Of a day, with 0.05 interruptions per hour: (1 − e^(−1.2)) / 1.2. */
const SPOT_DAY = 0.5823382;
const spotNode = machine('old', { capacityType: SPOT });

const cases: readonly (readonly [law: string, given: Case, expected: number])[] = [
  ['off by default', { to: SPOT, settings: DEFAULT_SETTINGS as typeof ON }, 1],
  ['on demand for on demand loses nothing', {}, 1],
  ['on demand for spot: 0.05 interruptions an hour leave 58 % of a day', { to: SPOT }, SPOT_DAY],
  ['spot that is never interrupted loses nothing', { to: SPOT, settings: { ...ON, spotInterruptionsPerHour: 0 } }, 1],
  ['spot for spot loses nothing', { old: spotNode, to: SPOT }, 1],
  ['spot for on demand gains nothing', { old: spotNode }, 1],
  ['a pool whose nodes live 6 h: a quarter', { expireAfterMs: 6 * HOUR_MS }, 0.25],
  ['a pool whose nodes live a month: all', { expireAfterMs: 720 * HOUR_MS }, 1],
  ['6 h for a node that has 12 h left: half', { old: expiringIn('old', 12), expireAfterMs: 6 * HOUR_MS }, 0.5],
  ['6 h for a node that has 5 min left: all', { old: expiringIn('old', 1 / 12), expireAfterMs: 6 * HOUR_MS }, 1],
  ['pods that move to a node with 3 h left: an eighth', { kept: expiringIn('kept', 3), to: 'kept' }, 0.125],
  ['pods that move to a node past its end: next to nothing', { kept: expiringIn('kept', -0.5), to: 'kept' }, 0.01],
];
for (const [law, given, expected] of cases) {
  test(law, () => assert.ok(Math.abs(factor(given) - expected) < 1e-6, String(factor(given))));
}

test('nowhere to go: nothing is lost', () => {
  const c = compiled(cluster({ machines: [machine('old')] }));
  assert.equal(destinationFactor(c, ON, [], []), 1);
});

test('above 0 and at most 1, and less the more interruptions', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0, max: 100, noNaN: true }),
      fc.double({ min: 0, max: 100, noNaN: true }),
      (low, more) => {
        const at = (spotInterruptionsPerHour: number) =>
          factor({ to: SPOT, settings: { ...ON, spotInterruptionsPerHour } });
        assert.ok(at(low) <= 1 && at(low + more) > 0 && at(low + more) <= at(low) + 1e-9);
      },
    ),
  );
});
