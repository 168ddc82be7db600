import fc from 'fast-check';
import type {
  Budget,
  ClusterObjects,
  InstanceType,
  NodePoolObject,
  PodConstraints,
  PodDisruptionBudgetObject,
  PodObject,
  Resources,
} from '../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, HOSTNAME, ON_DEMAND, SPOT, ZONE } from '../../src/engine/cluster/well-known.ts';
import { cluster } from '../build/cluster.ts';
import { app as appSelector, hostPort, is, podsOf, spread, taint, toleration } from '../build/constraints.ts';
import { instanceType, offering, ZONES } from '../build/instance-type.ts';
import { type Machine, machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';
import { daemonPod, daemonSet, pendingPod, pod } from '../build/pod.ts';
import { APPS, mostlyNone, rarely } from '../build/random/vocabulary.ts';
import { GIB, HOUR_MS, NOW_MS } from '../build/units.ts';

/**
 * Clusters on which there is much to do: nodes that are dear for what runs on them, pods with few constraints, prices that
 * grow with size. `anyCluster` has every oddity there is, and therefore mostly plans of no move or one.
 */
const kind = fc.record({
  cpu: fc.constantFrom(2, 4, 8, 16),
  gibPerCpu: fc.constantFrom(2, 4, 8),
  noise: fc.integer({ min: 0, max: 6 }),
  zones: fc.subarray([...ZONES], { minLength: 2 }),
  spot: fc.boolean(),
});

const catalog: fc.Arbitrary<InstanceType[]> = fc
  .uniqueArray(kind, { minLength: 2, maxLength: 6, selector: (k) => `${k.cpu} ${k.gibPerCpu}` })
  .map((list) =>
    list.map(({ cpu, gibPerCpu, noise, zones, spot }) => {
      const price = (cpu * 3 + cpu * gibPerCpu * 0.5 + noise) / 100;
      return instanceType(`t${cpu}-${gibPerCpu}`, {
        cpu: cpu * 1000,
        memory: cpu * gibPerCpu * GIB,
        pods: 4 + cpu * 2,
        offerings: zones.flatMap((zone) => [
          offering(zone, ON_DEMAND, price),
          ...(spot ? [offering(zone, SPOT, price * 0.4)] : []),
        ]),
      });
    }),
  );

const budgets: fc.Arbitrary<Budget[]> = fc.constantFrom(
  [{ nodes: '100%' }],
  [{ nodes: '100%' }],
  [{ nodes: '1' }],
  [{ nodes: '2' }],
  [{ nodes: '1', reasons: ['Underutilized'] }],
  [{ nodes: '2', reasons: ['Empty'] }, { nodes: '3' }],
  [{ nodes: '0', reasons: ['Underutilized'] }],
  [{ nodes: '0' }],
);

const DEDICATED = taint('dedicated');

const pools: fc.Arbitrary<NodePoolObject[]> = fc
  .array(
    fc.record({
      weight: fc.constantFrom(0, 0, 10),
      requirements: mostlyNone(
        3,
        fc.constantFrom(
          is(CAPACITY_TYPE, 'In', ON_DEMAND),
          is(CAPACITY_TYPE, 'In', SPOT),
          is(ZONE, 'In', ZONES[0], ZONES[1]),
        ),
        1,
      ),
      taints: fc.constantFrom([], [], [], [DEDICATED]),
      limits: fc.constantFrom<Resources[]>({}, {}, {}, { cpu: 48_000 }, { nodes: 4 }),
      budgets,
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) => list.map((own, i) => nodePool(['alpha', 'beta', 'gamma'][i], own)));

const other = { web: 'db', db: 'job', job: 'web' } as const;
type App = (typeof APPS)[number];

/** What an app may ask for, with a weight each. */
const CONSTRAINTS: readonly (readonly [weight: number, of: (name: App) => Partial<PodConstraints>])[] = [
  [8, () => ({})],
  [1, (name) => ({ topologySpread: [spread(name, ZONE)] })],
  [1, (name) => ({ topologySpread: [spread(name, HOSTNAME, { maxSkew: 2 })] })],
  [1, (name) => ({ topologySpread: [spread(name, HOSTNAME, { whenUnsatisfiable: 'ScheduleAnyway' })] })],
  [1, (name) => ({ requiredAntiAffinity: [podsOf(name, HOSTNAME)] })],
  [1, (name) => ({ requiredAntiAffinity: [podsOf(other[name], ZONE)] })],
  [1, (name) => ({ requiredAntiAffinity: [podsOf(other[name], HOSTNAME)] })],
  [1, (name) => ({ requiredAffinity: [podsOf(other[name], ZONE)] })],
  [1, (name) => ({ requiredAffinity: [podsOf(name, HOSTNAME)] })],
  [1, () => ({ nodeSelector: { [ZONE]: ZONES[0] } })],
  [1, () => ({ hostPorts: [hostPort(8080)] })],
];

const constraintsOf = (name: App) =>
  fc.oneof(...CONSTRAINTS.map(([weight, of]) => ({ weight, arbitrary: fc.constant(of(name)) })));

interface PodPlan {
  readonly node: number;
  readonly app: App;
  readonly cpu: number;
  readonly memory: number;
  readonly deletionCost: string | undefined;
  readonly ready: string;
  readonly waits: true | undefined;
}

const podPlan: fc.Arbitrary<PodPlan> = fc.record({
  node: fc.nat(19),
  app: fc.constantFrom(...APPS),
  cpu: fc.constantFrom(100, 250, 500, 1000, 1500),
  memory: fc.constantFrom(GIB / 4, GIB / 2, GIB, 3 * GIB),
  // Some ask to go: with less than −2^27 a pod costs nothing to move, and its node counts as empty.
  deletionCost: rarely(12, fc.constantFrom('-300000000', '100000000')),
  ready: fc.constantFrom('True', 'True', 'True', 'False'),
  waits: rarely(30, fc.constant(true)),
});

interface MachinePlan {
  readonly pool: number;
  readonly type: number;
  readonly offering: number;
  readonly deleting: true | undefined;
}

const machinePlan: fc.Arbitrary<MachinePlan> = fc.record({
  pool: fc.nat(5),
  type: fc.nat(11),
  offering: fc.nat(11),
  deleting: rarely(30, fc.constant(true)),
});

const budgetOf = (name: App): fc.Arbitrary<PodDisruptionBudgetObject> =>
  fc.record({
    namespace: fc.constant('default'),
    name: fc.constant(`${name}-budget`),
    selector: fc.constant(appSelector(name)),
    disruptionsAllowed: fc.constantFrom(1, 1, 2, 0),
    fullyBlocking: fc.constant(false),
    evictsUnhealthy: fc.boolean(),
  });

const podDisruptionBudgets = fc
  .tuple(...APPS.map((name) => rarely(3, budgetOf(name))))
  .map((list) => list.filter((b) => b !== undefined));

/** 2–12 nodes in 1–3 pools, up to 30 pods of three apps, one DaemonSet or none. */
export const anyFleet: fc.Arbitrary<ClusterObjects> = fc
  .record({
    types: catalog,
    pools,
    machines: fc.array(machinePlan, { minLength: 2, maxLength: 12, size: 'max' }),
    pods: fc.array(podPlan, { maxLength: 30, size: 'max' }),
    constraints: fc.record({ web: constraintsOf('web'), db: constraintsOf('db'), job: constraintsOf('job') }),
    agent: fc.boolean(),
    podDisruptionBudgets,
    spotToSpot: fc.boolean(),
  })
  .map((plan) => {
    const names = plan.machines.map((_, i) => `node-${i}`);
    const daemonSets = plan.agent ? [AGENT] : [];
    return cluster({
      instanceTypes: plan.types,
      nodePools: plan.pools,
      machines: plan.machines.map((own, i) => buildMachine(own, names[i], plan.pools, plan.types)),
      pods: [
        ...plan.pods.map((own, i) => buildPod(own, i, names, plan.constraints)),
        ...daemonSets.flatMap((set) => names.map((name) => daemonPod(set, name))),
      ],
      daemonSets,
      podDisruptionBudgets: plan.podDisruptionBudgets,
      options: { spotToSpot: plan.spotToSpot },
    });
  });

const AGENT = daemonSet('agent', { cpu: 100, memory: GIB / 8, tolerations: [toleration('')] });

function buildMachine(
  plan: MachinePlan,
  name: string,
  nodePools: readonly NodePoolObject[],
  types: readonly InstanceType[],
): Machine {
  const pool = nodePools[plan.pool % nodePools.length];
  const type = types[plan.type % types.length];
  const { requirements } = type.offerings[plan.offering % type.offerings.length];
  const labelled = (key: string) => requirements.find((r) => r.key === key)?.values?.[0];
  return machine(name, {
    pool: pool.name,
    type,
    zone: labelled(ZONE),
    capacityType: labelled(CAPACITY_TYPE),
    taints: pool.taints,
    deleting: plan.deleting,
  });
}

function buildPod(
  { node, app, waits, ...own }: PodPlan,
  i: number,
  names: readonly string[],
  constraints: Readonly<Record<App, Partial<PodConstraints>>>,
): PodObject {
  const sketch = {
    ...own,
    ...constraints[app],
    labels: { app },
    owner: app,
    tolerations: [toleration(DEDICATED.key)],
    // No two of one age, so that their order is not a matter of names.
    createdMs: NOW_MS - HOUR_MS - i,
  };
  return waits === true
    ? pendingPod(`pod-${i}`, { ...sketch, ready: '' })
    : pod(`pod-${i}`, { ...sketch, on: names[node % names.length] });
}
