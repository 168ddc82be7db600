// The first command of Karpenter's own consolidation, and what `decant plan --compat karpenter` made of the same
// cluster just before: nodes and instance types must be the same.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './cluster.ts';
import { nodePool } from './control-plane/karpenter-objects.ts';
import { decantPlan } from './decant.ts';
import { firstCommand } from './disruption-log.ts';
import { dump } from './dump.ts';
import { holds } from './kube-objects.ts';
import { deployment, disruptionBudget } from './workloads.ts';

const TYPES = ['c-1x', 'c-2x', 'c-4x', 's-4x', 'c-8x', 's-8x'].map((name) => `${name}-amd64-linux`);

/**
 * For so long after it planned a pod onto a node Karpenter leaves the node alone: twice BATCH_MAX_DURATION, and at
 * least this. It keeps that to itself, so no dump can show it.
 */
const NOMINATION_MS = 10_000;

interface Scenario {
  readonly name: string;
  /** Each is created when those before run, so that each gets nodes of its own: [replicas, later replicas, cpu]. */
  readonly workloads: readonly (readonly [replicas: number, left: number, cpu: string])[];
  /** Workloads, by index, whose pods may not be evicted. */
  readonly guarded?: readonly number[];
  readonly expect: { readonly kind: 'delete' | 'replace'; readonly method: string; readonly nodes: number };
}

// Every node keeps a different number of pods: among equals Karpenter's order is that of a Go map.
const SCENARIOS: readonly Scenario[] = [
  {
    name: 'empty nodes go first',
    workloads: [
      [7, 0, '1'],
      [7, 0, '1'],
      [7, 2, '1'],
    ],
    expect: { kind: 'delete', method: 'emptiness', nodes: 2 },
  },
  {
    name: 'a node too large for what is left on it is replaced',
    workloads: [[7, 1, '1']],
    expect: { kind: 'replace', method: 'single', nodes: 1 },
  },
  {
    name: 'pods of several nodes fit on the others',
    workloads: [
      [7, 1, '1'],
      [7, 2, '1'],
      [7, 3, '1'],
      [7, 5, '1'],
    ],
    expect: { kind: 'delete', method: 'multi', nodes: 2 },
  },
  {
    name: 'two nodes become one smaller one',
    workloads: [
      [7, 1, '1'],
      [7, 2, '1'],
    ],
    expect: { kind: 'replace', method: 'multi', nodes: 2 },
  },
  {
    name: 'a guarded node stays and takes the pods of others',
    workloads: [
      [7, 3, '1'],
      [7, 1, '1'],
      [7, 2, '1'],
    ],
    guarded: [0],
    expect: { kind: 'delete', method: 'multi', nodes: 2 },
  },
];

for (const { name, workloads, guarded = [], expect } of SCENARIOS) {
  test(name, async () => {
    await using cluster = await Cluster.start({ karpenterEnv: { BATCH_MAX_DURATION: '2s' } });
    await cluster.apply(nodePool({ instanceTypes: TYPES }));
    let pods = 0;
    for (const [i, [replicas, , cpu]] of workloads.entries()) {
      await cluster.apply(deployment(`w${i}`, { replicas, cpu }));
      if (guarded.includes(i)) await cluster.apply(disruptionBudget(`w${i}`, 0));
      pods += replicas;
      await cluster.settled(pods);
    }
    for (const [i, [, left]] of workloads.entries()) await cluster.scale(`w${i}`, left);
    await cluster.settled(workloads.reduce((sum, [, left]) => sum + left, 0));

    await sleep(NOMINATION_MS);
    // Karpenter may look at any moment, and must not do so while only some nodes count as candidates.
    await cluster.apply(nodePool({ instanceTypes: TYPES, consolidateAfter: '1s', budget: '0' }));
    await cluster.until('all nodes are consolidatable', async () =>
      (await cluster.list('nodeclaims')).every((claim) => holds(claim, 'Consolidatable')),
    );
    const seen = cluster.plane.log('karpenter').length;
    await cluster.apply(nodePool({ instanceTypes: TYPES, consolidateAfter: '1s' }));
    const file = await dump(cluster);
    assert.equal(await firstCommand(cluster, seen), undefined, 'the dump is from before');
    const flags = ['--catalog', cluster.plane.instanceTypes, '--compat', 'karpenter'];
    const { plan, warnings } = await decantPlan(file, ...flags);
    assert.equal(warnings, '');
    const command = await cluster.until('Karpenter disrupts something', () => firstCommand(cluster, seen), {
      timeoutMs: 90_000,
    });

    const [move] = plan.moves;
    assert.deepEqual({ kind: move?.kind, method: move?.method, nodes: move?.nodes.length }, expect);
    assert.equal(command.decision, expect.kind);
    assert.deepEqual([...command.nodes].sort(), [...move!.nodes].sort());
    assert.deepEqual(
      command.replacements.map((types) => [...types].sort()),
      move!.replacements.map(({ instanceTypes }) => [...instanceTypes].sort()),
    );
  });
}
