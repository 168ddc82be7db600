import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InstanceType } from '../engine/cluster/objects.ts';
import { bundledCatalog } from './bundled-catalog.ts';
import { valuesOf } from './requirements.ts';

const catalog = bundledCatalog({ cloud: 'aws', region: 'us-east-1' });
const { types } = catalog;

function named(name: string): InstanceType {
  const type = types.find((t) => t.name === name);
  assert.ok(type, name);
  return type;
}

function price(name: string, capacityType: string): number | undefined {
  return named(name).offerings.find((o) =>
    valuesOf(o.requirements, 'karpenter.sh/capacity-type').includes(capacityType),
  )?.price;
}

test('1,345 types that are sold in five zones, and older ones that only have a price', () => {
  assert.equal(new Set(types.map((t) => t.name)).size, types.length);
  const sold = types.filter((t) => t.offerings.some((o) => o.available));
  assert.equal(sold.length, 1345);
  for (const type of sold)
    assert.ok(
      [5, 10].includes(new Set(type.offerings.map((o) => JSON.stringify(o.requirements))).size),
      `${type.name}: on demand in every zone, and as spot in every zone or in none`,
    );
  assert.equal(sold.filter((t) => t.offerings.length === 10).length, 1332);
  assert.ok(named('p3.2xlarge').offerings.every((o) => !o.available && o.price > 0));
  assert.equal(catalog.onDemandAsOf, '2026-07-20');
  assert.equal(catalog.spotAsOf, '2026-08-22');
});

test('prices of us-east-1', () => {
  assert.equal(price('m6a.large', 'on-demand'), 0.0864);
  assert.equal(price('c5a.xlarge', 'on-demand'), 0.154);
  assert.equal(price('m6a.large', 'spot'), 0.0415);
  for (const type of types) for (const offering of type.offerings) assert.ok(offering.price > 0, type.name);
});

test('m6a.large in full', () => {
  const type = named('m6a.large');
  assert.deepEqual(type.allocatable, {
    cpu: 1930,
    memory: 6903 * 2 ** 20,
    pods: 29,
    'ephemeral-storage': 17 * 2 ** 30,
    'vpc.amazonaws.com/pod-eni': 9,
  });
  assert.deepEqual(type.capacity, {
    cpu: 2000,
    memory: 7577 * 2 ** 20,
    pods: 29,
    'ephemeral-storage': 20 * 2 ** 30,
    'vpc.amazonaws.com/pod-eni': 9,
  });
  const labels = {
    'node.kubernetes.io/instance-type': 'm6a.large',
    'kubernetes.io/arch': 'amd64',
    'karpenter.k8s.aws/instance-family': 'm6a',
    'karpenter.k8s.aws/instance-cpu': '2',
    'topology.kubernetes.io/region': 'us-east-1',
  };
  for (const [key, value] of Object.entries(labels)) assert.deepEqual(valuesOf(type.requirements, key), [value], key);
});

// A pod that asks for a local disk must not be placed on a type that the table merely says nothing of.
test('a label that a type lacks is known to be absent', () => {
  const operators = (name: string, key: string) =>
    named(name)
      .requirements.filter((r) => r.key === key)
      .map((r) => r.operator);
  assert.deepEqual(operators('m6a.large', 'karpenter.k8s.aws/instance-local-nvme'), ['DoesNotExist']);
  assert.deepEqual(operators('m5d.12xlarge', 'karpenter.k8s.aws/instance-local-nvme'), ['In']);
  for (const type of types) assert.equal(new Set(type.requirements.map((r) => r.key)).size, 28, type.name);
});

test('the derived capacity explains the allocatable of the table to the byte', () => {
  for (const { name, capacity, allocatable } of types) {
    const kubeletMemory = (255 + 11 * (allocatable.pods ?? 0) + 100) * 2 ** 20;
    assert.equal((capacity.memory ?? 0) - kubeletMemory, allocatable.memory, name);
    assert.ok((capacity.cpu ?? 0) > (allocatable.cpu ?? 0), name);
  }
});

test('GPUs are there', () => {
  assert.equal(named('g4dn.xlarge').allocatable['nvidia.com/gpu'], 1);
  assert.equal(named('p4d.24xlarge').capacity['nvidia.com/gpu'], 8);
});
