import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { recordedWorkload } from '../../../test/build/recorded-workload.ts';
import { writeSnapshot } from '../../kube/encode/snapshot.ts';
import { changeLine, type RecordedChange } from '../../lab/history/recorded-change.ts';
import { HistoryRecorder } from '../../lab/history/recorder.ts';
import { recordedFigures } from '../../lab/history/replay.ts';
import { SimulatedCluster } from '../../simulator/simulated-cluster.ts';
import { parseWorkload } from '../experiment/load-workload.ts';
import { jsonLines } from '../snapshot/snapshot.ts';
import { adviceOn } from './commit.ts';
import { renderAdvice } from './render.ts';

const MINUTE_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'decant-'));
after(() => rmSync(folder, { recursive: true }));

/** Six hours in which nothing consolidates: 16 pods, then 4, on nodes that were launched for 16. */
async function wasteful(): Promise<{ readonly file: string; readonly changes: readonly RecordedChange[] }> {
  const workload = recordedWorkload(`  - kind: Deployment
    name: web
    requests: { cpu: 500m, memory: 1Gi }
    replicas: { base: 16, steps: [{ after: 2h, replicas: 4 }] }
`);
  const scenario = await parseWorkload(workload, 'w.yaml');
  const cluster = new SimulatedCluster(scenario, { seed: 1, consolidation: 'none' });
  const startMs = scenario.startMs + 60 * MINUTE_MS;
  cluster.advanceTo(startMs);
  const snapshot = [...jsonLines(writeSnapshot(cluster.view().objects))].join('');
  const recorder = new HistoryRecorder(startMs);
  const changes: RecordedChange[] = [];
  for (let minute = 0; minute <= 360; minute += 10) {
    cluster.advanceTo(startMs + minute * MINUTE_MS);
    const change = recorder.observe(cluster.view().objects);
    if (change !== undefined) changes.push(change);
  }
  const file = join(folder, 'history.jsonl');
  writeFileSync(file, snapshot + [...changes, { t: 360 * 60 }].map(changeLine).join(''));
  return { file, changes: [...changes, { t: 360 * 60 }] };
}

test('advises a commitment for what was recorded, and less for what consolidation leaves', async () => {
  const { file, changes } = await wasteful();
  const asked = { history: file, discount: 0.275, by: 'all' } as const;
  const asRecorded = await adviceOn(asked);
  assert.equal(asRecorded.hours.toFixed(6), '6.000000');
  const [{ costDollars, best }] = asRecorded.groups;
  assert.ok(Math.abs(costDollars - recordedFigures(changes).costDollars) < 1e-9);
  // Always the same nodes: all of them are worth a commitment.
  assert.deepEqual(
    [best.coverage, best.utilization].map((x) => Number(x.toFixed(9))),
    [1, 1],
  );
  const left = await adviceOn({ ...asked, afterConsolidation: 'rfc' });
  assert.ok(left.groups[0].best.dollarsPerHour < 0.6 * best.dollarsPerHour);
  const text = renderAdvice(asRecorded);
  assert.match(
    text,
    /^0\.[23] days, on-demand nodes as recorded, a discount of 27\.5 %\nA commitment pays off if more than 72\.5 %/,
  );
  assert.match(text, /commit \$\S+\/h: saves \$\S+ a month; above \$\S+\/h it costs more than no commitment/);
  assert.match(text, /100 % +100 % +← best/);
  assert.match(text, /Less than a week/);
  assert.doesNotMatch(renderAdvice({ ...asRecorded, hours: 7 * 24 }), /Less than a week/);
  assert.match(renderAdvice(left), /as rfc would have left them/);
  assert.match(renderAdvice({ ...asRecorded, groups: [] }), /nothing to commit to/);
});
