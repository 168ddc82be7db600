import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { decant } from '../../../test/build/decant.ts';
import { writeKubeconfig } from '../../../test/build/listed-cluster.ts';
import { ScriptedServer, sendJson, sendStatus } from '../../../test/build/scripted-server.ts';

const ANSWERS: Readonly<Record<string, unknown>> = {
  '/version': { gitVersion: 'v1.36.3' },
  '/apis/apps/v1/deployments': {
    metadata: { resourceVersion: '1' },
    items: [
      {
        metadata: { namespace: 'kube-system', name: 'karpenter' },
        spec: {
          template: { spec: { containers: [{ image: 'registry.example/karpenter/controller:1.15.0@sha256:ab' }] } },
        },
      },
    ],
  },
  '/apis/karpenter.sh': { versions: [{ version: 'v1' }] },
  '/apis/karpenter.sh/v1': { resources: [{ name: 'nodepools' }, { name: 'nodeclaims' }] },
};

test('the versions of everything, and what is not installed', async (t) => {
  await using server = await ScriptedServer.start(({ path }, response) => {
    if (path in ANSWERS) sendJson(response, ANSWERS[path]);
    else sendStatus(response, 404, 'NotFound', 'no such group');
  });
  const folder = mkdtempSync(join(tmpdir(), 'decant-version-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const kubeconfig = await writeKubeconfig(join(folder, 'config'), server.url);
  const { code, stdout, stderr } = await decant(['version', '--kubeconfig', kubeconfig]);
  assert.equal(code, 0, stderr);
  const [client, ...others] = stdout.trim().split('\n');
  assert.match(client, /^decant +\d+\.\d+\.\d+$/);
  assert.deepEqual(others, [
    'kubernetes  v1.36.3',
    'karpenter   1.15.0 (kube-system/karpenter)',
    'NodePool: v1',
    'NodeClaim: v1',
    'ConsolidationPolicy: not installed',
    'ConsolidationCommand: not installed',
  ]);
});

test('the client alone sends no request', async () => {
  const { code, stdout } = await decant(['version', '--client', '-o', 'json']);
  assert.deepEqual([code, Object.keys(JSON.parse(stdout))], [0, ['decant']]);
});

test('a cluster that cannot be reached does not hide the version of the client', async () => {
  const { code, stdout, stderr } = await decant(['version', '--kubeconfig', '/nowhere/config']);
  assert.match(stdout, /^decant +\d+\.\d+\.\d+\n$/);
  assert.match(stderr, /^decant: .*\/nowhere\/config/);
  assert.equal(code, 2);
});
