import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Cluster } from './cluster.ts';
import { waitFor } from './control-plane/readiness.ts';
import { holds } from './kube-objects.ts';
import { listeningAddresses, processesUsing } from './processes.ts';
import { deployment } from './workloads.ts';

test('a control plane', async (t) => {
  await using cluster = await Cluster.start();
  const { plane } = cluster;

  await t.test('is ready when it says so', async () => {
    assert.deepEqual(
      [...plane.components].filter(([, component]) => !component.running),
      [],
    );
    assert.equal(await plane.kubectl(['get', '--raw', '/readyz']), 'ok');
    const [pool] = await cluster.until('the NodePool is ready', async () => {
      const pools = await cluster.list('nodepools');
      return pools.every((each) => holds(each, 'Ready')) && pools;
    });
    assert.equal(pool!.metadata.name, 'default');
  });

  await t.test('listens on loopback only', () => {
    for (const [name, component] of plane.components) {
      const addresses = listeningAddresses(component.pid!);
      assert.ok(addresses.length > 0, `${name} listens`);
      assert.deepEqual(
        addresses.filter((address) => address !== '127.0.0.1'),
        [],
        name,
      );
    }
  });

  await t.test('gives every user an identity', async () => {
    const kubeconfig = await plane.kubeconfigFor('reader', { user: 'reader', groups: ['readers'] });
    const who = JSON.parse(await plane.kubectl(['auth', 'whoami', '-o', 'json', '--kubeconfig', kubeconfig]));
    assert.equal(who.status.userInfo.username, 'reader');
    assert.ok(who.status.userInfo.groups.includes('readers'));
    await assert.rejects(plane.kubectl(['get', 'nodes', '--kubeconfig', kubeconfig]), /forbidden/);
  });

  for (const [name, signal] of [
    ['kube-apiserver', 'SIGTERM'],
    ['etcd', 'SIGKILL'],
    ['karpenter', 'SIGKILL'],
  ] as const) {
    await t.test(`goes on after ${name} got ${signal}`, async () => {
      const before = plane.components.get(name)!.pid;
      await plane.restart(name, signal);
      assert.notEqual(plane.components.get(name)!.pid, before);
      // The API server answers before it has found etcd again.
      await cluster.until('a Deployment is taken', async () => {
        await cluster.apply(deployment(name, { replicas: 2, cpu: '500m' }));
        return true;
      });
      await cluster.until('both pods run', async () => {
        const pods = await cluster.list('pods', '-n', 'default', '-l', `app=${name}`);
        return pods.length === 2 && pods.every((pod) => pod.status.phase === 'Running');
      });
    });
  }
});

for (const [signal, leavesFolder] of [
  ['SIGINT', false],
  ['SIGTERM', false],
  // Nobody can clean up after that; but nothing may go on running.
  ['SIGKILL', true],
] as const) {
  test(`nothing runs on after ${signal}`, async () => {
    const main = join(import.meta.dirname, 'control-plane', 'main.ts');
    const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const folder = line.match(/KUBECONFIG=(.*)\/admin.kubeconfig\n/)![1]!;
    assert.ok(processesUsing(folder).length >= 5);
    child.kill(signal);
    assert.deepEqual(await once(child, 'exit'), [null, signal]);
    await waitFor('its components have ended', async () => processesUsing(folder).length === 0, { timeoutMs: 30_000 });
    assert.equal(existsSync(folder), leavesFolder);
    rmSync(folder, { recursive: true, force: true });
  });
}
