import type { ClusterObjects, PodAffinityTerm, TopologySpread } from '../../src/engine/cluster/objects.ts';
import { HOSTNAME, ZONE } from '../../src/engine/cluster/well-known.ts';
import { hostPort, is, nodeWith, toleration, weighing } from '../../test/build/constraints.ts';
import {
  besideOrdinaryPods,
  type HostilePods,
  hash,
  hostileCluster,
  hostilePod,
  hostileSelector,
} from '../../test/build/hostile-pods.ts';
import type { PodSketch } from '../../test/build/pod.ts';
import { podDisruptionBudget } from '../../test/build/pod-disruption-budget.ts';

export interface Attack {
  readonly name: string;
  readonly cluster: () => ClusterObjects;
}

const PODS = 1000;
const TERMS = 10;

/** What a user who may create pods and PodDisruptionBudgets can ask of one pass. */
export const ATTACKS: readonly Attack[] = [
  antiAffinity('anti-affinity by host to every pod', { selecting: 'everybody', key: () => HOSTNAME }),
  antiAffinity('anti-affinity by zone to every pod', { selecting: 'everybody', key: () => ZONE }),
  antiAffinity('anti-affinity by absent keys', { selecting: 'everybody', key: (i, j) => `key-${i}-${j}` }),
  antiAffinity('anti-affinity by host to random pods', { selecting: 'some', key: () => HOSTNAME }),
  antiAffinity('anti-affinity by zone to random pods', { selecting: 'some', key: () => ZONE }),
  antiAffinity('400 × 40 anti-affinity by zone', { pods: 400, terms: 40, selecting: 'everybody', key: () => ZONE }),
  antiAffinity('700 × 40 with an impossible selector', {
    pods: 700,
    terms: 40,
    selecting: 'everybody',
    key: () => ZONE,
    sketch: { nodeSelector: { nowhere: 'here' } },
  }),
  eachWith('preferred anti-affinity by zone to random pods', (i) => ({
    preferredAntiAffinity: terms(i, ZONE).map((term, j) => weighing(1 + ((i + j) % 100), term)),
  })),
  eachWith('affinity by zone to random pods', (i) => ({ requiredAffinity: terms(i, ZONE) })),
  eachWith('spread by zone over random pods', (i) => ({ topologySpread: spreads(i, 'DoNotSchedule') })),
  eachWith('preferred spread by zone over random pods', (i) => ({ topologySpread: spreads(i, 'ScheduleAnyway') })),
  eachWith('node affinity, 20 terms of 20 expressions', (i) => ({
    requiredNodeTerms: Array.from({ length: 20 }, (_, j) =>
      nodeWith(...Array.from({ length: 20 }, (__, k) => is(`key-${k}`, 'NotIn', `a-${i}`, `b-${j}`))),
    ),
  })),
  eachWith('preferred node affinity, 50 terms', (i) => ({
    preferredNodeTerms: Array.from({ length: 50 }, (_, j) => weighing(1 + j, nodeWith(is(`k-${j}`, 'In', `v-${i}`)))),
  })),
  eachWith('50 tolerations', (i) => ({
    tolerations: Array.from({ length: 50 }, (_, j) => toleration(`key-${i}-${j}`)),
  })),
  eachWith('50 host ports', (i) => ({
    hostPorts: Array.from({ length: 50 }, (_, j) => hostPort(1 + (hash(i, j) % 65_535))),
  })),
  eachWith('300 required labels', (i) => ({
    nodeSelector: Object.fromEntries(Array.from({ length: 300 }, (_, j) => [`key-${i}-${j}`, 'x'])),
  })),
  eachWith('running: 300 required labels', (i) => ({
    ...running(i),
    nodeSelector: Object.fromEntries(Array.from({ length: 300 }, (_, j) => [`key-${i}-${j}`, 'x'])),
  })),
  eachWith('running: 300 host ports', (i) => ({
    ...running(i),
    hostPorts: Array.from({ length: 300 }, (_, j) => hostPort(1 + ((300 * i + j) % 65_535))),
  })),
  eachWith('20 resources that nothing has', (i) => ({
    extra: Object.fromEntries(Array.from({ length: 20 }, (_, j) => [`example.com/r-${i}-${j}`, 1])),
  })),
  eachWith('200 labels', (i) => ({
    labels: Object.fromEntries(Array.from({ length: 200 }, (_, j) => [`key-${i}-${j}`, 'x'])),
    requiredAntiAffinity: terms(i, ZONE),
  })),
  eachWith('running: anti-affinity by zone to random pods', (i) => ({
    ...running(i),
    requiredAntiAffinity: terms(i, ZONE),
  })),
  eachWith('running: preferred anti-affinity by zone', (i) => ({
    ...running(i),
    preferredAntiAffinity: terms(i, ZONE).map((term) => weighing(1, term)),
  })),
  eachWith('running: spread by zone over random pods', (i) => ({
    ...running(i),
    topologySpread: spreads(i, 'DoNotSchedule'),
  })),
  eachWith('running: affinity by zone to random pods', (i) => ({ ...running(i), requiredAffinity: terms(i, ZONE) })),
  eachWith('running: anti-affinity by host to every pod of any namespace', (i) => ({
    ...running(i),
    requiredAntiAffinity: Array.from({ length: TERMS }, (_, j) => ({
      topologyKey: HOSTNAME,
      labelSelector: hostileSelector('everybody', i, j),
      namespaceSelector: {},
    })),
  })),
  eachWith('running: 10 preferred terms that select no pod', (i) => ({
    ...running(i),
    preferredAffinity: Array.from({ length: TERMS }, (_, j) =>
      weighing(1, { topologyKey: ZONE, labelSelector: hostileSelector('nobody', i, j) }),
    ),
  })),
  eachWith('running: one spread by own label', (i) => ({
    ...running(i),
    topologySpread: [
      {
        topologyKey: ZONE,
        labelSelector: { matchLabels: { app: `hostile-${i}` } },
        maxSkew: 1,
        whenUnsatisfiable: 'DoNotSchedule',
      },
    ],
  })),
  eachWith('the same 200 preferred terms', () => ({
    preferredAntiAffinity: Array.from({ length: 200 }, (_, j) =>
      weighing(1, { topologyKey: ZONE, labelSelector: hostileSelector('some', 0, j) }),
    ),
  })),
  eachWith('anti-affinity in 1,000 namespaces that do not exist', (i) => ({
    requiredAntiAffinity: [
      {
        topologyKey: ZONE,
        labelSelector: {},
        namespaces: Array.from({ length: 1000 }, (_, j) => `namespace-${i}-${j}`),
      },
    ],
  })),
  {
    name: 'running: 1,000 owner references each (115 MB of input)',
    cluster: () =>
      besideOrdinaryPods(
        Array.from({ length: PODS }, (_, i) => ({
          ...hostilePod(i, running(i)),
          owners: Array.from({ length: 1_000 }, (__, j) => ({
            apiVersion: 'apps/v1',
            kind: 'ReplicaSet',
            name: `owner-of-${i}-number-${j}`,
            uid: `00000000-0000-4000-8000-${String(1_000 * i + j).padStart(12, '0')}`,
            controller: false,
          })),
        })),
      ),
  },
  {
    name: '10,000 PodDisruptionBudgets over every pod',
    cluster: () =>
      besideOrdinaryPods(
        Array.from({ length: PODS }, (_, i) => hostilePod(i, {})),
        {
          podDisruptionBudgets: Array.from({ length: 10_000 }, (_, i) =>
            podDisruptionBudget(`pdb-${i}`, '', { selector: hostileSelector('everybody', i, 0) }),
          ),
        },
      ),
  },
];

function antiAffinity(name: string, pods: Partial<HostilePods> & Pick<HostilePods, 'selecting' | 'key'>): Attack {
  return { name, cluster: () => hostileCluster({ pods: PODS, terms: TERMS, ...pods }) };
}

function eachWith(name: string, sketch: (i: number) => PodSketch): Attack {
  return {
    name,
    cluster: () => besideOrdinaryPods(Array.from({ length: PODS }, (_, i) => hostilePod(i, sketch(i)))),
  };
}

/** On twenty nodes, two pods on each besides. */
function running(i: number): PodSketch {
  return { nodeName: `n${i % 20}`, phase: 'Running', unschedulable: false, ready: 'True' };
}

function terms(i: number, topologyKey: string): readonly PodAffinityTerm[] {
  return Array.from({ length: TERMS }, (_, j) => ({ topologyKey, labelSelector: hostileSelector('some', i, j) }));
}

function spreads(i: number, whenUnsatisfiable: TopologySpread['whenUnsatisfiable']): readonly TopologySpread[] {
  return terms(i, ZONE).map(({ topologyKey, labelSelector }) => ({
    topologyKey,
    labelSelector,
    maxSkew: 1,
    whenUnsatisfiable,
  }));
}
