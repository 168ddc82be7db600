// `decant adopt` and `decant history` on a real cluster, as their help says to use them: in pipes.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Cluster } from './cluster.ts';
import { nodePool } from './control-plane/karpenter-objects.ts';
import { fillToolbox } from './control-plane/toolbox.ts';
import { installDecant } from './live.ts';

const run = promisify(execFile);
const MAIN = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

let cluster: Cluster;
let kubectlFolder: string;
before(async () => {
  kubectlFolder = dirname((await fillToolbox(() => {})).programs.kubectl);
  cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.apply(nodePool({ consolidateAfter: '10m', budget: '20%' }));
});
after(() => cluster?.plane.stop());

/** A line for a shell in which decant and kubectl are of this cluster. */
async function shell(line: string): Promise<string> {
  const decant = `decant() { ${process.execPath} ${MAIN} "$@"; }`;
  const env = {
    PATH: `${kubectlFolder}:${process.env.PATH}`,
    HOME: cluster.plane.folder,
    KUBECONFIG: cluster.plane.kubeconfig,
  };
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', `${decant}; ${line}`], { env });
  return stdout;
}

async function pool(): Promise<{ readonly metadata: object; readonly spec: { readonly disruption: object } }> {
  const { metadata, spec } = JSON.parse(await cluster.plane.kubectl(['get', 'nodepool', 'default', '-o', 'json']));
  const { labels = {}, annotations = {} } = metadata;
  const ours = (all: object) => Object.fromEntries(Object.entries(all).filter(([key]) => key.startsWith('decant.sh/')));
  return { metadata: { ...ours(labels), ...ours(annotations) }, spec: { disruption: spec.disruption } };
}

test('a pool is handed over and given back, and is then as it was', async () => {
  const before = await pool();
  await shell('decant adopt -o yaml | kubectl apply -f -');
  assert.match(await shell('kubectl get consolidationpolicies'), /^default +WhenEmptyOrUnderutilized/m);
  assert.match(await shell('decant adopt'), /^NODEPOOL default: consolidated by Karpenter/, 'not selected yet');

  await shell('decant adopt --hand-over | sh');
  assert.match(
    await shell('decant adopt || true'),
    /^NODEPOOL default: ConsolidationPolicy default selects it, and Karpenter does not consolidate it/,
  );
  const taken = await pool();
  assert.deepEqual(taken.metadata, { 'decant.sh/policy': 'default', 'decant.sh/consolidate-after': '10m' });
  assert.deepEqual(taken.spec.disruption, { ...before.spec.disruption, consolidateAfter: 'Never' });

  await shell('decant adopt --give-back | sh');
  assert.deepEqual(await pool(), before);
});

test('the recommended profile is taken by the API server too', async () => {
  await shell('decant adopt --profile calm -o json | kubectl apply --dry-run=server -f -');
});

test('history of a cluster', async () => {
  assert.equal(await shell('decant history'), 'no commands yet\n');
  const figures = { savingsCentsPerHour: 4.5, requiredCentsPerHour: 0, disruptionCost: 2, evictions: 3 };
  const time = '2026-08-20T12:00:00.000Z';
  const nodes = [{ node: 'node-1', nodeClaim: 'claim-1', nodePool: 'default', centsPerHour: 4.5, pods: 3 }];
  await cluster.apply({
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'ConsolidationCommand',
    metadata: { name: '0abc-00' },
    spec: { decidedAt: time, nodes, replacements: [], workloads: { 'default/web': 3 }, predicted: figures },
    status: { phase: 'Done', phaseAt: time, realised: figures },
  });
  const printed = await shell('decant history');
  assert.match(printed, /^1 command: 1 done, 0 abandoned, 0 open\n\$0\.045\/h saved/);
  assert.match(printed, /^2026-08-20 12:00 +default +done +\$0\.045\/h +\$0\.045\/h +3 +delete node-1$/m);
  assert.equal(await shell('kubectl get dcmd -o json | decant history -f -'), printed);
});

test('a cluster without our kinds: adopt works, history says what is missing', async () => {
  await cluster.plane.kubectl(['delete', 'crd', 'consolidationpolicies.decant.sh', 'consolidationcommands.decant.sh']);
  assert.match(await shell('decant adopt'), /^NODEPOOL default: consolidated by Karpenter/);
  await assert.rejects(shell('decant history'), (error: { code: number; stderr: string }) => {
    assert.equal(error.code, 2);
    assert.match(
      error.stderr,
      /^decant: the cluster has no kind ConsolidationCommand: install it with decant crd \| kubectl apply/m,
    );
    return true;
  });
});
