// The controller on a real cluster beside a real Karpenter: what it planned comes about, and nobody is hurt by it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterView } from '../../src/controller/cluster-port.ts';
import { Cluster } from './cluster.ts';
import { nodePool } from './control-plane/karpenter-objects.ts';
import { Driver, HURRIED } from './driver.ts';
import { History } from './history.ts';
import { assertLaws } from './laws.ts';
import { ledgerOf, simulatedLedger, successors } from './ledger.ts';
import { clientOf, installDecant, Live } from './live.ts';
import { POLICY, TYPES } from './small-pool.ts';
import { deployment, disruptionBudget } from './workloads.ts';

/**
 * By the next look every pod has arrived, here and in the simulator. With looks twice a second one is sometimes chosen onto
 * whose node a pod of the one before is about to come; that command is abandoned, as it should be, and not begun again for
 * five minutes.
 */
const PATIENT = { ...HURRIED, times: { ...HURRIED.times, pollMs: 5_000 } };

function centsPerHour({ objects }: ClusterView): number {
  return objects.nodes.reduce(
    (sum, { labels }) => sum + Number(labels['eks-node-viewer/instance-price'] ?? 0) * 100,
    0,
  );
}

/** Three nodes with little on them: one pod, two of a workload of which one may be missing, none. */
async function scaledDown(cluster: Cluster): Promise<History> {
  await installDecant(cluster);
  await cluster.apply(nodePool({ instanceTypes: TYPES }));
  // One after the other, so that each gets nodes of its own.
  await cluster.atOnce(7, () => cluster.apply(deployment('a', { replicas: 7, cpu: '1' })));
  await cluster.settled(7);
  await cluster.atOnce(7, () => cluster.apply(deployment('b', { replicas: 7, cpu: '1' }), disruptionBudget('b', 1)));
  await cluster.settled(14);
  await cluster.atOnce(7, () => cluster.apply(deployment('c', { replicas: 7, cpu: '1' })));
  await cluster.settled(21);
  const history = await History.record(await clientOf(cluster));
  await cluster.scale('a', 1);
  await cluster.scale('b', 2);
  await cluster.scale('c', 0);
  await cluster.settled(3);
  return history;
}

test('deployments are scaled down: nodes go and are replaced until the cluster costs what was planned', async (t) => {
  await using cluster = await Cluster.start({ karpenterEnv: { BATCH_MAX_DURATION: '2s' } });
  await using history = await scaledDown(cluster);
  await cluster.apply(POLICY);

  await using live = await Live.start(cluster);
  const start = await live.until('a view', ({ policies }) => policies?.length === 1);
  const before = centsPerHour(start);
  const observer = new Driver(live.port, { mode: 'observe' });
  const { pass: planned } = await observer.until('a plan', ({ pass }) => pass !== undefined);
  assert.ok(planned!.plannedSavingsCentsPerHour > 0);

  const driver = new Driver(live.port, PATIENT);
  await driver.settle();
  await cluster.settled(3);
  const view = await live.until('nodes are gone', ({ objects }) => objects.nodes.length === objects.nodeClaims.length);
  const saved = before - centsPerHour(view);
  assert.ok(
    saved >= planned!.plannedSavingsCentsPerHour - 1e-6,
    `saved ${saved} ¢/h, planned ${planned!.plannedSavingsCentsPerHour}`,
  );
  const done = view.commands.filter(({ phase }) => phase === 'done');
  assert.equal(done.length, view.commands.length, JSON.stringify(view.commands));
  assert.ok(done.some(({ replacements }) => replacements.length === 0));
  assert.ok(done.some(({ replacements }) => replacements.length > 0));
  const realised = done.reduce((sum, c) => sum + c.realised!.savingsCentsPerHour, 0);
  assert.ok(Math.abs(realised - saved) < 1e-3, `realised ${realised} ¢/h by the journal, ${saved} by the nodes`);
  await history.stop();
  // b has 2 replicas of which one may be missing.
  assertLaws(history, { atLeastReady: { b: 1 }, mostLeaving: 2 });
  // The simulator ends in the same state. On the way, a view of pods that are still moving may differ.
  const real = ledgerOf(start, view, successors(history, start));
  const simulated = await simulatedLedger(start, PATIENT);
  for (const ledger of [real, simulated]) {
    t.diagnostic(JSON.stringify(ledger));
    assert.equal(ledger.evictions.counted, ledger.evictions.written);
  }
  assert.deepEqual(simulated.outcome, real.outcome);
});

test('one node at a time: the simulator makes the same of the same cluster, to the cent, and to one eviction', async (t) => {
  await using cluster = await Cluster.start({ karpenterEnv: { BATCH_MAX_DURATION: '2s' } });
  await using history = await scaledDown(cluster);
  await cluster.apply({ ...POLICY, spec: { ...POLICY.spec, budgets: [{ nodes: '1' }] } });
  await using live = await Live.start(cluster);
  const start = await live.until('a view', ({ policies }) => policies?.length === 1);
  await new Driver(live.port, PATIENT).settle();
  await cluster.settled(3);
  const end = await live.until('nodes are gone', ({ objects }) => objects.nodes.length === objects.nodeClaims.length);
  await history.stop();
  assertLaws(history, { atLeastReady: { b: 1 }, mostLeaving: 1 });
  const ledger = ledgerOf(start, end, successors(history, start));
  t.diagnostic(JSON.stringify(ledger));
  const simulated = await simulatedLedger(start, PATIENT);
  t.diagnostic(JSON.stringify(simulated));
  assert.deepEqual(simulated.outcome, ledger.outcome);
  assert.equal(ledger.evictions.counted, ledger.evictions.written);
  assert.ok(Math.abs(simulated.evictions.counted - ledger.evictions.counted) <= 1);
});

test('a replacement that never becomes ready is abandoned: no taint, no claim, nothing deleted', async () => {
  await using cluster = await Cluster.start({ karpenterEnv: { BATCH_MAX_DURATION: '2s' } });
  await installDecant(cluster);
  await cluster.apply(nodePool({ instanceTypes: TYPES }));
  await cluster.atOnce(7, () => cluster.apply(deployment('a', { replicas: 7, cpu: '1' })));
  await cluster.settled(7);
  await cluster.scale('a', 1);
  await cluster.settled(1);
  const [claim] = await cluster.list('nodeclaims');
  await cluster.apply(POLICY);
  await using history = await History.record(await clientOf(cluster));
  // Nobody makes the new node Ready.
  cluster.plane.components.get('kwok')!.kill('SIGSTOP');
  await using live = await Live.start(cluster);
  await live.until('a view', ({ policies }) => policies?.length === 1);
  // Long enough for Karpenter to take the taint of a node that it did not choose itself away, which it does every 10 s.
  const driver = new Driver(live.port, { times: { launchTimeoutMs: 30_000 } });
  await driver.until('it is abandoned', () => live.port.view()?.commands.some((c) => c.phase === 'abandoned') ?? false);
  cluster.plane.components.get('kwok')!.kill('SIGCONT');
  const [command] = live.port.view()!.commands;
  assert.equal(command.reason, 'timeout');
  assert.equal(command.replacements.length, 1);
  await cluster.until('the replacement is gone', async () => {
    const claims = await cluster.list('nodeclaims');
    return claims.length === 1 && claims[0].metadata.name === claim.metadata.name;
  });
  const [left] = await cluster.list('nodeclaims');
  assert.equal(left.metadata.deletionTimestamp, undefined);
  await history.stop();
  assertLaws(history);
  assert.ok(timesTainted(history) > 1, 'Karpenter takes our taint away, and it is put back');
});

function timesTainted(history: History): number {
  let times = 0;
  const tainted = new Set<string>();
  for (const { change } of history.moments()) {
    if (change.kind !== 'Node') continue;
    const { metadata, spec } = change.object;
    const isTainted = spec.taints?.some(({ key }) => key === 'karpenter.sh/disrupted') ?? false;
    if (isTainted && !tainted.has(metadata.name)) times++;
    if (isTainted) tainted.add(metadata.name);
    else tainted.delete(metadata.name);
  }
  return times;
}
