import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import type { CompiledCluster, CompileSettings } from '../../src/engine/scheduling/compiled-cluster.ts';
import { LARGE, MEDIUM, SMALL } from './instance-type.ts';
import type { Machine } from './machine.ts';
import { nodePool } from './node-pool.ts';
import { NOW_MS } from './units.ts';

export interface ClusterSketch extends Partial<Omit<ClusterObjects, 'nodes' | 'nodeClaims' | 'options'>> {
  readonly machines?: readonly Machine[];
  readonly options?: Partial<ClusterObjects['options']>;
}

/** One pool and three sizes of node, unless the sketch says otherwise. */
export function cluster({ machines = [], options, ...sketch }: ClusterSketch = {}): ClusterObjects {
  return {
    nowMs: NOW_MS,
    instanceTypes: [SMALL, MEDIUM, LARGE],
    nodePools: [nodePool('default')],
    pods: [],
    daemonSets: [],
    podDisruptionBudgets: [],
    persistentVolumes: [],
    persistentVolumeClaims: [],
    storageClasses: [],
    csiNodes: [],
    services: [],
    podTemplates: [],
    capacityBuffers: [],
    nodeOverlays: [],
    namespaces: [],
    workloads: [],
    undecodable: [],
    ...sketch,
    options: { spotToSpot: false, reservedCapacity: true, preferences: 'Respect', minValues: 'Strict', ...options },
    nodes: machines.flatMap(({ node }) => (node === undefined ? [] : [node])),
    nodeClaims: machines.flatMap(({ claim }) => (claim === undefined ? [] : [claim])),
  };
}

/** As in Kubernetes: without the quirks that only compat reproduces, and without the shield. */
export const PLAINLY: CompileSettings = { compat: false, shieldDestinations: false, spotToSpotTypes: 15 };

export function compiled(objects: ClusterObjects, compat = false): CompiledCluster {
  return compile(objects, { ...PLAINLY, compat });
}

export function rowOf(compiledCluster: CompiledCluster, name: string): number {
  const row = compiledCluster.rows.findIndex((r) => r.name === name);
  if (row < 0) throw new Error(`no node ${name}`);
  return row;
}
