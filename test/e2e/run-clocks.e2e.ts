// Two replicas of `decant run` whose clocks are ten minutes off, one fast and one slow: times in objects are those of the
// API server, and so is ours. Who leads is not a matter of clocks at all.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Cluster } from './cluster.ts';
import { DecantRun } from './decant-run.ts';
import { History } from './history.ts';
import { assertLaws } from './laws.ts';
import { clientOf, installDecant } from './live.ts';
import { fillAndScaleDown, scenarioPods, scenarioPolicy, scenarioPool } from './scenario-pools.ts';

const OFF_MS = 600_000;
const QUIET_S = 25;
/** Times in objects have whole seconds, and a clock is put right to about one. */
const BLUR_MS = 3_000;

let cluster: Cluster;
before(async () => {
  cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
});
after(() => cluster?.plane.stop());
afterEach(async () => {
  await cluster.plane.kubectl(['delete', 'deployments', '--all', '-n', 'default']);
  await cluster.plane.kubectl(['delete', 'nodepools,consolidationpolicies', '--all']);
  await cluster.settled(0);
});

function startOff(offsetMs: number): Promise<DecantRun> {
  const env = {
    NODE_OPTIONS: `--import=${new URL('wrong-clock.ts', import.meta.url)}`,
    CLOCK_OFFSET_MS: `${offsetMs}`,
  };
  return DecantRun.start(cluster, { flags: ['--mode', 'act'], env });
}

/** As Karpenter keeps it: when the last pod came to the node or went. */
async function lastPodEventMs(pool: string): Promise<number> {
  const claims = await cluster.list('nodeclaims', '-l', `karpenter.sh/nodepool=${pool}`);
  assert.equal(claims.length, 1);
  return Date.parse(claims[0].status?.lastPodEventTime ?? '');
}

for (const [word, offsetMs] of [
  ['fast', OFF_MS],
  ['slow', -OFF_MS],
] as const) {
  test(`a leader whose clock is ${word} keeps to consolidateAfter; the other takes over when it is killed`, async () => {
    const pool = `led-by-${word}`;
    await cluster.apply(scenarioPool(pool), scenarioPods(pool, 7));
    await fillAndScaleDown(cluster, { [pool]: 1 });
    await using history = await History.record(await clientOf(cluster));
    const quietSinceMs = await lastPodEventMs(pool);
    // The command stays open until the leader is dead.
    using stopped = cluster.stopMachines();
    await cluster.apply(scenarioPolicy(pool, { consolidateAfter: `${QUIET_S}s` }));
    await using leader = await startOff(offsetMs);
    await leader.until('it leads', () => leader.said(/^became leader$/));
    await using other = await startOff(-offsetMs);
    const difference = word === 'fast' ? 'ahead of' : 'behind';
    const known = new RegExp(`^clock is \\d+ s ${difference} the API server`);
    await leader.until('it knows of its clock', () => leader.said(known));
    await leader.until('a command is confirmed', () => leader.said(/^command confirmed/), { timeoutMs: 240_000 });
    const [command] = (await cluster.list('consolidationcommands')).filter(({ status }) => status.phase !== 'Done');
    const quietMs = Date.parse(command.metadata.creationTimestamp) - quietSinceMs;
    assert.ok(quietMs >= QUIET_S * 1000 - BLUR_MS, `begun after ${quietMs / 1000} s`);
    assert.ok(quietMs < OFF_MS, 'and not ten minutes late');
    assert.equal(other.said(/^became leader$/), false);
    await leader.stop('SIGKILL');
    stopped[Symbol.dispose]();
    await other.until('the other leads', () => other.said(/^became leader$/), { timeoutMs: 240_000 });
    await other.until('it brings the command to its end', () => other.said(/^command done/), { timeoutMs: 240_000 });
    assert.equal(other.said(/^command (abandoned|is being rolled back)/), false);
    await cluster.settled(1);
    assert.deepEqual(await other.stop(), { code: 0, signal: null });
    await history.stop();
    assertLaws(history, { mostLeaving: 1 });
  });
}
