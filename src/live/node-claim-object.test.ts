import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CommandReplacement } from '../controller/command.ts';
import type { NodeSelectorRequirement } from '../engine/cluster/objects.ts';
import { WELL_KNOWN_LABELS } from '../engine/cluster/well-known.ts';
import { type NodePoolTemplate, nodeClaimObject } from './node-claim-object.ts';

const POOL: NodePoolTemplate = {
  metadata: {
    name: 'general',
    uid: 'u-1',
    annotations: {
      'karpenter.sh/nodepool-hash': '42',
      'karpenter.sh/nodepool-hash-version': 'v3',
      'kubectl.kubernetes.io/last-applied-configuration': '{"huge":true}',
    },
  },
  spec: {
    template: {
      metadata: { labels: { team: 'a' }, annotations: { note: 'n' } },
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [{ key: 'of-the-pool', operator: 'Exists' }],
        taints: [{ key: 't', effect: 'NoSchedule' }],
        startupTaints: [{ key: 's', effect: 'NoExecute' }],
        expireAfter: '720h',
        terminationGracePeriod: '1h',
      },
    },
  },
};

const WELL_KNOWN = new Set([...WELL_KNOWN_LABELS, 'karpenter.k8s.aws/instance-cpu']);

function replacement(...requirements: readonly NodeSelectorRequirement[]): CommandReplacement {
  return {
    nodeClaim: 'general-0m-1',
    nodePool: 'general',
    requirements,
    requests: { cpu: 1500, memory: 2 ** 30, pods: 7 },
    centsPerHour: 1,
  };
}

test('everything that the template says, and whose it is', () => {
  const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large'] }] as const;
  assert.deepEqual(nodeClaimObject(POOL, replacement(...requirements), 'cmd', WELL_KNOWN), {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: 'general-0m-1',
      labels: { team: 'a', 'karpenter.sh/nodepool': 'general', 'karpenter.k8s.aws/ec2nodeclass': 'default' },
      annotations: {
        note: 'n',
        'karpenter.sh/nodepool-hash': '42',
        'karpenter.sh/nodepool-hash-version': 'v3',
        'decant.sh/command': 'cmd',
      },
      ownerReferences: [
        { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'general', uid: 'u-1', blockOwnerDeletion: true },
      ],
    },
    spec: {
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      taints: [{ key: 't', effect: 'NoSchedule' }],
      startupTaints: [{ key: 's', effect: 'NoExecute' }],
      expireAfter: '720h',
      terminationGracePeriod: '1h',
      requirements,
      resources: { requests: { cpu: '1500m', memory: '1Gi', pods: '7' } },
    },
  });
});

describe('a label of the users’ own gets one value that its requirements allow', () => {
  const key = 'example.com/rack';
  for (const [what, requirements, value] of [
    ['the first of several', [{ key, operator: 'In', values: ['r2', 'r1'] }], 'r2'],
    ['any', [{ key, operator: 'Exists' }], '0'],
    ['not those', [{ key, operator: 'NotIn', values: ['0', '1', 'x'] }], '2'],
    [
      'above',
      [
        { key, operator: 'Gt', values: ['4'] },
        { key, operator: 'Lt', values: ['9'] },
      ],
      '5',
    ],
    ['none', [{ key, operator: 'DoesNotExist' }], undefined],
    ['not the provider’s', [{ key: 'karpenter.k8s.aws/instance-cpu', operator: 'Exists' }], undefined],
    ['not of Karpenter’s domain', [{ key: 'karpenter.k8s.aws/new-label', operator: 'Exists' }], undefined],
    ['not what only stood in', [{ key: 'karpenter.sh/initialized', operator: 'In', values: ['true'] }], undefined],
  ] as const) {
    test(what, () => {
      const made = nodeClaimObject(POOL, replacement(...requirements), 'cmd', WELL_KNOWN) as {
        metadata: { labels: Record<string, string> };
      };
      assert.equal(made.metadata.labels[requirements[0].key], value);
    });
  }
});
