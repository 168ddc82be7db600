import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster, compiled } from '../../../test/build/cluster.ts';
import { instanceType, offering } from '../../../test/build/instance-type.ts';
import { machine } from '../../../test/build/machine.ts';
import { bitset, copyInto, fullBitset, removeBit } from '../cluster/bitset.ts';
import { ON_DEMAND, SPOT } from '../cluster/well-known.ts';
import { RequirementSpace } from '../selection/requirement-space.ts';

const { unrestricted } = RequirementSpace;
const type = (name: string, onDemand: number, spot: number) =>
  instanceType(name, { offerings: [offering('zone-a', ON_DEMAND, onDemand), offering('zone-a', SPOT, spot)] });
const { types } = compiled(
  cluster({
    machines: [machine('a')],
    instanceTypes: [type('cheap', 0.1, 0.05), type('dear', 0.3, 0.2), type('middling', 0.2, 0.1)],
  }),
);
const named = (list: readonly number[]) => list.map((t) => types.list[t].name);

test('types of a launch come cheapest first, whichever set was asked for before', () => {
  const set = fullBitset(3);
  assert.deepEqual(named(types.launchLists.of(unrestricted, set).types), ['cheap', 'middling', 'dear']);
  // Simulations write over the sets that they ask with.
  removeBit(set, 0);
  const { types: left, least } = types.launchLists.of(unrestricted, set);
  assert.deepEqual([named(left), least], [['middling', 'dear'], 0.1]);
  copyInto(set, fullBitset(3));
  assert.deepEqual(named(types.launchLists.of(unrestricted, set).types), ['cheap', 'middling', 'dear']);
  assert.deepEqual(types.launchLists.of(unrestricted, bitset(3)).types, []);
});

test('types below a price: the price itself is not below', () => {
  const below = (price: number) => types.launchLists.cheaperThan(unrestricted, price)[0];
  assert.deepEqual([below(0.05), below(0.1), below(0.2), below(0.21)], [0, 0b001, 0b101, 0b111]);
});
