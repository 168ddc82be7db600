import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { BAD_BLOCKS } from '../build/bad-blocks.ts';
import { Cluster } from './cluster.ts';
import { establishedCrds, nodePool } from './control-plane/karpenter-objects.ts';
import { holds } from './kube-objects.ts';
import { deployment } from './workloads.ts';

const DEPLOY = join(import.meta.dirname, '..', '..', 'deploy');

/** Blocks that are good, so that a CRD which refuses everything does not pass. */
const GOOD_BLOCKS: readonly object[] = [
  {},
  {
    consolidationPolicy: 'WhenUnderutilizedOrCheaper',
    consolidateAfter: '30s',
    consolidationGracePeriod: '2h30m',
    consolidationSavingsThresholdCents: '0.5',
    consolidationMinSavingsPercent: 'auto',
    consolidation: { multiNode: { enabled: false, maxParallel: 5 }, emptiness: { emptyThreshold: '10%' } },
    budgets: [
      { nodes: '10%' },
      { nodes: '0', schedule: '0 9 * * mon-5', duration: '8h', reasons: ['Empty', 'Unhealthy'] },
    ],
  },
  { consolidationPolicy: 'Balanced', balancedK: 3 },
  { consolidationPolicy: 'Balanced', balancedK: '1.5' },
  {
    consolidationPolicy: 'WhenCheaper',
    consolidation: { singleNode: { enabled: true }, multiNode: { enabled: false } },
  },
  { consolidateAfter: 'Never', ttlSecondsAfterEmpty: 30 },
  { consolidateAfter: '2562047h47m16s', consolidationMinSavingsPercent: '100.0' },
  { budgets: [{ nodes: '2147483647', schedule: '@daily', duration: '1h0s' }] },
  { budgets: [{ schedule: '@daily', duration: '8h', timeZone: 'America/Argentina/Buenos_Aires' }] },
  { budgets: [{ schedule: '5-10/5,*/15,59 0-23 ? JAN-12 *', duration: '30m' }] },
];

test('CRDs on a real API server', async (t) => {
  await using cluster = await Cluster.start();
  const { plane } = cluster;
  const dryRun = (object: object) =>
    plane.kubectl(['apply', '--server-side', '--dry-run=server', '-f', '-'], JSON.stringify(object));

  await t.test('it takes them', async () => {
    await plane.kubectl(['apply', '--server-side', '-f', join(DEPLOY, 'crds')]);
    await establishedCrds((...args) => plane.kubectl(args));
    const crds = JSON.parse(await plane.kubectl(['get', 'crd', '-o', 'json'])).items as {
      metadata: { name: string };
    }[];
    for (const crd of crds.filter(({ metadata }) => metadata.name.endsWith('.decant.sh')))
      assert.ok(!holds(crd as never, 'NonStructuralSchema'), crd.metadata.name);
  });

  await t.test('good policies', async () => {
    for (const block of GOOD_BLOCKS) await dryRun(policy(block));
    await dryRun(
      policy({}, { matchLabels: { team: 'a' }, matchExpressions: [{ key: 'gpu', operator: 'DoesNotExist' }] }),
    );
  });

  for (const [block, field, , allowed] of BAD_BLOCKS.filter(([, field]) => field !== '')) {
    await t.test(`refuses ${JSON.stringify(block)}`, async () => {
      const message = await refusal(dryRun(policy(block as object)));
      assert.ok(message.includes(`spec${field}`), message);
      if (message.includes('should match')) assert.ok(message.includes(allowed), message);
    });
  }

  await t.test('the columns of kubectl get', async () => {
    await cluster.apply(policy({ consolidationPolicy: 'Balanced' }));
    const conditions = [{ ...READY, message: 'all is well' }];
    const status = { nodePools: 2, conditions, currentCentsPerHour: 829.4, plannedCentsPerHour: 684 };
    await plane.kubectl([
      'patch',
      'dpol',
      'p',
      '--subresource=status',
      '--type=merge',
      '-p',
      JSON.stringify({ status }),
    ]);
    const [titles, row] = (await plane.kubectl(['get', 'consolidationpolicies'])).trim().split('\n');
    assert.deepEqual(titles.trim().split(/\s+/), ['NAME', 'POLICY', 'POOLS', 'READY', 'CENTS/H', 'PLANNED', 'AGE']);
    assert.match(row, /^p +Balanced +2 +True +829\.4 +684 /);
    await plane.kubectl(['delete', 'dpol', 'p']);
  });

  await t.test('a command of the journal', async () => {
    await cluster.apply(command({}));
    assert.match(await plane.kubectl(['get', 'dcmd']), /^0abc +Done +node-1 and 1 more +\$0\.045\/h +3 /m);
    const message = await refusal(dryRun(command({ phase: 'Finished' })));
    assert.ok(message.includes('status.phase'), message);
  });

  await t.test('a NodePool CRD with our fields', async (t) => {
    const pool = (disruption: object) => {
      const object = nodePool() as { readonly spec: object };
      return { ...object, spec: { ...object.spec, disruption: { consolidateAfter: 'Never', ...disruption } } };
    };
    const ours = { consolidationPolicy: 'WhenCheaper', consolidationSavingsThresholdCents: '1', balancedK: '1.5' };
    assert.match(await refusal(dryRun(pool(ours))), /field not declared in schema/);
    const patch = join(DEPLOY, 'nodepool-crd-patch.yaml');
    await plane.kubectl(['patch', 'crd', 'nodepools.karpenter.sh', '--type=json', '--patch-file', patch]);

    await t.test('keeps them', async () => {
      await cluster.until('the new schema is served', () => dryRun(pool(ours)).catch(() => false));
      await cluster.apply(pool(ours));
      await cluster.apply(deployment('web', { replicas: 3, cpu: '500m' }));
      await cluster.settled(3);
      const printed = await plane.kubectl(['get', 'nodepool', 'default', '-o', 'jsonpath={.spec.disruption}']);
      const { budgets: _, ...rest } = JSON.parse(printed);
      assert.deepEqual(rest, { ...ours, consolidateAfter: 'Never' });
    });

    for (const [block, field] of BAD_BLOCKS.filter(([, field]) => field !== '' && !STOCK_ALLOWS.test(field))) {
      await t.test(`refuses ${JSON.stringify(block)}`, async () => {
        const message = await refusal(dryRun(pool({ consolidateAfter: '30s', ...(block as object) })));
        assert.ok(message.includes(`spec.disruption${field}`), message);
      });
    }
  });
});

/** Fields of stock's own, with stock's rules: it takes some values that its controller cannot read. */
const STOCK_ALLOWS = /^\.(budgets|consolidateAfter)/;

const READY = { type: 'Ready', status: 'True', reason: 'Ready', lastTransitionTime: '2026-08-20T12:00:00Z' };

function command(status: object): object {
  const figures = { savingsCentsPerHour: 4.5, requiredCentsPerHour: 1, disruptionCost: 2.5, evictions: 3 };
  const time = '2026-08-20T12:00:00.000Z';
  const nodes = [{ node: 'node-1', nodeClaim: 'claim-1', nodePool: 'default', centsPerHour: 4.5, pods: 3 }];
  const summary = { nodes: 'node-1 and 1 more', saves: '$0.045/h' };
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'ConsolidationCommand',
    metadata: { name: '0abc' },
    spec: { decidedAt: time, nodes, replacements: [], workloads: { 'default/web': 3 }, predicted: figures },
    status: { phase: 'Done', phaseAt: time, summary, realised: figures, ...status },
  };
}

function policy(block: object, nodePoolSelector: object = {}): object {
  const spec = { nodePoolSelector, ...block };
  return { apiVersion: 'decant.sh/v1alpha1', kind: 'ConsolidationPolicy', metadata: { name: 'p' }, spec };
}

async function refusal(answer: Promise<string>): Promise<string> {
  const error = await answer.then(
    (printed) => assert.fail(`accepted: ${printed}`),
    (failure: { stderr?: string }) => failure,
  );
  return error.stderr ?? String(error);
}
