// Dumps that kubectl took of clusters on the real control plane (npm run -s e2e:dump), before every command that takes -f.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Plan } from '../../src/engine/plan-document.ts';
import { decant } from '../build/decant.ts';

interface Listed {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly status?: { readonly phase?: string };
}

for (const region of ['eu-west-1', 'westeurope', 'europe-west1']) {
  const file = join(import.meta.dirname, `${region}.json.gz`);
  const { items } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as { readonly items: readonly Listed[] };
  const ofKind = (kind: string) => items.filter((item) => item.kind === kind);

  describe(`a dump of ${region}`, async () => {
    const planned = decant(['plan', '-f', file, '-o', 'json']);

    test('is planned without a flag: every node, every pod, at prices of the region', async () => {
      const { code, stdout, stderr } = await planned;
      assert.equal(code, 0, stderr);
      const plan = JSON.parse(stdout) as Plan;
      assert.deepEqual(
        plan.nodes.map((n) => n.name).sort(),
        ofKind('Node')
          .map((n) => n.metadata.name)
          .sort(),
      );
      assert.equal(plan.totals.pods, ofKind('Pod').length);
      assert.deepEqual(
        plan.nodes.filter((n) => n.centsPerHour === null).map((n) => n.name),
        [],
      );
      assert.ok(plan.totals.centsPerHour > 10, `${plan.totals.centsPerHour} ¢/h`);
      for (const { zone } of plan.nodes) assert.ok(zone.startsWith(region), zone);
      for (const { zones } of plan.moves.flatMap((m) => m.replacements))
        for (const zone of zones) assert.ok(zone === '*' || zone.startsWith(region), zone);
    });

    test('an hour later consolidateAfter has passed for its nodes, and each has its verdict', async () => {
      const now = new Date(Date.parse((JSON.parse((await planned).stdout) as Plan).now) + 3_600_000).toISOString();
      const { stdout } = await decant(['plan', '-f', file, '--now', now, '-o', 'json']);
      const { moves, nodes } = JSON.parse(stdout) as Plan;
      const managed = nodes.filter((n) => !n.refusals.some((r) => r.code === 'not-managed'));
      assert.ok(moves.length > 0);
      assert.deepEqual(
        managed.filter((n) => n.refusals.some((r) => r.code === 'not-consolidatable')),
        [],
      );
    });

    test('gives the same answer tomorrow', async () => {
      const again = await decant(['plan', '-f', file, '-o', 'json'], '', { TZ: 'Asia/Tokyo' });
      const timeless = (text: string) => {
        const { totals, ...plan } = JSON.parse(text) as Plan;
        return { ...plan, totals: { ...totals, loadMs: 0, elapsedMs: 0 } };
      };
      assert.deepEqual(timeless(again.stdout), timeless((await planned).stdout));
    });

    const node =
      ofKind('NodeClaim').length > 0 ? ofKind('Node').find((n) => n.metadata.name.startsWith('kwok'))! : undefined;
    const pod = ofKind('Pod').find((p) => p.metadata.name.startsWith('db-'))!;
    const commands: readonly (readonly string[])[] = [
      ['explain', 'node', node!.metadata.name],
      ['explain', 'node', 'system-0'],
      ['explain', 'pod', `default/${pod.metadata.name}`],
      ['blockers'],
      ['cost', '--by', 'workload'],
      ['calendar'],
      ['validate'],
      ['snapshot'],
      ['adopt'],
      ['simulate', '--days', '0.03', '--policy', 'calm'],
      ['compare', '--days', '0.02', '--seeds', '1', '--workers', '1', '--policies', 'none', 'stock', 'rfc'],
      ['tune', '--days', '0.01', '--settings', '1', '--workers', '1', '--base', 'rfc', '--keep-savings', '0%'],
    ];
    for (const command of commands) {
      test(`decant ${command.join(' ')}`, async () => {
        const { code, stdout, stderr } = await decant([...command, '-f', file]);
        assert.equal(code, 0, stderr);
        assert.ok(stdout.length > 20, stdout);
        assert.doesNotMatch(stdout, /undefined|NaN|\[object/);
      });
    }

    test('its DaemonSet runs once on each node of a simulation, however many there are', async () => {
      const { stdout } = await decant(['simulate', '-f', file, '--days', '0.1', '--wave', '50%', '-o', 'json']);
      const { nodesLaunched = 0 } = JSON.parse(stdout) as { readonly nodesLaunched?: number };
      assert.ok(nodesLaunched < 20, `${nodesLaunched} nodes launched`);
    });
  });
}
