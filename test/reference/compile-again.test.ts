import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { hasBit } from '../../src/engine/cluster/bitset.ts';
import type { ClusterObjects, NodeObject, PodObject } from '../../src/engine/cluster/objects.ts';
import { HOSTNAME } from '../../src/engine/cluster/well-known.ts';
import { compile, compileSteps } from '../../src/engine/scheduling/compile.ts';
import { CompileCache } from '../../src/engine/scheduling/compile-cache.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import type { GroupId } from '../../src/engine/scheduling/group-rules.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { NO_VOLUMES } from '../../src/engine/scheduling/volumes.ts';
import { STOCK_RULES } from '../../src/engine/settings.ts';
import { resultOf } from '../../src/engine/steps.ts';
import { rules } from '../build/policy.ts';
import { anyCluster } from '../build/random/cluster.ts';
import { runs } from '../build/runs.ts';
import { removableRows } from './removable.ts';
import { stateOf } from './state.ts';

/** A few things that happen between two passes; everything else is the same object. */
const change = fc.record({
  what: fc.constantFrom(
    'nothing',
    'pod-restarts',
    'pod-restarts',
    'pod-goes',
    'pod-moves',
    'pod-waits',
    'pod-protected',
    'twin-comes',
    'node-joins',
    'node-goes',
    'node-changes',
    'node-leaves',
    'csi-node-changes',
    'budget-used-up',
    'order',
  ),
  which: fc.nat(),
  laterMs: fc.nat(600_000),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function after(objects: ClusterObjects, { what, which, laterMs }: Change): ClusterObjects {
  const { nodes, pods, nodeClaims, csiNodes } = objects;
  const now = { ...objects, nowMs: objects.nowMs + laterMs };
  const at = <T>(list: readonly T[]) => (list.length === 0 ? -1 : which % list.length);
  const withPod = (make: (pod: PodObject) => readonly PodObject[]) =>
    ({ ...now, pods: pods.flatMap((pod, i) => (i === at(pods) ? make(pod) : [pod])) }) satisfies ClusterObjects;
  const withNode = (make: (node: NodeObject) => readonly NodeObject[]) =>
    ({ ...now, nodes: nodes.flatMap((node, i) => (i === at(nodes) ? make(node) : [node])) }) satisfies ClusterObjects;
  switch (what) {
    case 'nothing':
      return now;
    case 'pod-restarts':
      return withPod((pod) => [{ ...pod, name: `${pod.name}~`, uid: `${pod.uid}~` }]);
    case 'pod-goes':
      return withPod(() => []);
    case 'pod-moves':
      return withPod((pod) => [{ ...pod, nodeName: nodes[laterMs % nodes.length]?.name ?? '' }]);
    case 'pod-waits':
      return withPod((pod) => [{ ...pod, nodeName: '', phase: 'Pending', unschedulable: true }]);
    case 'pod-protected':
      return withPod((pod) => [{ ...pod, doNotDisrupt: '20m', startedMs: objects.nowMs }]);
    case 'twin-comes':
      return {
        ...now,
        pods: [
          ...pods,
          ...pods
            .slice(at(pods))
            .slice(0, 1)
            .map((p) => ({ ...p, name: `${p.name}+` })),
        ],
      };
    case 'node-joins':
      return withNode((node) => [node, joined(node, which, now.nowMs)]);
    case 'node-goes':
      return withNode(() => []);
    case 'node-changes':
      return withNode((node) => [{ ...node, labels: { ...node.labels, 'topology.kubernetes.io/zone': 'elsewhere' } }]);
    case 'node-leaves':
      return { ...now, nodeClaims: nodeClaims.map((c, i) => (i === at(nodeClaims) ? { ...c, terminating: true } : c)) };
    case 'csi-node-changes':
      return {
        ...now,
        csiNodes: csiNodes.map((c, i) => (i === at(csiNodes) ? { ...c, limits: noneOf(c.limits) } : c)),
      };
    case 'budget-used-up':
      return { ...now, podDisruptionBudgets: objects.podDisruptionBudgets.map((b) => ({ ...b, fullyBlocking: true })) };
    case 'order':
      return { ...now, pods: pods.toReversed() };
  }
}

function noneOf(limits: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.keys(limits).map((driver) => [driver, 0]));
}

function joined(node: NodeObject, which: number, createdMs: number): NodeObject {
  const name = `joined-${which}`;
  return { ...node, name, providerId: '', labels: { ...node.labels, [HOSTNAME]: name }, createdMs };
}

/** All that a compiled cluster says, in names: numbers of groups, domains and shapes depend on earlier clusters. */
function saidBy(cluster: CompiledCluster): unknown {
  const { rows, pods, requests, free, destinations, shapeOfPod, membershipOfPod, nodeSets } = cluster;
  const { volumeLimits, ports } = cluster;
  const nameOf = (pod: number) => `${pods[pod].namespace}/${pods[pod].name} ${pods[pod].uid}`;
  const groupsOf = (groups: readonly GroupId[]) => groups.map((g) => saidOf(cluster, g)).sort();
  const inUse = new Set(
    shapeOfPod.flatMap((shape) => [
      ...(shape?.repels ?? []),
      ...(shape?.stages ?? []).flatMap(({ byHost, byDomain }) => [...byHost, ...byDomain]),
    ]),
  );
  const heeded = (groups: readonly GroupId[]) => groupsOf(groups.filter((g) => inUse.has(g)));
  return {
    rows: rows.map(({ name }, row) => ({
      name,
      pods: cluster.podsOfRow[row].map(nameOf),
      movable: cluster.movableOfRow[row].map(nameOf),
      free: [...requests.dimensions].map(([resource, d]) => [resource, free[d][row]]).sort(),
      isDestination: hasBit(destinations, row),
      isFull: volumeLimits.isExceeded(row),
      attachesNo: pods.filter((_, pod) => volumeLimits.exceeds(row, cluster.volumesOfPod.get(pod) ?? NO_VOLUMES))
        .length,
      clashes: pods.map(({ constraints }) => ports.clash(row, constraints.hostPorts)),
      // Sets may contain too many rows, and never too few.
      isFound: pods.every((_, pod) =>
        requests
          .amounts(cluster.requestOfPod[pod])
          .every((amount, d) => amount > free[d][row] || hasBit(cluster.freeIndex[d].atLeast(amount), row)),
      ),
    })),
    pods: pods.map((_, pod) => ({
      name: nameOf(pod),
      row: rows[cluster.rowOfPod[pod]]?.name,
      request: [...requests.amounts(cluster.requestOfPod[pod])].sort(),
      hasVolumes: cluster.volumesOfPod.has(pod),
      stages: shapeOfPod[pod]?.stages.map((stage) => ({
        nodes: rows.filter((_row, row) => hasBit(nodeSets.nodesFor(stage.nodeClass), row)).map(({ name }) => name),
        groups: groupsOf([...stage.byHost, ...stage.byDomain]),
      })),
      repels: groupsOf(shapeOfPod[pod]?.repels ?? []),
      counted: heeded(membershipOfPod[pod].counted),
      running: heeded(membershipOfPod[pod].running),
      repelled: heeded([...membershipOfPod[pod].repelledByHost, ...membershipOfPod[pod].repelledByDomain]),
    })),
    pending: cluster.pending.map(nameOf),
    leaving: cluster.leaving.map(nameOf),
  };
}

/** What a group counts, by the names of its domains. */
function saidOf({ counts }: CompiledCluster, group: GroupId): string {
  const { kind, inverse, key, maxSkew, minDomains, domains } = counts.groups[group];
  const pods = domains.names.flatMap((name, domain) => {
    const n = domains.byHost ? counts.hosts.get(group, domain) : counts.pods[group][domain];
    return n === 0 ? [] : [`${name}=${n}`];
  });
  const known = domains.byHost ? [] : domains.names.filter((_, domain) => counts.knows(group, domain));
  const nodes = domains.byHost
    ? []
    : domains.names.flatMap((name, domain) => {
        const rows = [...domains.ofRow.keys()].filter((row) => domains.ofRow[row] === domain);
        return rows.length === 0 ? [] : [`${name}: ${rows}`];
      });
  const counting = [...domains.ofRow.keys()].filter((row) => counts.counts(group, row));
  return JSON.stringify({
    rule: { kind, inverse, key, maxSkew, minDomains },
    pods: pods.sort(),
    populated: counts.populated[group],
    known: known.sort(),
    nodes: nodes.sort(),
    counting,
  });
}

describe('a cluster that is compiled from the last one', () => {
  for (const { settings } of [rules(), STOCK_RULES]) {
    test(`says what it says when compiled from scratch, compat ${settings.compat}`, () => {
      let [rowsKept, groupsKept, all] = [0, 0, 0];
      fc.assert(
        fc.property(anyCluster, fc.array(change, { minLength: 3, maxLength: 12 }), (objects, changes) => {
          const cache = new CompileCache();
          let view = objects;
          let last = compile(view, settings, cache);
          for (const each of changes) {
            view = after(view, each);
            const now = resultOf(compileSteps(view, settings, cache, last));
            assert.deepEqual(saidBy(now), saidBy(compile(view, settings)));
            // Simulations use what the next cluster takes over, and leave it as they found it.
            const simulation = new Simulation(now);
            const before = stateOf(simulation);
            for (const row of removableRows(now)) simulation.removing([row], () => {});
            assert.deepEqual(stateOf(simulation), before);
            if (each.what !== 'nothing') {
              all++;
              groupsKept += Number(now.membershipAmong === last.membershipAmong && last.groups.list.length > 0);
              rowsKept += Number(now.podsOfRow.some((pods) => pods.length > 0 && last.podsOfRow.includes(pods)));
            }
            // Every third is abandoned: the next one is compiled from the same last cluster.
            if (each.which % 3 > 0) last = now;
          }
        }),
        runs(60),
      );
      assert.ok(rowsKept > all / 4 && groupsKept > all / 4, `${rowsKept} and ${groupsKept} of ${all}`);
    });
  }
});
