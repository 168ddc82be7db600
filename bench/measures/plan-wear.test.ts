import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { IncrementalCluster } from '../../src/engine/pass/incremental-cluster.ts';
import { benefitOf } from '../../src/engine/search/net-benefit.ts';
import { resultOf } from '../../src/engine/steps.ts';
import { inputFile } from '../generate/cached-input.ts';
import { DEFAULTS } from '../generate/parameters.ts';
import { Random } from '../generate/random.ts';
import { MERGED_RULES } from '../planner/merged-plan.ts';
import { loadObjects } from './load-objects.ts';
import { PodTurnover } from './pod-turnover.ts';

const NODES = 200;
const PASSES = 12;
const WHOLE = 120 * NODES;
/** Of a pass that has moves to start from. */
const LITTLE = 300;
/** Of what a search with the whole budget finds from scratch. */
const LEAST = 0.95;

/** Passes over one cluster with little work each; every one starts from the moves of the one before. */
class Passes {
  private readonly incremental = new IncrementalCluster();

  netCents(objects: ClusterObjects): number {
    const evaluation = resultOf(this.incremental.evaluate(objects, MERGED_RULES));
    const work = (_: number, isWhole: boolean) => (isWhole ? WHOLE : LITTLE);
    return benefitOf(resultOf(this.incremental.search(evaluation, { search: 'merged', work })).plan).netCents;
  }
}

describe('a plan that is repaired in pass after pass', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decant-wear-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const variant of ['packed', 'tight', 'spread'] as const) {
    test(`${variant}: is worth about as much as one from scratch`, async () => {
      const cluster = { ...DEFAULTS, mode: 'mixed', variant, nodes: NODES, form: 'snapshot' } as const;
      const objects = await loadObjects(await inputFile(cluster, folder));
      const turnover = new PodTurnover(objects, new Random(1));
      const passes = new Passes();
      passes.netCents(objects);
      let [warm, scratch] = [0, 0];
      for (let pass = 1; pass <= PASSES; pass++) {
        turnover.change(0.01);
        const found = passes.netCents(turnover.objects);
        if (pass <= PASSES / 2) continue;
        warm += found;
        scratch += new Passes().netCents(turnover.objects);
      }
      assert.ok(scratch > 0 && warm >= LEAST * scratch, `${warm / scratch} of it`);
    });
  }
});
