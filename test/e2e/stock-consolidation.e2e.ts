// The first command of Karpenter's own consolidation, and what `decant plan --compat karpenter` made of the same
// cluster just before: nodes and instance types must be the same.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster } from './cluster.ts';
import { type NodePoolOptions, nodePool } from './control-plane/karpenter-objects.ts';
import { decantPlan, type Move } from './decant.ts';
import { type DisruptionCommand, firstCommand } from './disruption-log.ts';
import { dump } from './dump.ts';
import { holds } from './kube-objects.ts';
import { daemonSet, deployment, disruptionBudget, type PodOptions } from './workloads.ts';

interface Workload extends PodOptions {
  readonly replicas: number;
  /** Replicas after it was scaled down. */
  readonly left: number;
  /** Evictions that its budget allows. */
  readonly maxUnavailable?: number;
}

interface Scenario {
  readonly name: string;
  /** Each is created when those before run, so that each gets nodes of its own. */
  readonly workloads: readonly Workload[];
  /** Beside the deployments. */
  readonly objects?: readonly object[];
  readonly pool?: NodePoolOptions;
  /** Nodes that lost all their pods are removed beforehand, since otherwise they would be the answer. */
  readonly withoutEmpty?: true;
  /** Unless it depends on the zones that the provider happens to draw. */
  readonly expect?: { readonly kind: Move['kind']; readonly method: string; readonly nodes: number };
}

const TYPES = ['c-1x', 'c-2x', 'c-4x', 's-4x', 'c-8x', 's-8x'].map((name) => `${name}-amd64-linux`);

/** Seven pods of one cpu fill a c-8x. */
const full = (left: number): Workload => ({ replicas: 7, left, cpu: '1' });

const MIXED: readonly Workload[] = [
  { replicas: 9, left: 5, cpu: '900m', memory: '1Gi', acrossZones: true },
  { replicas: 6, left: 4, cpu: '300m', apart: true },
  { replicas: 12, left: 4, cpu: '700m', memory: '3Gi' },
  { replicas: 10, left: 3, cpu: '1500m', maxUnavailable: 1 },
  { replicas: 5, left: 1, cpu: '3', memory: '2Gi', maxUnavailable: 0 },
];

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'empty nodes go first',
    workloads: [full(0), full(0), full(2)],
    expect: { kind: 'delete', method: 'emptiness', nodes: 2 },
  },
  {
    name: 'a node too large for what is left on it is replaced',
    workloads: [full(1)],
    expect: { kind: 'replace', method: 'single', nodes: 1 },
  },
  {
    name: 'pods of several nodes fit on the others',
    workloads: [full(1), full(2), full(3), full(5)],
    expect: { kind: 'delete', method: 'multi', nodes: 2 },
  },
  {
    name: 'two nodes become one smaller one',
    workloads: [full(1), full(2)],
    expect: { kind: 'replace', method: 'multi', nodes: 2 },
  },
  {
    name: 'a guarded node stays and takes the pods of others',
    workloads: [{ ...full(3), maxUnavailable: 0 }, full(1), full(2)],
    expect: { kind: 'delete', method: 'multi', nodes: 2 },
  },
  {
    name: 'a mixed cluster, on demand',
    workloads: MIXED,
    objects: [daemonSet('agent', { cpu: '100m' })],
    withoutEmpty: true,
  },
  {
    name: 'a mixed cluster, spot and on demand',
    workloads: MIXED,
    objects: [daemonSet('agent', { cpu: '100m' })],
    withoutEmpty: true,
    pool: { capacityTypes: ['spot', 'on-demand'] },
  },
];

/**
 * For this long after it planned a pod onto a node, Karpenter leaves the node alone: twice BATCH_MAX_DURATION, and at
 * least this. It keeps that to itself, so no dump can show it.
 */
const NOMINATION_MS = 10_000;

for (const { name, workloads, objects = [], pool = {}, withoutEmpty, expect } of SCENARIOS) {
  test(name, async () => {
    await using cluster = await Cluster.start({ karpenterEnv: { BATCH_MAX_DURATION: '2s', LOG_LEVEL: 'debug' } });
    await cluster.apply(nodePool({ instanceTypes: TYPES, ...pool }), ...objects);
    await fillAndDrain(cluster, workloads);
    if (withoutEmpty) await removeEmpty(cluster);
    await tellApart(cluster);
    await sleep(NOMINATION_MS);
    // Karpenter may start a pass at any moment, and must not do so while only some nodes count as candidates.
    await cluster.apply(nodePool({ instanceTypes: TYPES, ...pool, consolidateAfter: '1s', budget: '0' }));
    await cluster.until('all nodes are consolidatable', async () =>
      (await cluster.list('nodeclaims')).every((claim) => holds(claim, 'Consolidatable')),
    );
    const seen = cluster.plane.log('karpenter').length;
    await cluster.apply(nodePool({ instanceTypes: TYPES, ...pool, consolidateAfter: '1s' }));
    // Until Karpenter has seen the change, the pool counts as not ready.
    await cluster.plane.kubectl(['wait', '--for=condition=Ready', 'nodepool/default', '--timeout=30s']);
    const file = await dump(cluster);
    assert.equal(await firstCommand(cluster, seen), undefined, 'the dump is from before');
    const flags = ['--catalog', cluster.plane.instanceTypes, '--compat', 'karpenter'];
    const { plan, warnings } = await decantPlan(file, ...flags);
    assert.equal(warnings, '');
    const command = await cluster.until('Karpenter disrupts something', () => firstCommand(cluster, seen), {
      timeoutMs: 240_000,
    });
    const [move] = plan.moves;
    try {
      assert.deepEqual(ofMove(move), ofCommand(command));
    } catch (error) {
      throw new Error(`differs; what is known is kept in ${await keep(cluster, name)}`, { cause: error });
    }
    if (expect) assert.deepEqual({ kind: move!.kind, method: move!.method, nodes: move!.nodes.length }, expect);
  });
}

async function fillAndDrain(cluster: Cluster, workloads: readonly Workload[]): Promise<void> {
  let pods = 0;
  for (const [i, { left, maxUnavailable, ...options }] of workloads.entries()) {
    if (maxUnavailable !== undefined) await cluster.apply(disruptionBudget(`w${i}`, maxUnavailable));
    await cluster.atOnce(options.replicas, () => cluster.apply(deployment(`w${i}`, options)));
    pods += options.replicas;
    await cluster.settled(pods);
  }
  for (const [i, { left }] of workloads.entries()) await cluster.scale(`w${i}`, left);
  await cluster.settled(workloads.reduce((sum, { left }) => sum + left, 0));
}

async function removeEmpty(cluster: Cluster): Promise<void> {
  const used = new Set((await cluster.list('pods', '-n', 'default')).map(({ spec }) => spec.nodeName));
  const empty = (await cluster.list('nodeclaims')).filter(({ status }) => !used.has(status?.nodeName));
  const names = empty.map(({ metadata }) => metadata.name);
  if (names.length > 0) await cluster.plane.kubectl(['delete', 'nodeclaims', ...names]);
}

/** Gives every pod another deletion cost: among nodes of the same cost Karpenter's order is that of a Go map. */
async function tellApart(cluster: Cluster): Promise<void> {
  for (const [i, { metadata }] of (await cluster.list('pods', '-n', 'default')).entries()) {
    const cost = `controller.kubernetes.io/pod-deletion-cost=${(i + 1) ** 2 * 10_000}`;
    await cluster.plane.kubectl(['annotate', 'pod', metadata.name, cost]);
  }
}

interface Comparable {
  readonly kind: string;
  readonly nodes: readonly string[];
  readonly replacements: readonly (readonly string[])[];
}

function ofMove(move: Move | undefined): Comparable | undefined {
  return (
    move && {
      kind: move.kind,
      nodes: [...move.nodes].sort(),
      replacements: move.replacements.map(({ instanceTypes }) => [...instanceTypes].sort()),
    }
  );
}

function ofCommand({ decision, nodes, replacements }: DisruptionCommand): Comparable {
  return { kind: decision, nodes: [...nodes].sort(), replacements: replacements.map((types) => [...types].sort()) };
}

/** Kept for later inspection: the cluster that shows a difference does not come again. */
async function keep(cluster: Cluster, name: string): Promise<string> {
  const folder = join('node_modules', '.cache', 'e2e', name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder, { recursive: true });
  for (const file of ['dump.json', 'karpenter.log']) cpSync(join(cluster.plane.folder, file), join(folder, file));
  writeFileSync(join(folder, 'events.json'), JSON.stringify(await cluster.list('events'), undefined, 2));
  return folder;
}
