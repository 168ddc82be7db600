import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parsedRow } from '../read/parsed-row.ts';
import { optionsOf } from './karpenter-options.ts';
import { shapeOfKind } from './kind-table.ts';
import { WorkloadDecoder } from './workload.ts';

interface Sketch {
  readonly image?: string;
  readonly args?: readonly string[];
  readonly env?: readonly object[];
  readonly labels?: object;
}

function deployment({ image = 'none', args, env, labels }: Sketch) {
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'kube-system', name: 'k', uid: 'k', labels },
    spec: { template: { spec: { containers: [{ name: 'controller', image, args, env }] } } },
  };
  return new WorkloadDecoder().decode(parsedRow(object, shapeOfKind('Deployment')));
}

describe('which Karpenter runs', () => {
  for (const [image, version] of [
    ['public.ecr.aws/karpenter/controller:1.15.0@sha256:ab12', '1.15.0'],
    ['public.ecr.aws/karpenter/controller:v1.14.3', '1.14.3'],
    ['mcr.microsoft.com/aks/karpenter/controller:1.6.2-aks', '1.6.2-aks'],
    ['kind.local/karpenter:1.14.1', '1.14.1'],
    ['localhost:5000/karpenter/controller', undefined],
    ['localhost:5000/karpenter/controller@sha256:ab12', undefined],
  ] as const) {
    test(`by its image ${image}`, () => assert.equal(deployment({ image }).karpenter?.version, version));
  }

  test('by the labels of its chart, where the image has no version', () => {
    const labels = { 'app.kubernetes.io/name': 'karpenter', 'app.kubernetes.io/version': '1.14.3' };
    assert.equal(deployment({ labels }).karpenter?.version, '1.14.3');
    const image = 'karpenter/controller:latest';
    assert.equal(deployment({ labels, image }).karpenter?.version, '1.14.3');
    assert.equal(deployment({ labels, image: 'x/karpenter/controller:1.15.0' }).karpenter?.version, '1.15.0');
  });

  test('others are not Karpenter', () => {
    for (const image of ['grafana/karpenter-exporter:1.0.0', 'x/not-karpenter:1.15.0', 'nginx:1.27.0'])
      assert.equal(deployment({ image }).karpenter, undefined, image);
  });
});

describe('settings of the Karpenter that runs', () => {
  const image = 'karpenter/controller:1.15.0';
  const options = (sketch: Sketch) => deployment({ image, ...sketch }).karpenter?.options;

  test('from its environment, as the chart sets it', () => {
    const env = [
      {
        name: 'FEATURE_GATES',
        value: 'ReservedCapacity=true,SpotToSpotConsolidation=true,NodeRepair=false,NodeOverlay=false',
      },
      { name: 'PREFERENCE_POLICY', value: 'Ignore' },
      { name: 'MEMORY_LIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } },
    ];
    const expected = { reservedCapacity: true, spotToSpot: true, nodeOverlays: false, preferences: 'Ignore' };
    assert.deepEqual(options({ env }), expected);
  });

  test('arguments go before the environment, in both spellings', () => {
    const env = [{ name: 'FEATURE_GATES', value: 'SpotToSpotConsolidation=false' }];
    assert.deepEqual(options({ env, args: ['--feature-gates=SpotToSpotConsolidation=True'] }), {
      nodeOverlays: false,
      spotToSpot: true,
    });
    const args = ['--feature-gates', 'PodDeletionCostManagement=true', '--min-values-policy', 'BestEffort'];
    assert.deepEqual(options({ env, args }), {
      nodeOverlays: false,
      managesDeletionCost: true,
      minValues: 'BestEffort',
    });
  });

  test('what cannot be read is named, and the rest counts', () => {
    const { karpenter } = deployment({ image, args: ['--feature-gates=nonsense', '--min-values-policy=BestEffort'] });
    assert.deepEqual(karpenter, {
      version: '1.15.0',
      options: { minValues: 'BestEffort' },
      unread: ['--feature-gates nonsense'],
    });
  });

  test('the scheduler configuration is YAML or JSON', () => {
    const constraint = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' };
    const json = JSON.stringify({ podTopologySpread: { defaultConstraints: [constraint] } });
    const yaml = `podTopologySpread:
  defaultConstraints:
    - maxSkew: 1
      topologyKey: topology.kubernetes.io/zone
      whenUnsatisfiable: ScheduleAnyway
`;
    for (const value of [json, yaml]) {
      const [spread] = options({ env: [{ name: 'SCHEDULER_CONFIG', value }] })?.defaultSpread ?? [];
      assert.equal(spread?.topologyKey, constraint.topologyKey);
      assert.equal(spread?.whenUnsatisfiable, constraint.whenUnsatisfiable);
    }
    const { karpenter } = deployment({ image, args: ['--scheduler-config', 'podTopologySpread: ['] });
    assert.deepEqual(karpenter?.unread, ['--scheduler-config podTopologySpread: [']);
  });

  test('a setting whose value is in another object is named, unless an argument sets it', () => {
    const valueFrom = { configMapKeyRef: { name: 'karpenter', key: 'gates' } };
    const env = [{ name: 'FEATURE_GATES', valueFrom }];
    const hidden = deployment({ image, env }).karpenter;
    assert.deepEqual(hidden, { version: '1.15.0', options: {}, unread: ['--feature-gates (valueFrom)'] });
    const args = ['--feature-gates=NodeOverlay=true'];
    assert.deepEqual(deployment({ image, env, args }).karpenter, {
      version: '1.15.0',
      options: { nodeOverlays: true },
    });
  });

  test('the gate NodeOverlay is off unless it is set, in the versions that are known', () => {
    assert.deepEqual(options({}), { nodeOverlays: false });
    assert.deepEqual(options({ image: 'karpenter/controller:1.16.0' }), {});
  });

  test('they apply to the cluster unless overridden', () => {
    const workloads = [deployment({}), deployment({ image, args: ['--feature-gates=SpotToSpotConsolidation=true'] })];
    assert.equal(optionsOf(workloads).spotToSpot, true);
    assert.equal(optionsOf(workloads, { spotToSpot: false }).spotToSpot, false);
    assert.equal(optionsOf([]).spotToSpot, false);
    const [, own] = workloads;
    const imitation = { ...own, namespace: 'aaa', karpenter: { options: { preferences: 'Ignore' as const } } };
    assert.equal(optionsOf([imitation, { ...own, namespace: 'kube-system' }]).preferences, 'Respect');
  });
});
