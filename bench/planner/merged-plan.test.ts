import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inputFile } from '../generate/cached-input.ts';
import { DEFAULTS } from '../generate/parameters.ts';
import { loadObjects } from '../measures/load-objects.ts';
import { planMerged } from './merged-plan.ts';
import { stockToItsFixedPoint } from './stock-fixed-point.ts';

/** The kinds on which a search that leaves zones to chance falls behind; `bench:planner` has the others. */
const CLUSTERS = (['plain', 'mixed'] as const).flatMap((mode) => [1, 2].map((seed) => ({ mode, seed })));

test('where pods are spread, a plan saves at least what stock does until it finds nothing more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'decant-planner-'));
  try {
    for (const own of CLUSTERS) {
      const cluster = { ...DEFAULTS, ...own, variant: 'spread', nodes: 60 } as const;
      const objects = await loadObjects(await inputFile({ ...cluster, form: 'snapshot' }, folder));
      const [ours, stocks] = [planMerged(objects, false), stockToItsFixedPoint(objects)];
      assert.ok(ours.dollarsPerHour <= stocks.dollarsPerHour + 1e-9, JSON.stringify({ ...own, ours, stocks }));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
