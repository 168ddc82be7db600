import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsedRow } from '../read/parsed-row.ts';
import { DAEMON_SET, DaemonSetDecoder } from './daemon-set.ts';
import { POD, PodDecoder } from './pod.ts';

type Amounts = Record<string, string | number>;
const container = (name: string, requests?: Amounts) => (requests ? { name, resources: { requests } } : { name });
const sidecar = (name: string, requests: Amounts) => ({ ...container(name, requests), restartPolicy: 'Always' });
const status = (name: string, requests?: Amounts, allocatedResources?: Amounts) => ({
  name,
  resources: requests ? { requests } : {},
  allocatedResources,
});
const resizePending = (reason: string) => [{ type: 'PodResizePending', status: 'True', reason }];

/** Expected amounts are what k8s.io/component-helpers v0.35.0 PodRequests answered for these very pods. */
const cases = [
  { name: 'no containers ask for anything', spec: { containers: [container('a')] }, want: {} },
  {
    name: 'containers add up',
    spec: {
      containers: [container('a', { cpu: '100m', memory: '1Gi' }), container('b', { cpu: '1.5', memory: '512Mi' })],
    },
    want: { cpu: 1600, memory: 1610612736 },
  },
  {
    name: 'limits alone ask for nothing',
    spec: { containers: [{ name: 'a', resources: { limits: { cpu: '2' } } }] },
    want: {},
  },
  {
    name: 'sub-unit amounts add up before they are rounded',
    spec: {
      containers: [container('a', { memory: '400m', cpu: '100u' }), container('b', { memory: '400m', cpu: '100u' })],
    },
    want: { cpu: 1, memory: 1 },
  },
  {
    name: 'an init container that needs more',
    spec: {
      containers: [container('a', { cpu: '100m', memory: '1Gi' })],
      initContainers: [container('i', { cpu: '2', memory: '10Mi' })],
    },
    want: { cpu: 2000, memory: 1073741824 },
  },
  {
    name: 'an init container that needs less',
    spec: { containers: [container('a', { cpu: '1' })], initContainers: [container('i', { cpu: '500m' })] },
    want: { cpu: 1000 },
  },
  {
    name: 'init containers run one after another',
    spec: {
      containers: [container('a', { cpu: '100m' })],
      initContainers: [container('i', { cpu: '300m' }), container('j', { cpu: '200m', memory: '1Mi' })],
    },
    want: { cpu: 300, memory: 1048576 },
  },
  {
    name: 'a sidecar adds to the containers',
    spec: {
      containers: [container('a', { cpu: '100m' })],
      initContainers: [sidecar('s', { cpu: '50m', memory: '5Mi' })],
    },
    want: { cpu: 150, memory: 5242880 },
  },
  {
    name: 'an init container after a sidecar runs beside it',
    spec: {
      containers: [container('a', { cpu: '100m' })],
      initContainers: [sidecar('s', { cpu: '50m' }), container('i', { cpu: '120m' })],
    },
    want: { cpu: 170 },
  },
  {
    name: 'an init container before a sidecar does not',
    spec: {
      containers: [container('a', { cpu: '100m' })],
      initContainers: [container('i', { cpu: '120m' }), sidecar('s', { cpu: '50m' })],
    },
    want: { cpu: 150 },
  },
  {
    name: 'two sidecars and init containers between',
    spec: {
      containers: [container('a', { cpu: '10m', memory: '1Mi' })],
      initContainers: [
        sidecar('s', { cpu: '50m' }),
        container('i', { cpu: '100m', memory: '20Mi' }),
        sidecar('t', { cpu: '70m', memory: '2Mi' }),
        container('j', { cpu: '90m' }),
      ],
    },
    want: { cpu: 210, memory: 20971520 },
  },
  {
    name: 'extended resources, one of them a number',
    spec: { containers: [container('a', { 'nvidia.com/gpu': '1' }), container('b', { 'nvidia.com/gpu': 2 })] },
    want: { 'nvidia.com/gpu': 3 },
  },
  {
    name: 'overhead',
    spec: { containers: [container('a', { cpu: '100m' })], overhead: { cpu: '250m', memory: '120Mi' } },
    want: { cpu: 350, memory: 125829120 },
  },
  {
    name: 'pod-level requests replace cpu and memory',
    spec: {
      containers: [container('a', { cpu: '100m', memory: '1Gi', 'nvidia.com/gpu': '1' })],
      resources: { requests: { cpu: '50m', memory: '2Gi' } },
    },
    want: { cpu: 50, memory: 2147483648, 'nvidia.com/gpu': 1 },
  },
  {
    name: 'pod-level requests replace huge pages',
    spec: {
      containers: [container('a', { 'hugepages-2Mi': '4Mi', cpu: '1' })],
      resources: { requests: { 'hugepages-2Mi': '8Mi' } },
    },
    want: { 'hugepages-2Mi': 8388608, cpu: 1000 },
  },
  {
    name: 'pod-level requests of other resources are ignored',
    spec: { containers: [container('a', { cpu: '1' })], resources: { requests: { 'example.com/x': '3' } } },
    want: { cpu: 1000 },
  },
  {
    name: 'pod-level limits change nothing',
    spec: { containers: [container('a', { cpu: '1' })], resources: { limits: { cpu: '4' } } },
    want: { cpu: 1000 },
  },
  {
    name: 'pod-level requests and overhead',
    spec: {
      containers: [container('a', { cpu: '1' })],
      initContainers: [container('i', { cpu: '3' })],
      resources: { requests: { cpu: '2' } },
      overhead: { cpu: '100m' },
    },
    want: { cpu: 2100 },
  },
  {
    name: 'resized down, not yet actuated',
    spec: { containers: [container('a', { cpu: '1', memory: '1Gi' })] },
    status: { containerStatuses: [status('a', { cpu: '2', memory: '1Gi' }, { cpu: '1', memory: '1Gi' })] },
    want: { cpu: 2000, memory: 1073741824 },
  },
  {
    name: 'resized up, not yet allocated',
    spec: { containers: [container('a', { cpu: '3' })] },
    status: { containerStatuses: [status('a', { cpu: '1' }, { cpu: '1' })] },
    want: { cpu: 3000 },
  },
  {
    name: 'resized up, infeasible',
    spec: { containers: [container('a', { cpu: '3' })] },
    status: { containerStatuses: [status('a', { cpu: '1' }, { cpu: '2' })], conditions: resizePending('Infeasible') },
    want: { cpu: 2000 },
  },
  {
    name: 'resized up, deferred',
    spec: { containers: [container('a', { cpu: '3' })] },
    status: { containerStatuses: [status('a', { cpu: '1' }, { cpu: '1' })], conditions: resizePending('Deferred') },
    want: { cpu: 3000 },
  },
  {
    name: 'allocated resources without resources in the status are ignored',
    spec: { containers: [container('a', { cpu: '1' })] },
    status: { containerStatuses: [{ name: 'a', allocatedResources: { cpu: '5' } }] },
    want: { cpu: 1000 },
  },
  {
    name: 'an empty status of resources counts',
    spec: { containers: [container('a', { cpu: '1' })] },
    status: { containerStatuses: [status('a', undefined, { cpu: '5' })] },
    want: { cpu: 5000 },
  },
  {
    name: 'infeasible with an empty status',
    spec: { containers: [container('a', { cpu: '1', memory: '1Mi' })] },
    status: { containerStatuses: [status('a', undefined, { cpu: '500m' })], conditions: resizePending('Infeasible') },
    want: { cpu: 500 },
  },
  {
    name: 'the status of another container',
    spec: { containers: [container('a', { cpu: '1' })] },
    status: { containerStatuses: [status('b', { cpu: '9' }, { cpu: '9' })] },
    want: { cpu: 1000 },
  },
  {
    name: 'the status knows a resource that the spec does not',
    spec: { containers: [container('a', { cpu: '1' })] },
    status: { containerStatuses: [status('a', { memory: '64Mi' }, { cpu: '1', memory: '32Mi' })] },
    want: { cpu: 1000, memory: 67108864 },
  },
  {
    name: 'a resized sidecar',
    spec: { containers: [container('a', { cpu: '1' })], initContainers: [sidecar('s', { cpu: '100m' })] },
    status: { initContainerStatuses: [status('s', { cpu: '300m' }, { cpu: '200m' })] },
    want: { cpu: 1300 },
  },
  {
    name: 'an init container is not resized',
    spec: { containers: [container('a', { cpu: '1' })], initContainers: [container('i', { cpu: '2' })] },
    status: { initContainerStatuses: [status('i', { cpu: '9' }, { cpu: '9' })] },
    want: { cpu: 2000 },
  },
  {
    name: 'a zero request is kept',
    spec: { containers: [container('a', { cpu: '0', memory: '0' })] },
    want: { cpu: 0, memory: 0 },
  },
  {
    name: 'the status of a sidecar comes before that of a container of the same name',
    spec: { containers: [container('x', { cpu: '1' })], initContainers: [sidecar('x', { cpu: '1' })] },
    status: {
      containerStatuses: [status('x', { cpu: '2' }, {})],
      initContainerStatuses: [status('x', { cpu: '4' }, {})],
    },
    want: { cpu: 8000 },
  },
];

for (const { name, spec, status, want } of cases) {
  test(`requests: ${name}`, () => {
    const pod = { kind: 'Pod', metadata: { name: 'web' }, spec, status };
    assert.deepEqual(new PodDecoder().decode(parsedRow(pod, POD)).requests, want);
  });
}

test('requests: in a DaemonSet template limits stand in for missing requests, per container', () => {
  const template = {
    spec: {
      containers: [
        { name: 'a', resources: { requests: { cpu: '100m' }, limits: { cpu: '1', memory: '64Mi' } } },
        { name: 'b', resources: { limits: { cpu: '200m' } } },
      ],
      initContainers: [{ name: 'i', resources: { limits: { memory: '1Gi' } } }],
    },
  };
  const row = parsedRow({ kind: 'DaemonSet', metadata: { name: 'agent' }, spec: { template } }, DAEMON_SET);
  assert.deepEqual(new DaemonSetDecoder().decode(row).requests, { cpu: 300, memory: 1024 ** 3 });
});
