// Decant is upgraded, and rolled back, while a command is open: taints are there, a new node is being launched. The CRD of
// the previous version (previous-version/) does not keep the fields that came later, so the API server drops them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Cluster } from './cluster.ts';
import { DecantRun } from './decant-run.ts';
import { HttpProxy } from './http-proxy.ts';
import { installDecant } from './live.ts';
import { consolidated, oversizedNode } from './oversized-node.ts';

const FILE = 'consolidationcommands.yaml';
const PREVIOUS = join(import.meta.dirname, 'previous-version', FILE);
const CURRENT = join(import.meta.dirname, '..', '..', 'deploy', 'crds', FILE);
const FLAGS = ['--mode', 'act', '--leader-elect=false'];

for (const { what, from, to, placements } of [
  { what: 'an upgrade', from: PREVIOUS, to: CURRENT, placements: [false, false] },
  { what: 'a rollback', from: CURRENT, to: PREVIOUS, placements: [true, false] },
])
  test(`${what} with an open command: it is brought to its end`, async () => {
    await using cluster = await Cluster.start();
    const apply = (file: string) =>
      cluster.plane.kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], readFileSync(file, 'utf8'));
    await installDecant(cluster);
    await apply(from);
    // For a moment its storage is being initialized, again.
    await cluster.until('the kind answers', () => cluster.list('consolidationcommands'));
    await cluster.plane.kubectl(['delete', 'nodepool', 'default']);
    const firstClaim = await oversizedNode(cluster, 'versions');
    await using proxy = await HttpProxy.start(cluster);
    await using before = await DecantRun.start(cluster, { flags: FLAGS, kubeconfig: proxy.kubeconfig });
    proxy.faultOf = ({ method, path }) => {
      if (method !== 'POST' || !path.includes('/nodeclaims')) return undefined;
      before.process.kill('SIGKILL');
      return 'unanswered';
    };
    await before.until('it is killed', () => before.process.signalCode !== null);
    const journal = async () => {
      const commands = await cluster.list('consolidationcommands');
      return commands.map(({ spec, status }) => [status.phase, 'placements' in spec]);
    };
    assert.deepEqual(await journal(), [['Launching', placements[0]]]);
    await apply(to);
    await cluster.until('the API server knows', async () => (await journal())[0][1] === placements[1]);

    await using next = await DecantRun.start(cluster, { flags: FLAGS });
    await consolidated(cluster, firstClaim, [before, next]);
    assert.deepEqual((await cluster.list('consolidationcommands')).length, 1, 'by the same command');
    assert.deepEqual(await next.stop(), { code: 0, signal: null });
  });
