const NOW_MS = Date.UTC(2026, 7, 20, 12);
const NODES = 50;
const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'];

/**
 * Fifty nodes that are a third full, on each of which a pod came or went less than a minute ago, in a pool with
 * consolidateAfter: 60s (aws/karpenter-provider-aws#9207). As a Decant snapshot; always the same.
 */
export function restlessPool(): string {
  const objects = [
    nodePool(),
    nodeClass(),
    ...Array.from({ length: NODES }, (_, i) => [...machine(i), ...pods(i)]).flat(),
  ];
  return `{"now":"${time(0)}","objects":[\n${objects.map((o) => JSON.stringify(o)).join(',\n')}\n]}\n`;
}

function time(agoMs: number): string {
  return new Date(NOW_MS - agoMs).toISOString();
}

/** Between 2 and 58 seconds ago, scattered: 17 and 57 have no divisor in common. */
function lastEventMs(i: number): number {
  return (2 + ((i * 17) % 57)) * 1000;
}

function nodePool() {
  const amongst = (key: string, ...values: string[]) => ({ key, operator: 'In', values });
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'workers' },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
          requirements: [
            amongst('kubernetes.io/arch', 'amd64'),
            amongst('karpenter.sh/capacity-type', 'on-demand'),
            amongst('node.kubernetes.io/instance-type', 'm6a.xlarge'),
          ],
        },
      },
      disruption: {
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        consolidateAfter: '60s',
        budgets: [{ nodes: '6' }],
      },
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function nodeClass() {
  return {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    status: { subnets: ZONES.map((zone) => ({ id: `subnet-${zone}`, zone })) },
  };
}

function nodeName(i: number): string {
  return `worker-${String(i + 1).padStart(2, '0')}`;
}

function machine(i: number) {
  const zone = ZONES[i % ZONES.length];
  const name = nodeName(i);
  const providerID = `aws:///${zone}/${name}`;
  const labels = {
    'karpenter.sh/nodepool': 'workers',
    'karpenter.sh/capacity-type': 'on-demand',
    'node.kubernetes.io/instance-type': 'm6a.xlarge',
    'topology.kubernetes.io/zone': zone,
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
  };
  const up = { 'kubernetes.io/hostname': name, 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' };
  const hour = 3_600_000;
  return [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, creationTimestamp: time(24 * hour), labels: { ...labels, ...up } },
      spec: { providerID },
      status: {
        allocatable: { cpu: '3920m', memory: '14162Mi', pods: '58' },
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    },
    {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `workers-${i + 1}`, creationTimestamp: time(24 * hour), labels },
      spec: { expireAfter: 'Never' },
      status: {
        nodeName: name,
        providerID,
        lastPodEventTime: time(lastEventMs(i)),
        conditions: [{ type: 'Initialized', status: 'True', lastTransitionTime: time(23 * hour) }],
      },
    },
  ];
}

/** Three or four short jobs' pods of 350 millicores each: a manual drain would need two fifths of the nodes. */
function pods(i: number) {
  return Array.from({ length: 3 + (i % 2) }, (_, k) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `job-${i + 1}-${k}`,
      namespace: 'jobs',
      uid: `job-${i + 1}-${k}`,
      creationTimestamp: time(lastEventMs(i) + k * 20_000),
      ownerReferences: [
        { apiVersion: 'batch/v1', kind: 'Job', name: `job-${i + 1}`, uid: `job-${i + 1}`, controller: true },
      ],
    },
    spec: {
      nodeName: nodeName(i),
      containers: [{ name: 'job', resources: { requests: { cpu: '350m', memory: '1Gi' } } }],
    },
    status: {
      phase: 'Running',
      startTime: time(lastEventMs(i) + k * 20_000),
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }));
}
