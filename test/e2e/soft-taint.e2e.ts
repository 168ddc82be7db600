// What the soft taint of nodes that are leaving does beside the real kube-scheduler and the real Karpenter, which treats
// PreferNoSchedule as blocking in its own simulations.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LEAVING_TAINT } from '../../src/engine/cluster/well-known.ts';
import { Cluster } from './cluster.ts';
import { holds } from './kube-objects.ts';
import { nodeClaim } from './node-claims.ts';
import { scenarioPool } from './scenario-pools.ts';
import { deployment } from './workloads.ts';

const TYPE = 'c-8x-amd64-linux';
/** Pods of one cpu that fill a node. */
const FULL = 7;
/** Karpenter decides about pending pods within this time of the first. */
const BATCH_S = 2;
const LONG_ENOUGH_MS = 4 * BATCH_S * 1000;

let cluster: Cluster;
before(async () => {
  cluster = await Cluster.start({ karpenterEnv: { BATCH_MAX_DURATION: `${BATCH_S}s` } });
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
});
after(() => cluster?.plane.stop());

/** A pool of its own with this number of nodes, and pods for it; returns the names of the nodes. */
async function stage(name: string, nodes: number): Promise<readonly string[]> {
  const nodeSelector = { 'karpenter.sh/nodepool': name };
  await cluster.apply(
    scenarioPool(name, { instanceTypes: [TYPE] }),
    deployment(name, { replicas: 0, cpu: '1', nodeSelector }),
  );
  const pool = (await cluster.list('nodepools')).find(({ metadata }) => metadata.name === name);
  assert.ok(pool !== undefined);
  const names = Array.from({ length: nodes }, (_, i) => `${name}-${i}`);
  await cluster.apply(...names.map((each) => nodeClaim(each, pool, { instanceTypes: [TYPE] })));
  return cluster.until('its nodes are up', async () => {
    const claims = await claimsOf(name);
    return (
      claims.length === nodes &&
      claims.every((c) => holds(c, 'Initialized')) &&
      names.map((each) => nodeOf(claims, each))
    );
  });
}

type Claims = Awaited<ReturnType<typeof claimsOf>>;

async function claimsOf(pool: string) {
  const claims = await cluster.list('nodeclaims');
  return claims.filter(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'] === pool);
}

function nodeOf(claims: Claims, name: string): string {
  return claims.find(({ metadata }) => metadata.name === name)?.status?.nodeName ?? '';
}

async function softlyTainted(node: string): Promise<void> {
  const { key, effect } = LEAVING_TAINT;
  await cluster.plane.kubectl(['taint', 'node', node, `${key}:${effect}`]);
}

/** Scales, waits for the pods, and gives Karpenter time; returns how many pods each node has, in order. */
async function scaled(name: string, pods: number, nodes: readonly string[]): Promise<readonly number[]> {
  await cluster.scale(name, pods);
  const all = await cluster.until(`${pods} pods run`, async () => {
    const own = await cluster.list('pods', '-n', 'default', '-l', `app=${name}`);
    return own.length === pods && own.every(({ status }) => status.phase === 'Running') && own;
  });
  await sleep(LONG_ENOUGH_MS);
  return nodes.map((node) => all.filter(({ spec }) => spec.nodeName === node).length);
}

test('new pods go to other nodes as long as these have room, then to the tainted one, and no node is launched', async () => {
  const nodes = await stage('room', 2);
  await softlyTainted(nodes[0] ?? '');
  assert.deepEqual(await scaled('room', FULL, nodes), [0, FULL]);
  assert.deepEqual(await scaled('room', FULL + 3, nodes), [3, FULL]);
  assert.equal((await claimsOf('room')).length, 2);
});

test('for pods that fit nowhere Karpenter launches as many nodes as without the taint', async () => {
  for (const isTainted of [true, false]) {
    const name = `burst-${isTainted ? 'tainted' : 'plain'}`;
    const nodes = await stage(name, 2);
    if (isTainted) await softlyTainted(nodes[0] ?? '');
    assert.deepEqual(await scaled(name, 2 * FULL + 2, nodes), [FULL, FULL]);
    assert.equal((await claimsOf(name)).length, 3, name);
  }
});

test('pods of a node that is deleted go to the tainted one if nothing else has room, and no node is launched', async () => {
  const nodes = await stage('drain', 2);
  await scaled('drain', 6, nodes);
  await softlyTainted(nodes[0] ?? '');
  await cluster.plane.kubectl(['delete', 'nodeclaim', 'drain-1']);
  await scaled('drain', 6, nodes);
  assert.equal((await claimsOf('drain')).length, 1);
});
