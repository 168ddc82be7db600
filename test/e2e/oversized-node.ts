import assert from 'node:assert/strict';
import type { Cluster } from './cluster.ts';
import type { DecantRun } from './decant-run.ts';
import { fillAndScaleDown, scenarioPods, scenarioPolicy, scenarioPool } from './scenario-pools.ts';

/** One node that is too large for the pod that is left on it; returns its NodeClaim. */
export async function oversizedNode(cluster: Cluster, pool: string): Promise<string> {
  await cluster.apply(scenarioPool(pool), scenarioPolicy(pool), scenarioPods(pool, 7));
  await fillAndScaleDown(cluster, { [pool]: 1 });
  const [claim] = await cluster.list('nodeclaims');
  return claim.metadata.name;
}

/** One node, another one; the pod runs; no taint, no command, no claim is left. */
export async function consolidated(cluster: Cluster, firstClaim: string, runs: readonly DecantRun[]): Promise<void> {
  const log = async () => {
    const claims = (await cluster.list('nodeclaims')).map(({ metadata, status }) =>
      JSON.stringify({ name: metadata.name, created: metadata.creationTimestamp, conditions: status?.conditions }),
    );
    const karpenter = cluster.plane.log('karpenter').slice(-5000);
    return [...runs.map((run) => run.text.slice(-5000)), claims.join('\n'), karpenter].join('\n---\n');
  };
  const waiting = { timeoutMs: 240_000, onTimeout: log };
  await cluster.until(
    'the node is replaced',
    async () => {
      const claims = (await cluster.list('nodeclaims')).map(({ metadata }) => metadata.name);
      return claims.length === 1 && claims[0] !== firstClaim;
    },
    waiting,
  );
  await cluster.settled(1);
  await cluster.until(
    'every command is over',
    async () =>
      (await cluster.list('consolidationcommands')).every(({ status }) => /Done|Abandoned/.test(status.phase)),
    waiting,
  );
  for (const node of await cluster.list('nodes'))
    assert.deepEqual(
      (node.spec.taints ?? []).filter(({ key }) => key === 'karpenter.sh/disrupted'),
      [],
    );
}
