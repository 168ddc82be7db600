import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { hostsOf } from '../../src/engine/search/following.ts';
import { merged } from '../../src/engine/search/merged/merged.ts';
import { netCents } from '../../src/engine/search/net-benefit.ts';
import { inWaves } from '../../src/engine/search/waves.ts';
import { resultOf } from '../../src/engine/steps.ts';
import { problemsOfSequence } from '../../test/reference/sequence.ts';
import { inputFile } from '../generate/cached-input.ts';
import { DEFAULTS } from '../generate/parameters.ts';
import { loadObjects } from '../measures/load-objects.ts';
import { MERGED_RULES } from './merged-plan.ts';
import { questionOf } from './question.ts';

const WORK = 60_000;
/** New nodes of one move. */
const MOST = 5;

/** Their pools let two nodes go at once, so a plan is best if pods of later moves join those of earlier ones. */
describe('moves whose pods go to nodes that earlier moves launch', () => {
  const folder = mkdtempSync(join(tmpdir(), 'decant-following-'));
  after(() => rmSync(folder, { recursive: true }));

  for (const [mode, variant, seed] of [
    ['plain', 'normal', 2],
    ['plain', 'fragmented', 2],
    ['mixed', 'normal', 1],
    ['mixed', 'fragmented', 2],
    ['mixed', 'spread', 1],
  ] as const) {
    test(`${mode} ${variant} ${seed}: all find their wave, and each is sound when its turn comes`, async () => {
      const cluster = { ...DEFAULTS, mode, variant, seed, nodes: 20, form: 'snapshot' } as const;
      const problem = questionOf(await loadObjects(await inputFile(cluster, folder)), MERGED_RULES, MOST, true);
      const search = merged.search(problem, { work: WORK });
      let step = search.next();
      while (step.done !== true) step = search.next();
      const timed = resultOf(inWaves(problem, step.value.moves));
      const net = timed.reduce((sum, { move }) => sum + netCents(move), 0);
      const found = step.value.moves.reduce((sum, move) => sum + netCents(move), 0);
      assert.ok(Math.abs(net - found) < 1e-6, `${net} of ${found} in waves`);

      const following = timed.filter(({ move }) => hostsOf(move).size > 0);
      assert.notEqual(following.length, 0);
      for (const { move, wave } of following) {
        for (const row of hostsOf(move)) {
          const host = timed.find((m) => m.move.candidates.some((c) => c.row === row));
          assert.ok(host !== undefined && host.wave < wave, `wave ${wave} follows wave ${host?.wave}`);
        }
      }
      const moves = timed.map(({ move }) => move);
      assert.deepEqual(problemsOfSequence(problem, moves), []);
    });
  }
});
