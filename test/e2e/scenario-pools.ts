import assert from 'node:assert/strict';
import type { Cluster } from './cluster.ts';
import { deployment } from './workloads.ts';

/** Seven pods of one cpu fill the largest; one of them fits the smallest but one. */
const TYPES = ['c-1x', 'c-2x', 'c-4x', 'c-8x'].map((name) => `${name}-amd64-linux`);

export interface PoolOptions {
  readonly disruption?: object;
  readonly spec?: object;
  readonly template?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly instanceTypes?: readonly string[];
}

/** A NodePool that only the pods of its scenario go to; Karpenter's own consolidation is off unless told otherwise. */
export function scenarioPool(name: string, options: PoolOptions = {}): object {
  const { disruption, spec, template, annotations, instanceTypes = TYPES } = options;
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name, labels: { scenario: name } },
    spec: {
      disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '100%' }], ...disruption },
      ...spec,
      template: {
        metadata: { labels: { scenario: name }, annotations },
        spec: {
          nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'default' },
          requirements: [
            { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
            { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
            { key: 'node.kubernetes.io/instance-type', operator: 'In', values: instanceTypes },
          ],
          ...template,
        },
      },
    },
  };
}

/** A policy of the same name for the pool of a scenario. */
export function scenarioPolicy(name: string, block: object = {}): object {
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'ConsolidationPolicy',
    metadata: { name },
    spec: {
      nodePoolSelector: { matchLabels: { scenario: name } },
      consolidateAfter: '1s',
      budgets: [{ nodes: '100%' }],
      ...block,
    },
  };
}

export function scenarioPods(name: string, replicas: number, annotations?: Readonly<Record<string, string>>): object {
  return deployment(name, { replicas, cpu: '1', nodeSelector: { scenario: name }, annotations });
}

const FULL = 7;

/**
 * Every pool gets one node of the largest type, on which `left` pods remain. Pods that Karpenter has seen come in two batches
 * are on two nodes: those come once more, all at once.
 */
export async function fillAndScaleDown(cluster: Cluster, left: Readonly<Record<string, number>>): Promise<void> {
  const names = Object.keys(left);
  await cluster.settled(names.length * FULL);
  const scattered = await onSeveralNodes(cluster, names);
  if (scattered.length > 0) {
    for (const name of scattered) await cluster.scale(name, 0);
    await cluster.settled((names.length - scattered.length) * FULL);
    await cluster.plane.kubectl(['delete', 'nodeclaims', '-l', `karpenter.sh/nodepool in (${scattered})`]);
    await cluster.atOnce(scattered.length * FULL, async () => {
      for (const name of scattered) await cluster.scale(name, FULL);
    });
    await cluster.settled(names.length * FULL);
    assert.deepEqual(await onSeveralNodes(cluster, names), [], 'their pods never came to one node');
  }
  for (const name of names) await cluster.scale(name, left[name]);
  await cluster.settled(Object.values(left).reduce((a, b) => a + b, 0));
}

async function onSeveralNodes(cluster: Cluster, pools: readonly string[]): Promise<readonly string[]> {
  const claims = await cluster.list('nodeclaims');
  const count = (pool: string) => claims.filter((c) => c.metadata.labels?.['karpenter.sh/nodepool'] === pool).length;
  return pools.filter((pool) => count(pool) > 1);
}
