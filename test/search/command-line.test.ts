import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Plan } from '../../src/engine/plan-document.ts';
import { decant } from '../build/decant.ts';
import { money, movesOf } from './summary.ts';

const NOW = '2026-08-20T12:00:00Z';
const LONG_AGO = '2026-08-20T08:00:00Z';

function pool(name: string, types: readonly string[], disruption: object = {}) {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          expireAfter: 'Never',
          requirements: [
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
            { key: 'node.kubernetes.io/instance-type', operator: 'In', values: types },
          ],
        },
      },
      disruption: { consolidateAfter: '30s', budgets: [{ nodes: '100%' }], ...disruption },
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function node(name: string, type: string, allocatable: object) {
  const labels = {
    'karpenter.sh/nodepool': 'default',
    'karpenter.sh/capacity-type': 'on-demand',
    'node.kubernetes.io/instance-type': type,
    'topology.kubernetes.io/zone': 'us-east-1a',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
  };
  const up = { 'kubernetes.io/hostname': name, 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };
  const condition = (kind: string) => ({ type: kind, status: 'True', lastTransitionTime: LONG_AGO });
  const providerID = `aws:///us-east-1a/${name}`;
  return [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...labels, ...up }, creationTimestamp: LONG_AGO },
      spec: { providerID },
      status: { allocatable, conditions: [{ type: 'Ready', status: 'True' }] },
    },
    {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `claim-${name}`, labels, creationTimestamp: LONG_AGO },
      spec: { expireAfter: 'Never' },
      status: {
        nodeName: name,
        providerID,
        lastPodEventTime: LONG_AGO,
        conditions: [condition('Initialized'), condition('Consolidatable')],
      },
    },
  ];
}

function pods(nodeName: string, count: number, requests: object) {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'app', uid: 'app', controller: true };
  return Array.from({ length: count }, (_, i) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${nodeName}-${i}`,
      namespace: 'shop',
      uid: `${nodeName}-${i}`,
      creationTimestamp: LONG_AGO,
      ownerReferences: [owner],
    },
    spec: { nodeName, containers: [{ name: 'app', resources: { requests } }] },
    status: { phase: 'Running', startTime: LONG_AGO, conditions: [{ type: 'Ready', status: 'True' }] },
  }));
}

async function planned(objects: readonly object[], ...flags: readonly string[]): Promise<Plan> {
  const snapshot = JSON.stringify({ now: NOW, objects });
  const { code, stdout, stderr } = await decant(['plan', '-f', '-', '-o', 'json', ...flags], snapshot);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

describe('decant plan', () => {
  test('S8: t3a.xlarge and t3a.micro for two t3a.medium, and not with --max-replacements 1', async () => {
    const objects = [
      pool('default', ['t3a.micro', 't3a.medium', 't3a.xlarge']),
      ...node('xlarge', 't3a.xlarge', { cpu: '3920m', memory: '14162Mi', pods: '58' }),
      ...node('micro', 't3a.micro', { cpu: '1930m', memory: '548Mi', pods: '4' }),
      ...pods('xlarge', 3, { cpu: '940m', memory: '1050Mi' }),
      ...pods('micro', 1, { cpu: '500m', memory: '175Mi' }),
    ];
    const [plan, one] = await Promise.all([planned(objects), planned(objects, '--max-replacements', '1')]);
    assert.equal(money(plan), '0.1598 → 0.0752');
    assert.deepEqual(movesOf(plan), ['replace micro xlarge by t3a.medium t3a.medium']);
    assert.equal(money(one), '0.1598 → 0.1504');
  });

  test('S11: two nodes for one of the same price with --node-surcharge, and not without', async () => {
    const objects = [
      pool('default', ['c6a.2xlarge', 'c6a.4xlarge']),
      ...['a', 'b'].flatMap((name) => [
        ...node(name, 'c6a.2xlarge', { cpu: '7910m', memory: '14162Mi', pods: '58' }),
        ...pods(name, 6, { cpu: '900m', memory: '1Gi' }),
      ]),
    ];
    const [without, surcharge] = await Promise.all([planned(objects), planned(objects, '--node-surcharge', '1')]);
    assert.deepEqual(movesOf(without), []);
    assert.deepEqual(movesOf(surcharge), ['replace a b by c6a.4xlarge']);
    assert.equal(money(surcharge), '0.632 → 0.622');
  });

  test('--search karpenter does what a pass of stock does', async () => {
    const objects = [
      pool('default', ['c5a.xlarge', 'm6a.xlarge'], { consolidationPolicy: 'WhenCheaper' }),
      ...['a', 'b'].flatMap((name) => [
        ...node(name, 'c5a.xlarge', { cpu: '3920m', memory: '6584Mi', pods: '58' }),
        ...pods(name, 1, { cpu: '500m', memory: '1Gi' }),
      ]),
    ];
    const [merged, stock] = await Promise.all([planned(objects), planned(objects, '--search', 'karpenter')]);
    assert.deepEqual([merged.search, stock.search], ['merged', 'karpenter']);
    assert.deepEqual([merged, stock].map(movesOf), [['delete a'], ['delete a']]);
  });
});
