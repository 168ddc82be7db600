import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { karpenterMetrics } from '../../test/build/karpenter-metrics.ts';
import { type MachineSketch, machine } from '../../test/build/machine.ts';
import { nodePool } from '../../test/build/node-pool.ts';
import type { NodeOverlayObject } from '../engine/cluster/node-overlay-object.ts';
import type { InstanceType, NodeObject } from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, NODE_POOL, ZONE } from '../engine/cluster/well-known.ts';
import type { ClusterFacts } from './cluster-location.ts';
import { readKarpenterMetrics } from './karpenter-metrics.ts';
import { type Catalog, loadCatalog } from './load.ts';
import { capacityTypesOf, zonesOf } from './offerings.ts';
import { poolsInZones } from './pool-zones.ts';
import { valuesOf } from './requirements.ts';

const GIB = 2 ** 30;

interface NodeSketch extends Omit<MachineSketch, 'type'> {
  readonly type?: string;
  readonly providerId?: string;
  readonly capacity?: NodeObject['capacity'];
}

function node(name: string, { type = 'm5.large', providerId, capacity, labels, ...more }: NodeSketch): NodeObject {
  const { node: made } = machine(name, { ...more, labels: { ...labels, [INSTANCE_TYPE]: type } });
  assert.ok(made);
  return { ...made, providerId: providerId ?? made.providerId, capacity: capacity ?? made.capacity };
}

function facts(nodes: readonly NodeObject[], more: Partial<ClusterFacts> = {}): ClusterFacts {
  return { nodes, nodeClaims: [], nodePools: [], ...more };
}

function typeOf({ types }: Catalog, name: string): InstanceType {
  const type = types.find((t) => t.name === name);
  assert.ok(type, name);
  return type;
}

function priceOf(catalog: Catalog, name: string, zone: string, capacityType: string): number | undefined {
  return typeOf(catalog, name).offerings.find(
    (o) => zonesOf(o).includes(zone) && capacityTypesOf(o).includes(capacityType),
  )?.price;
}

const REGION = 'topology.kubernetes.io/region';

test('the region is found from labels, from zones and from provider ids, on three clouds', async () => {
  const cases: readonly (readonly [string, NodeSketch])[] = [
    ['aws/eu-west-1 2026-08-22', { labels: { [REGION]: 'eu-west-1' }, zone: 'eu-west-1a' }],
    ['aws/eu-west-1 2026-08-22', { zone: 'eu-west-1c' }],
    ['aws/ap-southeast-2 2026-08-22', { without: [ZONE], providerId: 'aws:///ap-southeast-2b/i-0abc' }],
    [
      'azure/westeurope 2026-06-18',
      { labels: { [REGION]: 'westeurope' }, zone: 'westeurope-1', providerId: 'azure:///x' },
    ],
    ['azure/eastus 2026-06-18', { zone: 'eastus-2' }],
    ['gcp/europe-west1 2026-08-03', { zone: 'europe-west1-b' }],
    ['gcp/us-central1 2026-08-03', { without: [ZONE], providerId: 'gce://project/us-central1-f/vm' }],
  ];
  for (const [name, sketch] of cases) {
    const { origin } = await loadCatalog({ cluster: facts([node('n', sketch)]) });
    assert.equal(origin.name, `bundled ${name}`);
    assert.equal(origin.warnings, undefined);
  }
});

test('known prices', async () => {
  const at = async (zone: string) => loadCatalog({ cluster: facts([node('n', { zone })]) });
  assert.equal(priceOf(await at('eu-west-1a'), 'c5.xlarge', 'eu-west-1a', 'on-demand'), 0.192);
  assert.equal(priceOf(await at('westeurope-1'), 'Standard_D4s_v5', 'westeurope-1', 'on-demand'), 0.23);
  assert.equal(priceOf(await at('us-central1-a'), 'e2-standard-4', 'us-central1-a', 'on-demand'), 0.134023);
});

test('an unknown location or a region that is not bundled is reported', async () => {
  const nowhere = await loadCatalog({ cluster: facts([node('n', { zone: 'test-zone-1' })]) });
  assert.match(nowhere.origin.warnings?.[0] ?? '', /no node has a region label: prices are those of aws\/us-east-1/);
  const china = node('n', {
    zone: 'cn-north-1a',
    labels: { [REGION]: 'cn-north-1' },
    providerId: 'aws:///cn-north-1a/i-1',
  });
  assert.deepEqual((await loadCatalog({ cluster: facts([china]) })).origin.warnings, [
    'no prices of aws/cn-north-1 are bundled: give a catalog with --catalog, or the metrics of Karpenter with --prices',
  ]);
  const pools = [nodePool('p', { requirements: [{ key: ZONE, operator: 'In', values: ['eu-west-3a'] }] })];
  const { origin } = await loadCatalog({ cluster: facts([], { nodePools: pools }) });
  assert.equal(origin.name, 'bundled aws/eu-west-3 2026-08-22');
});

test('zones are those of the cluster; a zone that no NodeClass reaches keeps the price of its nodes only', async () => {
  const nodes = [node('a', { zone: 'eu-west-1a' }), node('c', { zone: 'eu-west-1c' })];
  const open = typeOf(await loadCatalog({ cluster: facts(nodes) }), 'm5.large');
  assert.deepEqual(valuesOf(open.requirements, ZONE), ['eu-west-1a', 'eu-west-1c']);
  const nodeClass = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
  const zones = [{ name: 'eu-west-1a' }, { name: 'eu-west-1b' }];
  const cluster = facts(nodes, {
    nodePools: [nodePool('p', { nodeClass })],
    nodeClasses: [
      { ...nodeClass, zones },
      { ...nodeClass, name: 'unused', zones: [{ name: 'eu-west-1c' }] },
    ],
  });
  const catalog = await loadCatalog({ cluster });
  const narrowed = typeOf(catalog, 'm5.large');
  assert.deepEqual(valuesOf(narrowed.requirements, ZONE), ['eu-west-1a', 'eu-west-1b']);
  const closed = narrowed.offerings.filter((o) => zonesOf(o).includes('eu-west-1c'));
  assert.deepEqual(
    closed.map((o) => o.available),
    [false, false],
  );
  const chosen = typeOf(await loadCatalog({ cluster, zones: ['eu-west-1b'] }), 'm5.large');
  assert.deepEqual(valuesOf(chosen.requirements, ZONE), ['eu-west-1b']);
});

test('subnets of Azure span the zones of a region, where it has zones; GKE clusters have those of their nodes', async () => {
  const aks = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: 'default' };
  const zonesAt = async (zone: string, type: string, nodeClass: typeof aks) => {
    const cluster = facts([node('n', { zone, type })], { nodePools: [nodePool('p', { nodeClass })] });
    return valuesOf(typeOf(await loadCatalog({ cluster }), type).requirements, ZONE);
  };
  assert.deepEqual(await zonesAt('westeurope-2', 'Standard_D4s_v5', aks), [
    'westeurope-1',
    'westeurope-2',
    'westeurope-3',
  ]);
  const other = { ...aks, group: 'example.com' };
  assert.deepEqual(await zonesAt('westeurope-2', 'Standard_D4s_v5', other), ['westeurope-2']);
  const gce = { group: 'karpenter.k8s.gcp', kind: 'GCENodeClass', name: 'default' };
  assert.deepEqual(await zonesAt('europe-west1-b', 'e2-standard-4', gce), ['europe-west1-b']);
});

test('Local Zones sell few types at prices of their own: nodes there have an assumed price, and none is launched', async () => {
  const lax = 'us-west-2-lax-1a';
  const labels = { [REGION]: 'us-west-2' };
  const nodes = [node('a', { zone: 'us-west-2a', labels }), node('lax', { zone: lax, labels })];
  const catalog = await loadCatalog({ cluster: facts(nodes) });
  const { offerings, requirements } = typeOf(catalog, 'm5.large');
  assert.deepEqual(valuesOf(requirements, ZONE), ['us-west-2a']);
  assert.deepEqual(
    offerings.map((o) => [zonesOf(o)[0], capacityTypesOf(o)[0], o.priceSource, o.available]),
    [
      [lax, 'on-demand', 'assumed', false],
      [lax, 'spot', 'assumed', false],
      ['us-west-2a', 'on-demand', 'bundled', true],
      ['us-west-2a', 'spot', 'bundled', true],
    ],
  );
  assert.deepEqual(catalog.origin.warnings, [`no prices of ${lax} are bundled: using those of us-west-2`]);
});

test('Karpenter’s prices may begin with a Local Zone', async () => {
  const offerings = { 'm5.large': { 'us-west-2-lax-1a on-demand': 0.115, 'us-west-2a on-demand': 0.096 } };
  const karpenter = readKarpenterMetrics(karpenterMetrics({ offerings }), 5);
  assert.deepEqual(valuesOf(typeOf(await loadCatalog({ karpenter }), 'm5.large').requirements, REGION), ['us-west-2']);
});

test('Karpenter’s prices of a region without a table, or of a type that its table lacks, have the bundled sizes', async () => {
  for (const region of ['cn-north-1', 'sa-east-1']) {
    const offerings = { 'm8a.large': { [`${region}a on-demand`]: 0.7 } };
    const karpenter = readKarpenterMetrics(karpenterMetrics({ offerings }), 5);
    const { requirements, capacity, offerings: offered } = typeOf(await loadCatalog({ karpenter }), 'm8a.large');
    assert.deepEqual(valuesOf(requirements, REGION), [region]);
    assert.equal(capacity.cpu, 2000);
    assert.deepEqual(
      offered.map(({ price, available }) => [price, available]),
      [[0.7, true]],
    );
  }
});

test('spot has the price of its zone where the cluster tells which zone that is', async () => {
  const zoneId = (id: string) => ({ labels: { 'topology.k8s.aws/zone-id': id } });
  const named = [
    node('a', { zone: 'us-east-1a', ...zoneId('use1-az1') }),
    node('b', { zone: 'us-east-1b', ...zoneId('use1-az2') }),
  ];
  const typical = await loadCatalog({ cluster: facts([node('a', { zone: 'us-east-1a' })]) });
  const catalog = await loadCatalog({ cluster: facts(named) });
  const prices = ['us-east-1a', 'us-east-1b'].map((zone) => priceOf(catalog, 'm5.4xlarge', zone, 'spot'));
  assert.notEqual(prices[0], prices[1]);
  assert.notEqual(prices[0], priceOf(typical, 'm5.4xlarge', 'us-east-1a', 'spot'));
});

test('sizes are those of the cluster’s own nodes', async () => {
  const zone = 'eu-west-1a';
  const shown = { cpu: 1780, memory: 6 * GIB, pods: 110, 'ephemeral-storage': 90e9 };
  const capacity = { cpu: 2000, memory: 7.5 * GIB, pods: 110, 'ephemeral-storage': 100e9 };
  const windows = { 'kubernetes.io/os': 'windows' };
  const small = { ...shown, memory: 1 };
  const catalog = await loadCatalog({
    cluster: facts([
      node('n', { zone, allocatable: shown, capacity }),
      node('w', { zone, allocatable: small, capacity, labels: windows }),
    ]),
  });
  const own = typeOf(catalog, 'm5.large');
  assert.equal(own.allocatable.cpu, 1780);
  assert.equal(own.allocatable.memory, 6 * GIB);
  assert.equal(own.allocatable.pods, 110);
  assert.equal(own.allocatable['vpc.amazonaws.com/pod-eni'], 9);
  const [other, table] = [
    typeOf(catalog, 'm5.xlarge'),
    typeOf(await loadCatalog({ name: 'aws/eu-west-1' }), 'm5.xlarge'),
  ];
  assert.equal(other.allocatable.pods, 110, 'prefix delegation');
  assert.equal(other.allocatable['ephemeral-storage'], 90e9, 'the root volume that all nodes have');
  assert.equal(table.allocatable.memory - other.allocatable.memory, (110 - 58) * 11 * 2 ** 20, 'kubelet keeps more');
  assert.equal(typeOf(catalog, 'm5.24xlarge').allocatable.pods, 250);
});

test('types of EKS Auto Mode have its labels', async () => {
  const nodeClass = { group: 'eks.amazonaws.com', kind: 'NodeClass', name: 'default' };
  const cluster = facts([node('n', { zone: 'eu-west-1a' })], { nodePools: [nodePool('p', { nodeClass })] });
  const { requirements } = typeOf(await loadCatalog({ cluster }), 'm5.large');
  assert.deepEqual(valuesOf(requirements, 'eks.amazonaws.com/instance-category'), ['m']);
  assert.deepEqual(valuesOf(requirements, 'eks.amazonaws.com/compute-type'), ['auto']);
  assert.deepEqual(valuesOf(requirements, 'karpenter.k8s.aws/instance-category'), []);
});

test('Karpenter’s prices go before the bundled ones, and a named catalog before both', async () => {
  const text = karpenterMetrics({
    offerings: {
      'm5.large': {
        'eu-west-1a on-demand': 0.107,
        'eu-west-1a spot': 0.0333,
        'eu-west-1b on-demand': { price: 0.107, available: false },
        'eu-west-1b reserved': 1.07e-8,
      },
      'm99.huge': { 'eu-west-1a on-demand': 9 },
    },
    costByPool: { p: 1 },
  });
  const reading = readKarpenterMetrics(text, 5);
  const cluster = facts([node('n', { zone: 'eu-west-1a' })]);
  const catalog = await loadCatalog({ cluster, karpenter: reading });
  assert.deepEqual(catalog.origin, { name: 'karpenter', atMs: 5, dollarsByPool: { p: 1 } });
  assert.deepEqual(
    catalog.types.map(({ name }) => name),
    ['m5.large', 'm99.huge'],
  );
  const type = typeOf(catalog, 'm5.large');
  assert.deepEqual(valuesOf(type.requirements, ZONE), ['eu-west-1a']);
  assert.deepEqual(valuesOf(type.requirements, CAPACITY_TYPE), ['on-demand', 'spot']);
  assert.deepEqual(
    type.offerings.map((o) => [o.price, o.available, o.priceSource]),
    [
      [0.107, true, 'karpenter'],
      [0.0333, true, 'karpenter'],
      [0.107, false, 'karpenter'],
      [1.07e-8, false, 'karpenter'],
    ],
  );
  assert.deepEqual(
    typeOf(catalog, 'm99.huge').offerings.map((o) => [o.price, o.available]),
    [[9, false]],
  );
  const named = await loadCatalog({ cluster, karpenter: reading, name: 'aws/eu-west-1' });
  assert.equal(named.origin.name, 'bundled aws/eu-west-1 2026-08-22');
  await assert.rejects(loadCatalog({ cluster, name: 'karpenter' }), /no prices in the metrics of Karpenter/);
});

describe('where NodeOverlays change the prices that Karpenter shows', () => {
  const offerings = { 'm5.large': { 'eu-west-1a on-demand': 0.0963, 'eu-west-1a spot': 0.03 } };
  const karpenter = readKarpenterMetrics(karpenterMetrics({ offerings }), 5);
  const nodePools = [nodePool('p'), nodePool('q')];
  const pricesWith = async (overlay: Partial<NodeOverlayObject>, more: Partial<ClusterFacts> = {}) => {
    const nodeOverlays = [{ name: 'o', weight: 0, requirements: [], ...overlay }];
    const { types } = await loadCatalog({ karpenter, cluster: facts([], { nodePools, nodeOverlays, ...more }) });
    return types[0].offerings.map((o) => [Number(o.price.toFixed(6)), o.priceSource]);
  };
  const asShown = [
    [0.0963, 'karpenter'],
    [0.03, 'karpenter'],
  ];

  test('by the same for all pools, the price before it is known', async () => {
    assert.deepEqual(await pricesWith({ price: '-10%' }), [
      [0.107, 'karpenter'],
      [0.033333, 'karpenter'],
    ]);
    assert.deepEqual(await pricesWith({ price: '+0.01' }), [
      [0.0863, 'karpenter'],
      [0.02, 'karpenter'],
    ]);
    // Replaced again by the same price.
    assert.deepEqual(await pricesWith({ price: '0.03' }), asShown);
  });

  test('by another for each pool, it is the list price on demand and assumed for spot', async () => {
    const requirements = [{ key: NODE_POOL, operator: 'In' as const, values: ['p'] }];
    assert.deepEqual(await pricesWith({ price: '-10%', requirements }), [
      [0.107, 'bundled'],
      [0.03, 'assumed'],
    ]);
    const onDemand = [...requirements, { key: CAPACITY_TYPE, operator: 'In' as const, values: ['on-demand'] }];
    assert.deepEqual(await pricesWith({ price: '-10%', requirements: onDemand }), [
      [0.107, 'bundled'],
      [0.03, 'karpenter'],
    ]);
  });

  test('not at all, they are as shown', async () => {
    assert.deepEqual(await pricesWith({}), asShown);
    assert.deepEqual(await pricesWith({ price: '-10%' }, { options: { nodeOverlays: false } }), asShown);
  });
});

test('a pool launches nodes in the zones of its NodeClass only', async () => {
  const nodeClass = (name: string) => ({ group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name });
  const [both, narrow] = [
    { ...nodeClass('both'), zones: [{ name: 'eu-west-1a' }, { name: 'eu-west-1b' }] },
    { ...nodeClass('narrow'), zones: [{ name: 'eu-west-1b' }] },
  ];
  const nodePools = [
    nodePool('wide', { nodeClass: nodeClass('both') }),
    nodePool('narrow', { nodeClass: nodeClass('narrow') }),
    nodePool('unknown', { nodeClass: nodeClass('gone') }),
  ];
  const cluster = facts([node('n', { zone: 'eu-west-1a' })], { nodePools, nodeClasses: [both, narrow] });
  const catalog = await loadCatalog({ cluster });
  assert.deepEqual(catalog.zonesByPool, new Map([['narrow', ['eu-west-1b']]]));
  const pools = poolsInZones(nodePools, catalog.zonesByPool);
  assert.deepEqual(pools[1].requirements.at(-1), { key: ZONE, operator: 'In', values: ['eu-west-1b'] });
  assert.deepEqual([pools[0], pools[2]], [nodePools[0], nodePools[2]]);
  assert.equal(poolsInZones(nodePools, catalog.zonesByPool)[1], pools[1], 'the same object for the same zones');
  assert.equal((await loadCatalog({ cluster, zones: ['eu-west-1a'] })).zonesByPool, undefined, '--zones overrides');
  const alike = facts([], { nodePools: nodePools.slice(0, 1), nodeClasses: [both] });
  assert.equal((await loadCatalog({ cluster: alike })).zonesByPool, undefined);
});

test('a NodeClass that would tell the zones and is not known is named once', async () => {
  const nodeClass = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'web' };
  const zones = [{ key: ZONE, operator: 'In' as const, values: ['eu-west-1a'] }];
  const nodePools = [
    nodePool('p', { nodeClass }),
    nodePool('q', { nodeClass }),
    nodePool('fixed', { nodeClass: { ...nodeClass, name: 'other' }, requirements: zones }),
  ];
  const told = async (more: object) => {
    const warnings: string[] = [];
    const cluster = facts([node('n', { zone: 'eu-west-1a' })], { nodePools, ...more });
    await loadCatalog({ cluster, warn: (text) => warnings.push(text) });
    return warnings;
  };
  assert.deepEqual(await told({}), [
    'EC2NodeClass web is not in the input (kubectl get ec2nodeclasses shows it): only zones of nodes and NodePools are used; --zones names others',
  ]);
  assert.deepEqual(await told({ nodeClasses: [{ ...nodeClass, zones: [] }] }), []);
});

test('--zones closes the other zones of Karpenter’s prices', async () => {
  const offerings = { 'm5.large': { 'eu-west-1a on-demand': 0.1, 'eu-west-1b on-demand': 0.1 } };
  const karpenter = readKarpenterMetrics(karpenterMetrics({ offerings }), 5);
  const { types } = await loadCatalog({ karpenter, zones: ['eu-west-1b'], cluster: facts([]) });
  assert.deepEqual(
    types[0].offerings.map((o) => o.available),
    [false, true],
  );
});

test('--zones closes the other zones of any catalog, and a zone that the catalog lacks is named', async () => {
  const entry = {
    name: 'x',
    resources: { cpu: '2' },
    offerings: ['a', 'b'].map((zone) => ({ price: 1, zone, capacityType: 'spot' })),
  };
  const warnings: string[] = [];
  const warn = (text: string) => warnings.push(text);
  const file = await loadCatalog({ entries: { source: 's', entries: [entry] }, zones: ['b', 'c'], warn });
  assert.deepEqual(
    file.types[0].offerings.map((o) => o.available),
    [false, true],
  );
  assert.deepEqual(valuesOf(file.types[0].requirements, ZONE), ['b']);
  const cluster = facts([node('n', { zone: 'eu-west-1a' })]);
  const table = await loadCatalog({ cluster, zones: ['eu-west-1b', 'eu-west-1x'], warn });
  assert.deepEqual(valuesOf(typeOf(table, 'm5.large').requirements, ZONE), ['eu-west-1b']);
  assert.deepEqual(warnings, [
    'zone c is not in the catalog, which has a, b',
    'zone eu-west-1x is not in the catalog, which has eu-west-1a, eu-west-1b, eu-west-1c',
  ]);
});

test('prices that Karpenter has not looked up yet are assumed, and said to be', async () => {
  const offerings = { 'm5.large': { 'eu-west-1a on-demand': 0.096, 'eu-west-1a spot': 0.096 } };
  const reading = readKarpenterMetrics(karpenterMetrics({ offerings }), 5);
  const { types, origin } = await loadCatalog({ karpenter: reading });
  assert.deepEqual([...new Set(types.flatMap((t) => t.offerings.map((o) => o.priceSource)))], ['assumed']);
  assert.match(origin.warnings?.[0] ?? '', /spot at the on-demand price everywhere/);
});

test('every bundled table can be read, and has prices above 0 of types that it names once', async () => {
  const { bundledNames } = await import('./region-table.ts');
  const names = bundledNames();
  assert.deepEqual(
    ['aws', 'azure', 'gcp'].map((cloud) => names.filter((name) => name.startsWith(`${cloud}/`)).length),
    [34, 57, 43],
  );
  for (const name of names) {
    const { types } = await loadCatalog({ name });
    assert.ok(types.length > 50, name);
    assert.equal(new Set(types.map((t) => t.name)).size, types.length, name);
    for (const type of types) {
      assert.ok(
        type.offerings.every(({ price }) => price > 0),
        `${name} ${type.name}`,
      );
      assert.ok((type.allocatable.cpu ?? 0) > 0 || !type.offerings[0].available, `${name} ${type.name}`);
    }
  }
});
