import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DEFAULT_CONTROLLER_SETTINGS } from '../../src/config/controller-settings.ts';
import { EvictionPrices } from '../../src/controller/eviction-prices.ts';
import { ForgoneSavings } from '../../src/controller/forgone-savings.ts';
import { makePass } from '../../src/controller/pass.ts';
import { IncrementalCluster } from '../../src/engine/pass/incremental-cluster.ts';
import { policy } from '../../test/build/policy.ts';
import { inputFile } from '../generate/cached-input.ts';
import { DEFAULTS } from '../generate/parameters.ts';
import { loadObjects } from '../measures/load-objects.ts';
import { MERGED_RULES } from './merged-plan.ts';

test('a node that leaves in a later stage of a plan is not counted as blocked, and begins no grace period', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'decant-planner-'));
  after(() => rmSync(folder, { recursive: true }));
  const kind = { mode: 'mixed', variant: 'fragmented', seed: 3, nodes: 10 } as const;
  const { report, cluster, kept } = await makePass(
    {
      objects: await loadObjects(await inputFile({ ...DEFAULTS, ...kind, form: 'snapshot' }, folder)),
      journal: [],
      rules: { ...MERGED_RULES, policyOf: () => policy({ savingsThresholdCents: 0.3 }) },
      settings: DEFAULT_CONTROLLER_SETTINGS,
      incremental: new IncrementalCluster(),
      brakeState: { timing: new ForgoneSavings(), prices: new EvictionPrices(0) },
      mayPropose: () => true,
    },
    { mode: 'observe', settings: DEFAULT_CONTROLLER_SETTINGS, work: 20_000 },
  );
  const next = report.proposals.flatMap(({ command }) => command.next ?? []).flatMap(({ nodes }) => nodes);
  const names = new Set(kept.map((row) => cluster.rows[row].name));
  const blocked = [...report.thresholdBlocked.values()].flatMap((nodes) => [...nodes.keys()]);
  assert.ok(next.length > 1);
  assert.deepEqual(
    next.filter((name) => names.has(name) || blocked.includes(name)),
    [],
  );
});
