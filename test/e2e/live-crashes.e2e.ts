// Killed after each write of a command in turn: the next process finishes or undoes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOpen } from '../../src/controller/command.ts';
import { Cluster } from './cluster.ts';
import { nodePool } from './control-plane/karpenter-objects.ts';
import { Driver } from './driver.ts';
import { History } from './history.ts';
import { assertLaws } from './laws.ts';
import { clientOf, installDecant, Live } from './live.ts';
import { MortalClient } from './mortal-client.ts';
import { POLICY, TYPES } from './small-pool.ts';
import { deployment, disruptionBudget } from './workloads.ts';

const REPLICAS = 7;
const LEFT = 2;
/** Of one command that replaces a node. */
const LEAST_WRITES = 8;
const MOST_WRITES = 20;
const MOST_ATTEMPTS = 5;

test('killed after each write of a command', async (t) => {
  await using cluster = await Cluster.start({ karpenterEnv: { BATCH_MAX_DURATION: '2s' } });
  await installDecant(cluster);
  await cluster.apply(nodePool({ instanceTypes: TYPES }), POLICY);
  await cluster.apply(deployment('a', { replicas: REPLICAS, cpu: '1' }), disruptionBudget('a', 1));
  await cluster.settled(REPLICAS);
  const survived: number[] = [];
  for (let n = 1; n <= MOST_WRITES && survived.length === 0; n++) {
    await t.test(`after ${n}`, async () => {
      await makeWork(cluster);
      await using history = await History.record(await clientOf(cluster));
      const client = new MortalClient(await clientOf(cluster), n);
      await live(cluster, client);
      if (!client.isDead) survived.push(n);
      await using next = await Live.start(cluster);
      await next.until('a view');
      await new Driver(next.port).settle();
      await cluster.settled(LEFT);
      const { objects, commands } = await next.until('a view');
      assert.ok(!commands.some(isOpen));
      const tainted = objects.nodes.filter((node) => node.taints.some(({ key }) => key === 'karpenter.sh/disrupted'));
      assert.deepEqual(tainted, []);
      // What is left fits on the smallest node that there is for it.
      assert.equal(objects.nodeClaims.filter((claim) => !claim.terminating).length, 1);
      await history.stop();
      assertLaws(history, { atLeastReady: { a: LEFT - 1 }, mostLeaving: 2 });
    });
  }
  assert.ok(survived[0] > LEAST_WRITES, `a whole command took ${survived[0] - 1} writes`);
});

/** One life: until it is killed, or has nothing left to do. */
async function live(cluster: Cluster, client: MortalClient): Promise<void> {
  await using mortal = await Live.start(cluster, { client });
  await mortal.until('a view');
  const driver = new Driver(mortal.port);
  const known = new Set(mortal.port.view()?.commands.map(({ id }) => id));
  const idle = () => {
    const { commands = [] } = mortal.port.view() ?? {};
    return commands.some(({ id }) => !known.has(id)) && !commands.some(isOpen);
  };
  await driver.until('it is killed or through', ({ pass }) => {
    return client.isDead || (pass !== undefined && pass.proposals.length === 0 && idle());
  });
}

/** One node that is too large for what is on it. Karpenter may have seen the pods come in two batches: then once more. */
async function makeWork(cluster: Cluster): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await cluster.scale('a', 0);
    await cluster.settled(0);
    await cluster.plane.kubectl(['delete', 'nodeclaims', '--all', '--timeout=240s']);
    await cluster.scale('a', REPLICAS);
    await cluster.settled(REPLICAS);
    if ((await cluster.list('nodeclaims')).length === 1) break;
    assert.ok(attempt < MOST_ATTEMPTS, 'the pods never came to one node');
  }
  await cluster.scale('a', LEFT);
  await cluster.settled(LEFT);
}
