import fc from 'fast-check';
import type { InstanceType, Offering } from '../../../src/engine/cluster/objects.ts';
import { ON_DEMAND, SPOT } from '../../../src/engine/cluster/well-known.ts';
import { instanceType, offering, reservedOffering, ZONES } from '../instance-type.ts';
import { GIB } from '../units.ts';
import { GENERATION, GPU, rarely, TYPE_NAMES } from './vocabulary.ts';

const cents = fc.integer({ min: 1, max: 20 });

const offerings: fc.Arbitrary<Offering[]> = fc
  .array(
    fc.record({
      zone: fc.constantFrom(...ZONES),
      spot: fc.boolean(),
      price: cents,
      sold: rarely(5, fc.constant(true)),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) =>
    list.map(({ zone, spot, price, sold }) =>
      offering(zone, spot ? SPOT : ON_DEMAND, price / 100, { available: sold !== true }),
    ),
  );

const withReservation: fc.Arbitrary<Offering[]> = fc
  .tuple(offerings, rarely(10, fc.record({ zone: fc.constantFrom(...ZONES), slots: fc.integer({ min: 0, max: 2 }) })))
  .map(([list, reserved]) =>
    reserved === undefined ? list : [...list, reservedOffering(reserved.zone, 'reservation-1', reserved.slots)],
  );

const sketch = fc.record({
  cpu: fc.constantFrom(1000, 2000, 4000, 8000),
  memory: fc.constantFrom(2 * GIB, 4 * GIB, 8 * GIB, 16 * GIB),
  pods: fc.constantFrom(3, 5, 10),
  gpus: fc.constantFrom(0, 0, 1, 2),
  arch: fc.constantFrom('amd64', 'amd64', 'arm64'),
  generation: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  offerings: withReservation,
});

export const catalog: fc.Arbitrary<InstanceType[]> = fc
  .array(sketch, { minLength: 1, maxLength: TYPE_NAMES.length })
  .map((list) =>
    list.map(({ gpus, generation, ...rest }, i) =>
      instanceType(TYPE_NAMES[i], {
        ...rest,
        extra: gpus === 0 ? {} : { [GPU]: gpus },
        labels: generation === undefined ? {} : { [GENERATION]: String(generation) },
        without: generation === undefined ? [GENERATION] : [],
      }),
    ),
  );
