// `decant run` killed with SIGKILL right after each of its writes in turn: the next process
// finishes what was begun or takes it back, and at no moment is anybody hurt.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Cluster } from './cluster.ts';
import { DecantRun } from './decant-run.ts';
import { History } from './history.ts';
import { assertLaws } from './laws.ts';
import { clientOf, installDecant } from './live.ts';
import { scenarioPolicy, scenarioPool } from './scenario-pools.ts';
import { deployment, disruptionBudget } from './workloads.ts';

/** Of one node that is deleted and one that is replaced; each is the end of a life. */
const LEAST_WRITES = 10;
const MOST_WRITES = 18;
/** They fill two nodes of the larger type. */
const PODS = 8;
/** Two, spread over both nodes, of which one may be missing; the smaller type has room for both. */
const LEFT = 2;
const [LARGE, SMALL] = ['c-8x-amd64-linux', 'c-4x-amd64-linux'];
/** Only one replica at a time, which need not wait for the Lease of a killed one. */
const FLAGS = ['--mode', 'act', '--leader-elect=false', '--validation-delay', '1s', '--polling-period', '1s'];

const LIVES = Array.from({ length: MOST_WRITES }, (_, i) => `life-${i + 1}`);

let cluster: Cluster;
before(async () => {
  cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
  await cluster.apply(
    ...LIVES.map((life) => scenarioPool(life, { instanceTypes: [LARGE] })),
    ...LIVES.map((life) => disruptionBudget(life, 1)),
    ...LIVES.map((life) => deployment(life, { replicas: PODS, cpu: '1800m', nodeSelector: { scenario: life } })),
  );
  await cluster.settled(LIVES.length * PODS, { timeoutMs: 240_000 });
  await cluster.plane.kubectl(['scale', 'deployment', '--all', `--replicas=${LEFT}`]);
  await cluster.settled(LIVES.length * LEFT, { timeoutMs: 240_000 });
});
after(() => cluster?.plane.stop());

/** Both nodes are gone, a smaller one is there, and nothing is under way. */
async function isOver(life: string): Promise<boolean> {
  const [claims, commands] = await Promise.all([
    cluster.list('nodeclaims', '-l', `karpenter.sh/nodepool=${life}`),
    cluster.list('consolidationcommands'),
  ]);
  const types = claims.map(({ metadata }) => metadata.labels?.['node.kubernetes.io/instance-type']);
  return types.join() === SMALL && commands.every(({ status }) => /^(Done|Abandoned)$/.test(status.phase));
}

test('killed after each write', async (t) => {
  let survived: number | undefined;
  for (let n = 1; n <= MOST_WRITES && survived === undefined; n++) {
    await t.test(`after ${n}`, async () => {
      const life = LIVES[n - 1];
      await using history = await History.record(await clientOf(cluster));
      // From now on it is ours, and there is a smaller type.
      await cluster.apply(
        scenarioPool(life, { instanceTypes: [LARGE, SMALL] }),
        scenarioPolicy(life, { budgets: [{ nodes: '1' }] }),
      );
      const env = { DECANT_CRASH_AFTER_WRITES: `${n}` };
      await using mortal = await DecantRun.start(cluster, { flags: FLAGS, env });
      const waiting = { timeoutMs: 240_000 };
      const isDead = () => mortal.process.signalCode !== null;
      await mortal.until('it is killed, or through', async () => isDead() || (await isOver(life)), waiting);
      if (isDead()) assert.deepEqual(await mortal.exited, { code: null, signal: 'SIGKILL' });
      else {
        survived = n;
        await mortal.stop();
      }
      await using next = await DecantRun.start(cluster, { flags: FLAGS });
      await next.until('what was begun is brought to its end', () => isOver(life), waiting);
      assert.deepEqual(await next.stop(), { code: 0, signal: null });
      await history.stop();
      assertLaws(history, { atLeastReady: { [life]: LEFT - 1 }, mostLeaving: 1 });
    });
  }
  assert.ok(survived !== undefined && survived > LEAST_WRITES, `all of it took ${(survived ?? 0) - 1} writes`);
  t.diagnostic(`${survived - 1} writes, and as many deaths`);
});
