import fc from 'fast-check';
import type { ClusterObjects, PodDisruptionBudgetObject } from '../../../src/engine/cluster/objects.ts';
import { cluster } from '../cluster.ts';
import { app as appSelector } from '../constraints.ts';
import { catalog } from './catalog.ts';
import { buildDaemons, daemonPlans } from './daemon-sets.ts';
import { buildMachine, machinePlans } from './machines.ts';
import { appConstraints, buildPod, podPlans } from './pods.ts';
import { pools } from './pools.ts';
import { csiNodes, diskLimits, STORAGE } from './storage.ts';
import { app, rarely } from './vocabulary.ts';

const budget: fc.Arbitrary<PodDisruptionBudgetObject> = fc.record({
  namespace: fc.constant('default'),
  name: fc.constant('budget'),
  selector: app.map(appSelector),
  disruptionsAllowed: fc.constantFrom(0, 1),
  fullyBlocking: fc.constantFrom(true, false, false),
  evictsUnhealthy: fc.boolean(),
});

const options = fc.record({
  spotToSpot: fc.boolean(),
  preferences: fc.constantFrom('Respect', 'Respect', 'Respect', 'Ignore'),
  minValues: fc.constantFrom('Strict', 'Strict', 'BestEffort'),
});

/** Small clusters with every kind of constraint: 2–8 nodes, up to 15 pods besides DaemonSets, 1–3 pools, 1–4 types. */
export const anyCluster: fc.Arbitrary<ClusterObjects> = fc
  .record({
    pools,
    types: catalog,
    machines: machinePlans,
    pods: podPlans,
    apps: appConstraints,
    daemons: daemonPlans,
    disks: diskLimits,
    budget: rarely(8, budget),
    options,
  })
  .map((plan) => {
    const machines = plan.machines.map((m, i) => buildMachine(m, i, plan.pools, plan.types));
    const nodeNames = machines.flatMap(({ node }) => (node === undefined ? [] : [node.name]));
    const daemons = buildDaemons(plan.daemons, nodeNames);
    return cluster({
      ...STORAGE,
      machines,
      nodePools: plan.pools,
      instanceTypes: plan.types,
      pods: [...plan.pods.map((p, i) => buildPod(p, i, nodeNames, plan.apps)), ...daemons.pods],
      daemonSets: daemons.sets,
      csiNodes: csiNodes(plan.disks),
      namespaces: [
        { name: 'default', labels: {} },
        { name: 'other', labels: { team: 'blue' } },
      ],
      podDisruptionBudgets: plan.budget === undefined ? [] : [plan.budget],
      options: plan.options,
    });
  });
