// The dashboard of `decant run` beyond loopback, on a real API server: with the rights that the chart gives it, it finds
// out whose token it is and whether they may list pods.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Cluster } from './cluster.ts';
import { DecantRun } from './decant-run.ts';
import { installDecant } from './live.ts';
import { builtTool } from './tools/optional-tool.ts';
import { rendered } from './tools/plain-manifests.ts';

const NAMESPACE = 'decant';
const helm = builtTool('helm');

let cluster: Cluster;
before(async () => {
  cluster = await Cluster.start();
  await installDecant(cluster);
  await cluster.plane.kubectl(['create', 'namespace', NAMESPACE]);
  for (const name of ['viewer', 'stranger'])
    await cluster.plane.kubectl(['create', 'serviceaccount', name, '-n', NAMESPACE]);
  await cluster.plane.kubectl([
    ...['create', 'clusterrolebinding', 'viewers', '--clusterrole=view'],
    `--serviceaccount=${NAMESPACE}:viewer`,
  ]);
});
after(() => cluster?.plane.stop());

async function tokenOf(account: string): Promise<string> {
  return (await cluster.plane.kubectl(['create', 'token', account, '-n', NAMESPACE])).trim();
}

test('tokens of those who may list all pods open it, and no others', async () => {
  const flags = ['--dashboard-port', '0', '--dashboard-bind-address', '127.0.0.1', '--dashboard-auth', 'kubernetes'];
  await using decant = await DecantRun.start(cluster, { flags });
  const [line] = decant.lines.filter(({ message }) => message === 'serving the dashboard');
  const status = async (token: string | undefined) => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    return (await fetch(new URL('/api/state', String(line.url)), { headers })).status;
  };
  assert.deepEqual(
    [
      await status(await tokenOf('viewer')),
      await status(await tokenOf('stranger')),
      await status('made-up'),
      await status(undefined),
    ],
    [200, 403, 401, 401],
  );
});

test('the chart gives it the rights for that', { skip: helm === undefined ? 'no helm' : false }, async () => {
  const text = await rendered(helm!, 'dashboard.enabled=true');
  await cluster.plane.kubectl(['apply', '--server-side', '-f', '-'], text);
  const may = (resource: string) =>
    cluster.plane.kubectl(['auth', 'can-i', 'create', resource, `--as=system:serviceaccount:${NAMESPACE}:decant`]);
  for (const resource of ['tokenreviews.authentication.k8s.io', 'subjectaccessreviews.authorization.k8s.io'])
    assert.equal((await may(resource)).trim(), 'yes', resource);
});
