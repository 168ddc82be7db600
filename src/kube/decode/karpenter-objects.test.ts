import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldProblem } from '../field-problem.ts';
import { parsedRow } from '../read/parsed-row.ts';
import { DEFAULT_OPTIONS, decodeOptions } from './karpenter-options.ts';
import { NODE_CLAIM, NodeClaimDecoder } from './node-claim.ts';
import { decodeNodePool, NODE_POOL } from './node-pool.ts';

const pool = (spec: object, rest: object = {}) =>
  decodeNodePool(
    parsedRow(
      { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'p', uid: 'u' }, spec, ...rest },
      NODE_POOL,
    ),
  );
const claim = (object: object) =>
  new NodeClaimDecoder().decode(parsedRow({ kind: 'NodeClaim', metadata: { name: 'c' }, ...object }, NODE_CLAIM));

test('an empty NodePool has neither budgets nor consolidateAfter, which only the API server fills in', () => {
  assert.deepEqual(pool({}), {
    name: 'p',
    uid: 'u',
    labels: {},
    terminating: false,
    ready: false,
    weight: 0,
    replicas: undefined,
    limits: {},
    templateLabels: {},
    requirements: [],
    taints: [],
    startupTaints: [],
    expireAfterMs: 720 * 3_600_000,
    nodeClass: { group: '', kind: '', name: '' },
    consolidationPolicy: 'WhenEmptyOrUnderutilized',
    consolidateAfterMs: undefined,
    budgets: [],
    disruption: undefined,
  });
});

test('a full NodePool', () => {
  const disruption = {
    consolidationPolicy: 'WhenEmpty',
    consolidateAfter: '1h30m',
    budgets: [{ nodes: '3', schedule: '@daily', duration: '8h', reasons: ['Empty'] }, {}],
    savingsThreshold: 2,
  };
  const full = pool(
    {
      weight: 10,
      replicas: 4,
      limits: { cpu: '1k', memory: '10Ti', nodes: 50 },
      disruption,
      template: {
        metadata: { labels: { team: 'a' } },
        spec: {
          requirements: [{ key: 'size', operator: 'Gte', values: ['4'], minValues: 2 }],
          taints: [{ key: 'gpu', effect: 'NoSchedule' }],
          startupTaints: [{ key: 'cilium', value: 'x', effect: 'NoExecute' }],
          expireAfter: '24h',
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        },
      },
    },
    { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
  );
  assert.deepEqual(full, {
    name: 'p',
    uid: 'u',
    labels: {},
    terminating: false,
    ready: true,
    weight: 10,
    replicas: 4,
    limits: { cpu: 1_000_000, memory: 10 * 1024 ** 4, nodes: 50 },
    templateLabels: { team: 'a' },
    requirements: [{ key: 'size', operator: 'Gte', values: ['4'], minValues: 2 }],
    taints: [{ key: 'gpu', value: '', effect: 'NoSchedule' }],
    startupTaints: [{ key: 'cilium', value: 'x', effect: 'NoExecute' }],
    expireAfterMs: 24 * 3_600_000,
    nodeClass: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    consolidationPolicy: 'WhenEmpty',
    consolidateAfterMs: 5_400_000,
    budgets: [{ nodes: '3', schedule: '@daily', durationMs: 28_800_000, reasons: ['Empty'] }, { nodes: '10%' }],
    disruption,
  });
});

test('consolidateAfter Never, and an empty list of budgets, are kept apart from nothing said', () => {
  assert.equal(pool({ disruption: { consolidateAfter: 'Never' } }).consolidateAfterMs, undefined);
  assert.deepEqual(pool({ disruption: { budgets: [] } }).budgets, []);
});

const refusals = [
  { spec: { disruption: { budgets: [{ nodes: 3 }] } }, path: 'spec.disruption.budgets[0].nodes' },
  { spec: { disruption: { budgets: [{ nodes: '101%' }] } }, path: 'spec.disruption.budgets[0].nodes' },
  { spec: { disruption: { consolidateAfter: 30 } }, path: 'spec.disruption.consolidateAfter' },
  { spec: { disruption: { consolidateAfter: '-1s' } }, path: 'spec.disruption.consolidateAfter' },
  { spec: { limits: { cpu: '-1' } }, path: 'spec.limits.cpu' },
  { spec: { weight: -1 }, path: 'spec.weight' },
  {
    spec: { template: { spec: { requirements: [{ key: 'a', operator: 'in' }] } } },
    path: 'spec.template.spec.requirements[0].operator',
  },
];

for (const { spec, path } of refusals) {
  test(`a NodePool with a wrong ${path} is refused`, () => {
    assert.throws(
      () => pool(spec),
      (problem) => problem instanceof FieldProblem && problem.path === path,
    );
  });
}

test('a NodeClaim', () => {
  const conditions = [
    { type: 'Consolidatable', status: 'True', lastTransitionTime: '2026-08-20T12:00:00Z' },
    { type: 'Drifted', status: 'False' },
  ];
  const decoded = claim({
    metadata: { name: 'c', uid: 'u', labels: { a: 'b' }, annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
    spec: { expireAfter: '720h0m0s', taints: [], startupTaints: [{ key: 's', effect: 'NoSchedule' }] },
    status: {
      providerID: 'aws://i-1',
      nodeName: 'n1',
      capacity: { cpu: '4' },
      allocatable: { cpu: '3900m', memory: '1Gi' },
      conditions,
      lastPodEventTime: '2026-08-20T11:00:00Z',
    },
  });
  assert.deepEqual(decoded, {
    name: 'c',
    uid: 'u',
    labels: { a: 'b' },
    doNotDisrupt: 'true',
    createdMs: 0,
    terminating: false,
    taints: [],
    startupTaints: [{ key: 's', value: '', effect: 'NoSchedule' }],
    expireAfterMs: 2_592_000_000,
    providerId: 'aws://i-1',
    nodeName: 'n1',
    capacity: { cpu: 4000 },
    allocatable: { cpu: 3900, memory: 1024 ** 3 },
    conditions: [
      { type: 'Consolidatable', status: 'True', changedMs: 1787227200000 },
      { type: 'Drifted', status: 'False', changedMs: 0 },
    ],
    lastPodEventMs: 1787223600000,
  });
});

test('a NodeClaim that never expires says so, or nothing', () => {
  assert.equal(claim({ spec: { expireAfter: 'Never' } }).expireAfterMs, undefined);
  assert.equal(claim({}).expireAfterMs, undefined);
});

test('options of the Karpenter process', () => {
  assert.deepEqual(decodeOptions(undefined), DEFAULT_OPTIONS);
  assert.deepEqual(decodeOptions({ featureGates: '', preferencePolicy: '', minValuesPolicy: '' }), DEFAULT_OPTIONS);
  assert.deepEqual(
    decodeOptions({
      featureGates: 'SpotToSpotConsolidation=true, ReservedCapacity=false,NodeRepair=true',
      preferencePolicy: 'Ignore',
      minValuesPolicy: 'BestEffort',
    }),
    { spotToSpot: true, reservedCapacity: false, preferences: 'Ignore', minValues: 'BestEffort' },
  );
});
