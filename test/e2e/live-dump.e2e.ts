// What a real API server holds, dumped as the help of `decant plan` tells, is read without a question.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { Cluster } from './cluster.ts';
import { decantPlan } from './decant.ts';
import { dump, everyKind } from './dump.ts';
import { deployment, disruptionBudget } from './workloads.ts';

test('a dump of a live cluster', async (t) => {
  await using cluster = await Cluster.start();
  await cluster.apply(
    deployment('web', { replicas: 12, cpu: '1' }),
    deployment('apart', { replicas: 3, cpu: '250m', apart: true }),
    disruptionBudget('web', 1),
  );
  await cluster.settled(15);
  // A node is initialized some time after its pods run, and a dump must not be taken in between.
  await cluster.until('the nodes are initialized', async () => {
    const claims = await cluster.list('nodeclaims');
    return claims.every(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Initialized' && is === 'True'),
    );
  });
  const nodes = await cluster.list('nodes');

  await t.test('of the kinds that matter gives a plan and no warning', async () => {
    const { plan, warnings } = await decantPlan(await dump(cluster), '--catalog', cluster.plane.instanceTypes);
    assert.equal(warnings, '');
    assert.equal(plan.totals.pods, 15);
    assert.deepEqual(plan.nodes.map(({ name }) => name).sort(), nodes.map(({ metadata }) => metadata.name).sort());
    for (const { name, nodePool, centsPerHour, instanceType } of plan.nodes) {
      const node = nodes.find(({ metadata }) => metadata.name === name)!;
      assert.equal(nodePool, 'default');
      assert.equal(instanceType, node.metadata.labels!['node.kubernetes.io/instance-type']);
      // The provider writes its price on the node, in dollars.
      const price = Number(node.metadata.labels!['eks-node-viewer/instance-price']);
      assert.ok(Math.abs(centsPerHour - 100 * price) < 0.001, `${name}: ${centsPerHour} ¢, ${price} $`);
    }
  });

  await t.test('and the cluster itself give the same plan', async () => {
    const flags = ['--catalog', cluster.plane.instanceTypes, '--now', '2030-01-01T00:00:00Z'];
    // Both read the same cluster only if nothing that a plan depends on changed in between.
    const { dumped, read, warnings } = await cluster.until('nothing changes while both are read', async () => {
      const { plan: before } = await decantPlan(await dump(cluster), ...flags);
      const live = await decantPlan(undefined, '--kubeconfig', cluster.plane.kubeconfig, ...flags);
      const { plan: after } = await decantPlan(await dump(cluster), ...flags);
      const isQuiet = isDeepStrictEqual([before.nodes, before.moves], [after.nodes, after.moves]);
      return isQuiet && { dumped: before, read: live.plan, warnings: live.warnings };
    });
    // Karpenter runs beside the cluster here, without a Deployment.
    assert.match(warnings, /^(decant: warning: Karpenter \S+ or later runs, by its CRDs [^\n]*\n)?$/);
    assert.deepEqual(read.moves, dumped.moves);
    assert.deepEqual(new Set(read.nodes.map((n) => n.name)), new Set(dumped.nodes.map((n) => n.name)));
    for (const node of read.nodes)
      assert.deepEqual(
        node,
        dumped.nodes.find((n) => n.name === node.name),
      );
  });

  await t.test('of every kind there is only says what it ignores', async () => {
    const file = join(cluster.plane.folder, 'everything.json');
    writeFileSync(file, await everyKind(cluster));
    const { plan, warnings } = await decantPlan(file, '--catalog', cluster.plane.instanceTypes);
    assert.match(warnings, /^decant: note: ignored [^\n]+\n$/);
    assert.equal(plan.totals.pods, 15);
  });
});
