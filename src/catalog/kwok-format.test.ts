import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstanceType, NodeSelectorRequirement } from '../engine/cluster/objects.ts';
import { CatalogError } from './catalog-error.ts';
import { decodeInstanceTypes } from './kwok-format.ts';

function decodeOne(entry: unknown): InstanceType {
  const [type] = decodeInstanceTypes('types.json', [entry]);
  assert.ok(type);
  return type;
}

function text(requirements: readonly NodeSelectorRequirement[]): string[] {
  return requirements.map((r) => `${r.key} ${r.operator} ${(r.values ?? []).join(',')}`.trim()).sort();
}

const ON_DEMAND = { price: 1, zone: 'z1', capacityType: 'on-demand' };
const SMALL = {
  name: 'm5.large',
  architecture: 'amd64',
  operatingSystems: ['linux'],
  resources: { cpu: '2', memory: '8Gi' },
  offerings: [ON_DEMAND],
};

// What is expected here is what Karpenter 1.14.1 holds of the same entries.

test('an entry of instance_types.json', () => {
  const type = decodeOne({
    ...SMALL,
    resources: { cpu: '2', memory: '8Gi', pods: '29' },
    offerings: [
      {
        Price: 0.096,
        Available: true,
        Requirements: [
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
          { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1a'] },
        ],
      },
      {
        Price: 0.028371,
        Available: false,
        Requirements: [
          { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
          { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['us-east-1b'] },
        ],
      },
    ],
  });
  assert.deepEqual(type.capacity, { cpu: 2000, memory: 8589934592, pods: 29 });
  assert.deepEqual(type.allocatable, { cpu: 1900, memory: 8579448832, pods: 29 });
  assert.deepEqual(text(type.requirements), [
    'karpenter.kwok.sh/instance-cpu In 2',
    'karpenter.kwok.sh/instance-family In m5',
    'karpenter.kwok.sh/instance-memory In 8Gi',
    'karpenter.kwok.sh/instance-size In large',
    'karpenter.sh/capacity-type In on-demand,spot',
    'kubernetes.io/arch In amd64',
    'kubernetes.io/os In linux',
    'node.kubernetes.io/instance-type In m5.large',
    'topology.kubernetes.io/zone In us-east-1a,us-east-1b',
  ]);
  assert.deepEqual(
    type.offerings.map((o) => [o.price, o.available, text(o.requirements).join('; ')]),
    [
      [0.096, true, 'karpenter.sh/capacity-type In on-demand; topology.kubernetes.io/zone In us-east-1a'],
      [0.028371, false, 'karpenter.sh/capacity-type In spot; topology.kubernetes.io/zone In us-east-1b'],
    ],
  );
});

test('given allocatable counts where capacity has the resource; huge pages are taken from memory', () => {
  const type = decodeOne({
    ...SMALL,
    name: 'c-4x-arm64-linux',
    resources: { cpu: '3500m', memory: '2688Mi', 'hugepages-2Mi': '512Mi', 'example.com/fpga': '1' },
    allocatable: { cpu: '3400m', memory: '2Gi', 'example.com/other': '5' },
  });
  assert.deepEqual(type.allocatable, {
    pods: 110,
    cpu: 3400,
    memory: 1610612736,
    'hugepages-2Mi': 536870912,
    'example.com/fpga': 1,
  });
  const labels = text(type.requirements);
  assert.ok(labels.includes('karpenter.kwok.sh/instance-size In 3500m'));
  assert.ok(labels.includes('karpenter.kwok.sh/instance-family In c'));
  assert.ok(labels.includes('karpenter.kwok.sh/instance-memory In 2688Mi'));
});

test('huge pages beyond memory leave 0, and KWOK may withhold more cpu than there is', () => {
  const { allocatable } = decodeOne({ ...SMALL, resources: { cpu: '50m', memory: '1.5Gi', 'hugepages-1Gi': '4Gi' } });
  assert.deepEqual(allocatable, { pods: 110, cpu: -50, memory: 0, 'hugepages-1Gi': 4294967296 });
});

test('requirements on one key intersect, on the type and on an offering', () => {
  const type = decodeOne({
    ...SMALL,
    name: 'plain',
    requirements: [
      { key: 'team', operator: 'In', values: ['a', 'b'] },
      { key: 'team', operator: 'NotIn', values: ['b'] },
      { key: 'kubernetes.io/os', operator: 'In', values: ['linux', 'darwin'] },
      { key: 'beta.kubernetes.io/arch', operator: 'Exists' },
      { key: 'gen', operator: 'Gt', values: ['3'] },
      { key: 'gen', operator: 'Lt', values: ['9'] },
    ],
    offerings: [
      {
        ...ON_DEMAND,
        zone: 'z2',
        Requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1', 'z2'] }],
      },
    ],
  });
  assert.deepEqual(
    text(type.requirements).filter((r) => !r.includes('kwok')),
    [
      'gen Gte 4',
      'gen Lte 8',
      'karpenter.sh/capacity-type In on-demand',
      'kubernetes.io/arch In amd64',
      'kubernetes.io/os In linux',
      'node.kubernetes.io/instance-type In plain',
      'team In a',
      'topology.kubernetes.io/zone In z2',
    ],
  );
  assert.ok(text(type.requirements).includes('karpenter.kwok.sh/instance-family In p'));
});

test('no offerings, no zone: the labels are known not to be there', () => {
  const type = decodeOne({
    name: 'n2-standard-4.x',
    architecture: 'amd64',
    operatingSystems: [],
    resources: {},
    offerings: [],
  });
  const labels = text(type.requirements);
  for (const key of ['karpenter.sh/capacity-type', 'kubernetes.io/os', 'topology.kubernetes.io/zone'])
    assert.ok(labels.includes(`${key} DoesNotExist`));
  assert.ok(labels.includes('karpenter.kwok.sh/instance-size In standard-4.x'));
  assert.ok(labels.includes('karpenter.kwok.sh/instance-cpu In 0'));
});

test('fields are found in any case, and availability is assumed', () => {
  const type = decodeOne({
    ...SMALL,
    offerings: [{ PRICE: 0, Zone: 'z1', CapacityType: 'reserved', ReservationCapacity: 3 }],
  });
  assert.deepEqual(type.offerings[0], {
    price: 0,
    available: true,
    reservationCapacity: 3,
    requirements: [
      { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1'] },
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['reserved'] },
    ],
  });
});

test('equal offerings share their requirements', () => {
  const [a, b] = decodeInstanceTypes('types.json', [SMALL, { ...SMALL, name: 'm5.xlarge' }]);
  assert.equal(a?.offerings[0]?.requirements, b?.offerings[0]?.requirements);
});

const BAD: readonly (readonly [unknown, string])[] = [
  [
    { ...SMALL, offerings: [{ ...ON_DEMAND, price: -0.1 }] },
    'types.json: instanceTypes[0] (m5.large).offerings[0].price: -0.1: allowed: a number of dollars per hour, 0 or more',
  ],
  [{ ...SMALL, offerings: [{ ...ON_DEMAND, price: Number.NaN }] }, 'offerings[0].price: NaN: allowed: a number'],
  [{ ...SMALL, offerings: [{ ...ON_DEMAND, price: '0.10' }] }, 'offerings[0].price: "0.10": allowed: a number'],
  [{ ...SMALL, offerings: [{ zone: 'z1', capacityType: 'spot' }] }, 'offerings[0].price: not set: allowed: a number'],
  [{ ...SMALL, offerings: [{ price: 1, capacityType: 'spot' }] }, 'offerings[0].zone: not set: allowed: a zone'],
  [{ ...SMALL, offerings: [{ price: 1, zone: 'z1' }] }, 'offerings[0].capacityType: not set: allowed: a capacity type'],
  [
    { ...SMALL, offerings: [{ ...ON_DEMAND, available: 'yes' }] },
    'offerings[0].available: "yes": allowed: true or false',
  ],
  [{ ...SMALL, offerings: [7] }, 'offerings[0]: 7: allowed: an object'],
  [{ ...SMALL, resources: { memory: '1.5.Gi' } }, 'resources.memory: "1.5.Gi": allowed: a quantity'],
  [{ ...SMALL, resources: { cpu: '-1' } }, 'resources.cpu: "-1": allowed: a quantity'],
  [{ ...SMALL, resources: { cpu: '1e999' } }, 'resources.cpu: "1e999": allowed: a quantity'],
  [
    { ...SMALL, resources: JSON.parse('{"__proto__": "1"}') },
    'resources: "__proto__": allowed: the name of a resource',
  ],
  [{ ...SMALL, requirements: [{ key: 'a', operator: 'Is' }] }, 'requirements[0].operator: "Is": allowed: In, NotIn,'],
  [
    { ...SMALL, requirements: [{ key: 'a', operator: 'Gt', values: ['x'] }] },
    'requirements[0].values: "x": allowed: one integer, for Gt',
  ],
  [{ ...SMALL, name: '' }, 'instanceTypes[0].name: "": allowed: a name'],
  [null, 'instanceTypes[0]: null: allowed: an object'],
];

for (const [entry, message] of BAD) {
  test(`refused: ${message}`, () => {
    assert.throws(
      () => decodeInstanceTypes('types.json', [entry]),
      (error) => error instanceof CatalogError && error.message.includes(message),
    );
  });
}

test('two entries of one name are refused', () => {
  assert.throws(
    () => decodeInstanceTypes('types.json', [SMALL, SMALL]),
    /types\.json: instanceTypes\[1\]\.name: "m5\.large": allowed: a name that no other entry has/,
  );
});

test('requirements nested deeper than the stack are refused, not crashed on', () => {
  const deep = JSON.parse('['.repeat(1e6) + ']'.repeat(1e6));
  assert.throws(
    () => decodeInstanceTypes('t', [{ ...SMALL, offerings: [{ ...ON_DEMAND, Requirements: deep }] }]),
    CatalogError,
  );
});
