import { loadCatalog } from '../../src/catalog/load.ts';
import type { Offering } from '../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, ZONE } from '../../src/engine/cluster/well-known.ts';
import { workloadScenario } from '../../src/lab/workload.ts';
import { offeringLabel } from '../../src/simulator/offerings.ts';
import { RandomStreams } from '../../src/simulator/random-streams.ts';
import type { Scenario } from '../../src/simulator/scenario.ts';

/** Hours of a run. Replicas change on the hour, so that there are few times at which something can be decided. */
export const HOURS = 4;

const PLACE = { zone: 'us-east-1a', capacityType: 'on-demand' };

const REQUESTS = [
  { cpu: '640m', memory: '1Gi' },
  { cpu: '960m', memory: '2Gi' },
  { cpu: '1280m', memory: '3Gi' },
];

/**
 * A workload of two Deployments and, for every other seed, a Job, with at most twelve pods on nodes of one instance type.
 * Nothing in it is random but the replicas, which the seed fixes: delays have one value.
 */
export async function smallWorkload(seed: number): Promise<Scenario> {
  const random = new RandomStreams(seed).stream('small');
  const among = (most: number) => Math.floor(random.uniform() * (most + 1));
  const deployment = (i: number) => ({
    kind: 'Deployment',
    name: `service-${i}`,
    requests: REQUESTS[among(REQUESTS.length - 1)],
    replicas: {
      base: 4 + among(3),
      steps: Array.from({ length: HOURS - 1 }, (_, hour) => ({ after: `${hour + 1}h`, replicas: 1 + among(4) })),
    },
    startup: '5s',
    shutdown: '5s',
  });
  const job = {
    kind: 'CronJob',
    name: 'batch',
    every: '3h',
    pods: 1 + among(1),
    runTime: `${1 + among(1)}h50m`,
    requests: REQUESTS[0],
    startup: '5s',
    shutdown: '5s',
  };
  const document = {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Workload',
    name: `small-${seed}`,
    cluster: { launchDelay: '30s', initDelay: '15s', terminationDelay: '15s' },
    nodePools: [
      {
        metadata: { name: 'default' },
        spec: {
          template: {
            spec: {
              nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
              expireAfter: 'Never',
              requirements: [
                { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m6a.xlarge'] },
                { key: 'topology.kubernetes.io/zone', operator: 'In', values: [PLACE.zone] },
                { key: 'karpenter.sh/capacity-type', operator: 'In', values: [PLACE.capacityType] },
              ],
            },
          },
          disruption: {
            consolidationPolicy: 'WhenEmptyOrUnderutilized',
            consolidateAfter: '1m',
            budgets: [{ nodes: '100%' }],
          },
        },
      },
    ],
    apps: [deployment(1), deployment(2), ...(seed % 2 === 0 ? [job] : [])],
  };
  const scenario = await workloadScenario(document, document.name, async (name) => (await loadCatalog({ name })).types);
  const offered = (o: Offering) =>
    offeringLabel(o, ZONE) === PLACE.zone && offeringLabel(o, CAPACITY_TYPE) === PLACE.capacityType;
  // Only what the pool can launch: the exact search takes the cheapest offering for its lower bound.
  const instanceTypes = scenario.instanceTypes.map((t) => ({ ...t, offerings: t.offerings.filter(offered) }));
  return { ...scenario, instanceTypes };
}
