import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STOCK } from '../../lab/built-in-policies.ts';
import type { NamedPolicy } from '../../lab/named-policy.ts';
import { runOne } from '../../lab/run-one.ts';
import { loadWorkload } from '../experiment/load-workload.ts';
import { DemoCluster } from './cluster.ts';
import type { ClusterEvent } from './events.ts';

/** Replaces nodes whatever their use. */
const POLICY: NamedPolicy = {
  name: 'eager',
  controller: 'decant',
  search: 'merged',
  disruption: {},
  switches: { 'scaledown-utilization-threshold': '1' },
};
const WORKLOAD = 'busy-node';
const SPAN_MS = 4 * 3_600_000;

async function watch(stepMs: number) {
  const scenario = await loadWorkload(WORKLOAD);
  const told: { readonly news: ClusterEvent; readonly atMs: number }[] = [];
  const tell = (news: ClusterEvent, atMs: number) => told.push({ news, atMs });
  const demo = new DemoCluster(scenario, { policy: POLICY, seed: 1, tell, yieldToOthers: async () => {} });
  for (let passedMs = stepMs; passedMs <= SPAN_MS; passedMs += stepMs)
    await demo.advanceTo(scenario.startMs + passedMs);
  return { demo, told, scenario };
}

test('every event is reported once, in order, and the sums equal the ledger', async () => {
  const { demo, told, scenario } = await watch(SPAN_MS);
  const { here, baseline } = demo.ledgers();
  const of = (kind: ClusterEvent['kind']) => told.filter(({ news }) => news.kind === kind).map(({ news }) => news);
  const commands = (kind: ClusterEvent['kind']) =>
    of(kind).map((news) => ('command' in news ? news.command : assert.fail()));
  const launched = of('launched').reduce((sum, news) => sum + ('nodes' in news ? news.nodes : 0), 0);
  const replacements = commands('done').reduce((sum, c) => sum + c.replacements.length, 0);

  assert.deepEqual(
    [...told.map((t) => t.atMs)].sort((a, b) => a - b),
    told.map((t) => t.atMs),
  );
  assert.equal(commands('done').length, here.commands);
  assert.equal(commands('abandoned').length, demo.abandoned);
  assert.equal(new Set(commands('begun').map((c) => c.id)).size, of('begun').length);
  assert.ok(replacements > 0 && demo.abandoned === 0, JSON.stringify({ replacements, abandoned: demo.abandoned }));
  assert.equal(launched + replacements, here.nodesLaunched);
  const stock = await runOne({ workload: WORKLOAD, policy: STOCK, seed: 1, days: SPAN_MS / 86_400_000 }, scenario);
  assert.deepEqual(
    [baseline.costDollars, baseline.evictions, baseline.commands],
    [stock.costDollars, stock.evictions, stock.commands],
  );
  assert.deepEqual(demo.underWay, []);
  const { costDollars, nodes, pods } = demo.moments().here;
  assert.equal(costDollars, here.costDollars);
  assert.ok(nodes > 0 && pods > 0);
});

test('how fast time passes makes no difference to what is decided', async () => {
  const decided = ({ told }: Awaited<ReturnType<typeof watch>>) => told.filter(({ news }) => news.kind !== 'launched');
  const [fast, slow] = [await watch(SPAN_MS), await watch(SPAN_MS / 45)];
  assert.deepEqual(decided(slow), decided(fast));
  assert.deepEqual(slow.demo.ledgers(), fast.demo.ledgers());
});
