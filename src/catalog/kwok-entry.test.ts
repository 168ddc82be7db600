import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { InstanceType } from '../engine/cluster/objects.ts';
import { bundledCatalog } from './bundled-catalog.ts';
import { writeInstanceType } from './kwok-entry.ts';
import { decodeInstanceTypes } from './kwok-format.ts';

/** Requirements by key: their order means nothing. */
function sorted(types: readonly InstanceType[]): unknown {
  const byKey = (a: { readonly key: string }, b: { readonly key: string }) => (a.key < b.key ? -1 : 1);
  return types.map((type) => ({
    ...type,
    requirements: [...type.requirements].sort(byKey),
    offerings: type.offerings.map((o) => ({ ...o, requirements: [...o.requirements].sort(byKey) })),
  }));
}

const ODD = [
  { name: 'plain', architecture: 'amd64', operatingSystems: ['linux'], resources: { cpu: '2', memory: '8G' } },
  // KWOK withholds more cpu than there is.
  { name: 'tiny-1', architecture: 'arm64', resources: { cpu: '50m', memory: '1.5Gi', 'hugepages-1Gi': '4Gi' } },
  {
    name: 'huge.pages',
    architecture: 'amd64',
    resources: { cpu: '3500m', memory: '2688Mi', 'hugepages-2Mi': '512Mi', 'example.com/fpga': '1' },
    allocatable: { cpu: '3400m', memory: '2Gi' },
  },
  {
    name: 'labelled',
    architecture: 'amd64',
    resources: {},
    requirements: [
      { key: 'gen', operator: 'Gt', values: ['3'] },
      { key: 'gen', operator: 'Lt', values: ['9'] },
      { key: 'kubernetes.io/arch', operator: 'NotIn', values: ['amd64'] },
      { key: 'karpenter.kwok.sh/instance-cpu', operator: 'DoesNotExist' },
      { key: 'none', operator: 'In', values: [] },
    ],
    offerings: [
      { price: 1.5, zone: 'a', capacityType: 'reserved', reservationCapacity: 3 },
      {
        price: 0,
        available: false,
        Requirements: [
          { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a', 'b'] },
          { key: 'karpenter.sh/capacity-type', operator: 'NotIn', values: ['spot'] },
          { key: 'example.com/rack', operator: 'Exists' },
        ],
      },
    ],
  },
  { name: 'own-labels', architecture: 'amd64', resources: { cpu: '1' }, kwokLabels: false },
];

/** Only a snapshot says where prices come from. */
function withoutSources(types: readonly InstanceType[]): InstanceType[] {
  return types.map((type) => ({ ...type, offerings: type.offerings.map(({ priceSource: _, ...o }) => o) }));
}

for (const style of ['kwok', 'short', 'snapshot'] as const) {
  describe(`a type as a ${style} entry is read as the same type`, () => {
    const catalogs = {
      odd: decodeInstanceTypes('odd', ODD),
      aws: bundledCatalog({ cloud: 'aws', region: 'us-east-1' }).types,
    };
    for (const [name, types] of Object.entries(catalogs)) {
      test(name, () => {
        const entries = JSON.parse(JSON.stringify(types.map((type) => writeInstanceType(type, style))));
        const written = style === 'snapshot' ? types : withoutSources(types);
        assert.ok(isDeepStrictEqual(sorted(decodeInstanceTypes(name, entries)), sorted(written)));
      });
    }
  });
}

test('what the decoder finds out by itself is not written', () => {
  const offerings = [{ price: 0.1, zone: 'a', capacityType: 'spot' }];
  const resources = { cpu: '2', memory: '8Gi', pods: '29' };
  const entry = { name: 'm5.large', architecture: 'amd64', operatingSystems: ['linux'], resources, offerings };
  const [type] = decodeInstanceTypes('one', [entry]);
  assert.deepEqual(JSON.parse(JSON.stringify(writeInstanceType(type, 'short'))), entry);
});
