import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PLAINLY } from '../../../test/build/cluster.ts';
import { InputError } from '../../config/input-error.ts';
import { compile } from '../../engine/scheduling/compile.ts';
import { DEFAULT_OPTIONS } from '../decode/karpenter-options.ts';
import { ObjectCollection } from '../decode/object-collection.ts';
import { DocumentReader } from './document-reader.ts';
import { SnapshotHeader } from './snapshot-header.ts';

const SPEC = {
  nodeName: 'n',
  priority: 7,
  containers: [
    {
      name: 'c',
      resources: { requests: { cpu: '1', 'a.b/c': 1 }, limits: { cpu: '2' } },
      ports: [{ hostPort: 80, hostIP: '', protocol: 'TCP' }],
    },
  ],
  initContainers: [{ name: 'i', restartPolicy: 'Always', resources: { requests: { memory: '1Gi' } } }],
  overhead: { cpu: '10m' },
  nodeSelector: { a: 'b' },
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
      },
    },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } }, namespaces: ['x'] },
      ],
    },
  },
  tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }],
  topologySpreadConstraints: [
    { topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {}, minDomains: 2 },
  ],
  volumes: [
    { name: 'v', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'w', ephemeral: {} },
    { name: 'x', csi: { volumeAttributes: { a: 'b' } } },
  ],
};
const METADATA = {
  name: 'x',
  uid: 'u',
  creationTimestamp: '2026-08-20T12:00:00Z',
  labels: { app: 'web' },
  annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
  ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u', controller: true }],
};
const named = (kind: string, apiVersion: string, more: object, namespace?: string) => ({
  apiVersion,
  kind,
  metadata: namespace === undefined ? METADATA : { ...METADATA, namespace },
  ...more,
});
const STATUS = {
  capacity: { cpu: '4' },
  allocatable: { cpu: '4', memory: '8Gi', pods: 110 },
  conditions: [{ type: 'Ready', status: 'True', reason: 'r', lastTransitionTime: '2026-08-20T12:00:00Z' }],
};
const TAINTS = [{ key: 'a', value: 'b', effect: 'NoSchedule' }];

/** One object of every kind, with every field that is read. */
const OBJECTS = [
  named(
    'Pod',
    'v1',
    {
      spec: SPEC,
      status: {
        phase: 'Running',
        startTime: '2026-08-20T12:00:00Z',
        conditions: STATUS.conditions,
        containerStatuses: [{ name: 'c', resources: { requests: { cpu: '1' } }, allocatedResources: { cpu: '1' } }],
      },
    },
    'shop',
  ),
  named('Node', 'v1', { spec: { providerID: 'p', taints: TAINTS }, status: STATUS }),
  named('NodeClaim', 'karpenter.sh/v1', {
    spec: { taints: TAINTS, startupTaints: TAINTS, expireAfter: '720h' },
    status: { ...STATUS, providerID: 'p', nodeName: 'n', lastPodEventTime: '2026-08-20T12:00:00Z' },
  }),
  named('NodePool', 'karpenter.sh/v1', {
    spec: {
      weight: 1,
      limits: { cpu: '100' },
      template: {
        metadata: { labels: { a: 'b' } },
        spec: {
          requirements: [{ key: 'a', operator: 'In', values: ['b'], minValues: 1 }],
          taints: TAINTS,
          expireAfter: 'Never',
          nodeClassRef: { group: 'g', kind: 'K', name: 'n' },
        },
      },
    },
    status: { conditions: STATUS.conditions },
  }),
  named('DaemonSet', 'apps/v1', { spec: { template: { metadata: { labels: { a: 'b' } }, spec: SPEC } } }, 'shop'),
  named(
    'PodDisruptionBudget',
    'policy/v1',
    { spec: { selector: { matchLabels: { a: 'b' } }, maxUnavailable: 1 }, status: { disruptionsAllowed: 1 } },
    'shop',
  ),
  named('PersistentVolume', 'v1', {
    spec: {
      csi: { driver: 'd' },
      nodeAffinity: {
        required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }] },
      },
    },
  }),
  named(
    'PersistentVolumeClaim',
    'v1',
    { spec: { volumeName: 'v', storageClassName: 's' }, status: { phase: 'Bound' } },
    'shop',
  ),
  named('StorageClass', 'storage.k8s.io/v1', {
    provisioner: 'd',
    volumeBindingMode: 'Immediate',
    allowedTopologies: [{ matchLabelExpressions: [{ key: 'a', values: ['b'] }] }],
  }),
  named('CSINode', 'storage.k8s.io/v1', { spec: { drivers: [{ name: 'd', allocatable: { count: 5 } }] } }),
  named('Deployment', 'apps/v1', { spec: { replicas: 3 }, status: { readyReplicas: 3 } }, 'shop'),
  named('Namespace', 'v1', {}),
  named('PriorityClass', 'scheduling.k8s.io/v1', { value: 5 }),
];

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? value.map((v, i) => [i, v] as const) : Object.entries(value);
  return [...(path.length === 0 ? [] : [path]), ...entries.flatMap(([key, v]) => pathsOf(v, [...path, key]))];
}

function withValue(object: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const copy = (Array.isArray(object) ? [...object] : { ...(object as object) }) as Record<string | number, unknown>;
  copy[key] = withValue(copy[key], rest, value);
  return copy;
}

const HOSTILE = [
  null,
  true,
  -1,
  0.5,
  2 ** 63,
  1e308,
  '',
  '1e102',
  '-5',
  'constructor',
  '\u0000',
  'x'.repeat(1e5),
  [],
  [null],
  [[]],
  {},
  { a: null },
  JSON.parse('{"__proto__":{"a":1}}'),
  { constructor: 'x' },
];
/** Without these it is not clear which object it is. */
const IDENTITY =
  /^(kind|apiVersion|metadata|metadata,name|metadata,namespace|spec|spec,nodeName|status|status,nodeName)$/;

const mutation = fc.constantFrom(...OBJECTS).chain((object) =>
  fc.record({
    object: fc.constant(object),
    path: fc.constantFrom(...pathsOf(object).filter((path) => !IDENTITY.test(path.join()))),
    value: fc.oneof(fc.constantFrom(...HOSTILE), fc.jsonValue({ maxDepth: 2 })),
  }),
);

test('whatever the value of a field, the object is decoded or set aside, and the rest of the cluster is compiled', () => {
  fc.assert(
    fc.property(mutation, ({ object, path, value }) => {
      const collection = new ObjectCollection();
      const documents = new DocumentReader('file', collection, new SnapshotHeader());
      const others = OBJECTS.filter((each) => each !== object);
      documents.document({ kind: 'List', items: [withValue(object, path, value), ...others] }, 'document 1');
      const { objects } = collection.finish(0, DEFAULT_OPTIONS);
      assert.equal(objects.undecodable.length, documents.warnings.length);
      assert.ok(objects.undecodable.length <= 1);
      compile({ ...objects, instanceTypes: [] }, PLAINLY);
    }),
    { numRuns: 1500 },
  );
});

test('without a name, a namespace or a node it is the file that is broken', () => {
  for (const path of [
    ['metadata', 'name'],
    ['metadata', 'namespace'],
    ['spec', 'nodeName'],
  ]) {
    const documents = new DocumentReader('file', new ObjectCollection(), new SnapshotHeader());
    assert.throws(() => documents.document(withValue(OBJECTS[0], path, 7), 'document 1'), InputError);
  }
});

test('a pod with more affinity terms than a pass can compare is set aside with a warning', () => {
  const term = (i: number) => ({ topologyKey: 'zone', labelSelector: { matchLabels: { app: `a${i}` } } });
  const many = Array.from({ length: 700 }, (_, i) => ({ weight: 1, podAffinityTerm: term(i) }));
  const affinity = { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: many } };
  const collection = new ObjectCollection();
  const documents = new DocumentReader('file', collection, new SnapshotHeader());
  documents.document(
    {
      kind: 'List',
      items: [
        { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n' } },
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'many' },
          spec: { nodeName: 'n', containers: [], affinity },
        },
      ],
    },
    'document 1',
  );
  const { objects, warnings } = collection.finish(0, DEFAULT_OPTIONS);
  assert.deepEqual(objects.pods[0].constraints.preferredAffinity, []);
  assert.deepEqual(
    objects.undecodable.map(({ name, nodeName }) => `${name} on ${nodeName}`),
    ['many on n'],
  );
  assert.match(warnings.join(), /^Pod default\/many is set aside, its node stays: the scheduling constraints/);
});
