import type { ClusterObjects, Labels, NodeClaimObject, NodeObject, PodObject } from '../cluster/objects.ts';
import {
  CAPACITY_TYPE,
  HOSTNAME,
  INITIALIZED,
  INSTANCE_TYPE,
  NODE_POOL,
  REGISTERED,
  ZONE,
} from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Move } from './move.ts';
import type { Replacement } from './replacement.ts';

/**
 * The cluster after these moves: nodes gone, replacements up as the cheapest of their types, pods where they were
 * placed. All states are old enough that no timer holds back the next move. DaemonSet and
 * other pods that do not move are gone with their nodes; DaemonSets are counted on the new ones by the simulation. `nameOf`: of
 * a new node, by the number of its move and its own, both from 1.
 */
export function clusterAfter(
  cluster: CompiledCluster,
  moves: readonly Move[],
  nameOf: (move: number, replacement: number) => string = (move, replacement) => `new-${move}-${replacement}`,
): ClusterObjects {
  const { objects, rows, pods, rowOfPod } = cluster;
  const gone = new Set(moves.flatMap((move) => move.candidates.map((c) => c.row)));
  const target = new Map<number, string>();
  const machines: { node: NodeObject; claim: NodeClaimObject }[] = [];
  const launchedFor = new Map<number, readonly string[]>();
  for (const [i, { candidates, replacements }] of moves.entries()) {
    const names = replacements.map((r, k) => {
      const name = nameOf(i + 1, k + 1);
      machines.push(launched(cluster, r, name));
      return name;
    });
    for (const { row } of candidates) launchedFor.set(row, names);
  }
  for (const { candidates, placements } of moves) {
    for (const { pod, row, launchedFor: other = candidates[0].row } of placements) {
      // Pending pods stay pending: the provisioner places them.
      if (pods[pod].nodeName === '') continue;
      target.set(pod, row < 0 ? (launchedFor.get(other)?.[-1 - row] as string) : rows[row].name);
    }
  }
  const goneNodes = new Set([...gone].map((row) => rows[row].node));
  const goneClaims = new Set([...gone].map((row) => rows[row].claim));
  return {
    ...objects,
    nodes: [...objects.nodes.filter((n) => !goneNodes.has(n)), ...machines.map((m) => m.node)],
    nodeClaims: [...objects.nodeClaims.filter((c) => !goneClaims.has(c)), ...machines.map((m) => m.claim)],
    pods: pods.flatMap((pod, i): PodObject[] => {
      const nodeName = target.get(i);
      if (nodeName !== undefined) return [{ ...pod, nodeName }];
      return gone.has(rowOfPod[i]) ? [] : [pod];
    }),
  };
}

function launched(
  cluster: CompiledCluster,
  r: Replacement,
  name: string,
): { node: NodeObject; claim: NodeClaimObject } {
  const { objects, templates, types, space } = cluster;
  const { pool } = templates[r.template];
  const type = types.list[r.types[0]];
  const { zone, capacityType } = types.kinds[types.cheapestOffering(r.types[0], r.requirements)];
  const labels: Record<string, string> = { ...pool.templateLabels };
  for (const { key, operator, values } of type.requirements) {
    if (operator === 'In' && values?.length === 1) labels[key] = values[0];
  }
  for (const { key, complement, values } of space.get(r.requirements).values()) {
    if (!complement && values.size === 1) labels[key] = [...values][0];
  }
  Object.assign(labels, {
    [INSTANCE_TYPE]: type.name,
    [ZONE]: zone,
    [CAPACITY_TYPE]: capacityType,
    [NODE_POOL]: pool.name,
    [HOSTNAME]: name,
    [REGISTERED]: 'true',
    [INITIALIZED]: 'true',
  } satisfies Labels);
  const common = {
    labels,
    createdMs: objects.nowMs,
    terminating: false,
    taints: pool.taints,
    providerId: `decant:///${name}`,
    capacity: type.capacity,
    allocatable: type.allocatable,
  };
  const conditions = ['Launched', 'Registered', 'Initialized', 'Consolidatable'].map((condition) => ({
    type: condition,
    status: 'True',
    changedMs: 0,
  }));
  return {
    node: { ...common, name, ready: 'True' },
    claim: {
      ...common,
      name: `${pool.name}-${name}`,
      uid: name,
      startupTaints: [],
      expireAfterMs: pool.expireAfterMs,
      nodeName: name,
      conditions,
      lastPodEventMs: 0,
    },
  };
}
