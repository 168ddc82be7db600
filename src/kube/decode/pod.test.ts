import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldProblem } from '../field-problem.ts';
import { parsedRow } from '../read/parsed-row.ts';
import { POD, PodDecoder } from './pod.ts';

const decoder = new PodDecoder();
const decode = (object: object) => decoder.decode(parsedRow({ apiVersion: 'v1', kind: 'Pod', ...object }, POD));
const withSpec = (spec: object) => decode({ metadata: { name: 'web' }, spec });

test('a pod with everything keeps what decisions depend on', () => {
  const pod = decode({
    metadata: {
      name: 'web-1',
      namespace: 'shop',
      uid: 'u1',
      creationTimestamp: '2026-08-20T12:00:00Z',
      deletionTimestamp: '2026-08-20T13:00:00Z',
      labels: { app: 'web' },
      annotations: {
        'karpenter.sh/do-not-disrupt': 'true',
        'karpenter.sh/do-not-evict': 'false',
        'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false',
        'controller.kubernetes.io/pod-deletion-cost': '100',
        'karpenter.sh/disruption-cost': '7',
        secret: 'stays behind',
      },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'o1', controller: true }],
    },
    spec: {
      nodeName: 'n1',
      priority: 7,
      containers: [{ name: 'c', env: [{ name: 'PASSWORD', value: 'hunter2' }], resources: { requests: { cpu: '1' } } }],
    },
    status: {
      phase: 'Running',
      nominatedNodeName: 'n2',
      startTime: '2026-08-20T12:00:05Z',
      conditions: [
        { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' },
        { type: 'Ready', status: 'True', lastTransitionTime: '2026-08-20T12:00:20Z' },
      ],
    },
  });
  assert.deepEqual(pod, {
    namespace: 'shop',
    name: 'web-1',
    uid: 'u1',
    createdMs: 1787227200000,
    terminating: true,
    labels: { app: 'web' },
    doNotDisrupt: 'true',
    doNotEvict: 'false',
    safeToEvict: 'false',
    move: undefined,
    deletionCost: '100',
    disruptionCost: '7',
    owners: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'o1', controller: true }],
    nodeName: 'n1',
    nominatedNodeName: 'n2',
    phase: 'Running',
    startedMs: 1787227205000,
    unschedulable: true,
    ready: 'True',
    readyChangedMs: 1787227220000,
    priority: 7,
    requests: { cpu: 1000 },
    constraints: {
      nodeSelector: {},
      preferredNodeTerms: [],
      requiredAffinity: [],
      preferredAffinity: [],
      requiredAntiAffinity: [],
      preferredAntiAffinity: [],
      tolerations: [],
      topologySpread: [],
      hostPorts: [],
      resourceClaims: false,
    },
    volumeClaims: [],
    localData: undefined,
  });
});

test('a bare manifest gets the defaults of kubectl and a uid made from its name', () => {
  const pod = decode({ metadata: { name: 'web' } });
  assert.equal(pod.namespace, 'default');
  // hex of the first 16 bytes of sha1("Pod//web")
  assert.equal(pod.uid, '979521b79cefa7e1e401ca2256b07410');
  assert.equal(pod.nodeName, '');
  assert.equal(pod.createdMs, 0);
  assert.equal(pod.startedMs, undefined);
  assert.equal(pod.ready, '');
});

test('every constraint is decoded', () => {
  const selector = {
    matchLabels: { app: 'web' },
    matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['x'] }],
  };
  const term = { topologyKey: 'zone', labelSelector: selector, namespaces: ['a'], namespaceSelector: {} };
  const nodeTerm = {
    matchExpressions: [{ key: 'arch', operator: 'In', values: ['amd64'] }],
    matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n9'] }],
  };
  const { constraints } = withSpec({
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ operator: 'Exists' }, { key: 'k', value: 'v', effect: 'NoExecute', tolerationSeconds: 30 }],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [nodeTerm] },
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 5, preference: { matchExpressions: [] } }],
      },
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [term],
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 6, podAffinityTerm: term }],
      },
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'host' }],
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 7, podAffinityTerm: { topologyKey: 'host' } }],
      },
    },
    topologySpreadConstraints: [
      {
        topologyKey: 'zone',
        maxSkew: 2,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: {},
        minDomains: 3,
        nodeAffinityPolicy: 'Ignore',
        nodeTaintsPolicy: 'Honor',
        matchLabelKeys: ['hash'],
      },
    ],
  });
  assert.deepEqual(constraints, {
    nodeSelector: { disk: 'ssd' },
    requiredNodeTerms: [nodeTerm],
    preferredNodeTerms: [{ weight: 5, term: { matchExpressions: [] } }],
    requiredAffinity: [term],
    preferredAffinity: [{ weight: 6, term }],
    requiredAntiAffinity: [{ topologyKey: 'host' }],
    preferredAntiAffinity: [{ weight: 7, term: { topologyKey: 'host' } }],
    tolerations: [
      { key: '', operator: 'Exists', value: '', effect: '' },
      { key: 'k', operator: '', value: 'v', effect: 'NoExecute', tolerationSeconds: 30 },
    ],
    topologySpread: [
      {
        topologyKey: 'zone',
        maxSkew: 2,
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: {},
        minDomains: 3,
        nodeAffinityPolicy: 'Ignore',
        nodeTaintsPolicy: 'Honor',
        matchLabelKeys: ['hash'],
      },
    ],
    hostPorts: [],
    resourceClaims: false,
  });
});

test('host ports are those of regular containers', () => {
  const { constraints } = withSpec({
    containers: [
      { name: 'a', ports: [{ containerPort: 80 }, { hostPort: 8080, protocol: 'UDP' }, { hostPort: 0 }] },
      { name: 'b', ports: [{ hostPort: 9090, hostIP: '10.0.0.1' }] },
    ],
    initContainers: [{ name: 'i', ports: [{ hostPort: 7070 }] }],
  });
  assert.deepEqual(constraints.hostPorts, [
    { ip: '', port: 8080, protocol: 'UDP' },
    { ip: '10.0.0.1', port: 9090, protocol: '' },
  ]);
});

test('resource claims may stand on the pod or on any container', () => {
  const claims = { resources: { claims: [{ name: 'gpu' }] } };
  const pods = [
    { spec: { resourceClaims: [{ name: 'gpu' }] }, want: true },
    { spec: { containers: [{ name: 'a', ...claims }] }, want: true },
    { spec: { containers: [{ name: 'a' }], initContainers: [{ name: 'i', ...claims }] }, want: true },
    { spec: { resourceClaims: [], containers: [{ name: 'a', resources: { claims: [] } }] }, want: false },
  ];
  for (const { spec, want } of pods) assert.equal(withSpec(spec).constraints.resourceClaims, want);
});

test('data on the node is hostPath and emptyDir, but not in memory', () => {
  const volumes = [
    { name: 'logs', hostPath: { path: '/var/log' } },
    { name: 'config', configMap: { name: 'c' } },
    { name: 'cache', emptyDir: {} },
    { name: 'shm', emptyDir: { medium: 'Memory' } },
  ];
  assert.deepEqual(withSpec({ volumes }).localData, [
    { kind: 'hostPath', name: 'logs' },
    { kind: 'emptyDir', name: 'cache' },
  ]);
  assert.equal(withSpec({ volumes: volumes.slice(3) }).localData, undefined);
});

test('volume claims come in the order of the volumes, ephemeral ones by their made-up name', () => {
  const volumes = [
    { name: 'tmp', emptyDir: {} },
    { name: 'data', persistentVolumeClaim: { claimName: 'data-0' } },
    { name: 'scratch', ephemeral: { volumeClaimTemplate: {} } },
  ];
  assert.deepEqual(withSpec({ volumes }).volumeClaims, ['data-0', 'web-scratch']);
});

test('required node affinity without terms is kept apart from none', () => {
  const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } };
  assert.deepEqual(withSpec({ affinity }).constraints.requiredNodeTerms, []);
  assert.equal('requiredNodeTerms' in withSpec({}).constraints, false);
});

test('equal parts of pods are the same object', () => {
  const make = (name: string) =>
    decode({
      metadata: { name, labels: { app: 'web' }, ownerReferences: [{ kind: 'ReplicaSet', name: 'web' }] },
      spec: {
        nodeSelector: { disk: 'ssd' },
        containers: [{ name: 'a', resources: { requests: { cpu: '1' } }, ports: [{ hostPort: 1 }] }, { name: 'b' }],
        initContainers: [{ name: 'i' }],
      },
    });
  const [a, b] = [make('a'), make('b')];
  assert.equal(a.labels, b.labels);
  assert.equal(a.owners, b.owners);
  assert.equal(a.requests, b.requests);
  assert.equal(a.constraints, b.constraints);
  assert.equal(
    make('c').requests,
    withSpec({ containers: [{ name: 'x', resources: { requests: { cpu: '1000m' } } }] }).requests,
  );
});

const refusals = [
  { spec: { tolerations: [{ operator: 'Sometimes' }] }, path: 'spec.tolerations[0].operator' },
  { spec: { tolerations: {} }, path: 'spec.tolerations' },
  { spec: { nodeSelector: { a: 1 } }, path: 'spec.nodeSelector["a"]' },
  { spec: { nodeName: 5 }, path: 'spec.nodeName' },
  { spec: { priority: '5' }, path: 'spec.priority' },
  { spec: { containers: [{ ports: [{ hostPort: '80' }] }] }, path: 'spec.containers[0].ports[0].hostPort' },
  {
    spec: { volumes: [{ persistentVolumeClaim: {}, name: 'd' }, { persistentVolumeClaim: { claimName: '' } }] },
    path: 'spec.volumes[1].persistentVolumeClaim.claimName',
  },
  { spec: { topologySpreadConstraints: [{ topologyKey: '' }] }, path: 'spec.topologySpreadConstraints[0].topologyKey' },
  {
    spec: { topologySpreadConstraints: [{ topologyKey: 'z', maxSkew: 1.5 }] },
    path: 'spec.topologySpreadConstraints[0].maxSkew',
  },
  { spec: { overhead: { cpu: 'much' } }, path: 'spec.overhead.cpu' },
  {
    spec: { affinity: { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1 }] } } },
    path: 'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].podAffinityTerm',
  },
];

for (const { spec, path } of refusals) {
  test(`a pod with a wrong ${path} is refused`, () => {
    assert.throws(
      () => withSpec(spec),
      (problem) => problem instanceof FieldProblem && problem.path === path,
    );
  });
}
