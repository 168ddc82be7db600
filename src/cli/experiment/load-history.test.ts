import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { recordedWorkload } from '../../../test/build/recorded-workload.ts';
import { writeSnapshot } from '../../kube/encode/snapshot.ts';
import { changeLine, type RecordedChange } from '../../lab/history/recorded-change.ts';
import { HistoryRecorder } from '../../lab/history/recorder.ts';
import { recordedFigures } from '../../lab/history/replay.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { SimulatedCluster } from '../../simulator/simulated-cluster.ts';
import { jsonLines } from '../snapshot/snapshot.ts';
import { loadHistory } from './load-history.ts';
import { parseWorkload } from './load-workload.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const WORKLOAD = recordedWorkload(`  - { kind: DaemonSet, name: agent, requests: { cpu: 100m } }
  - kind: Deployment
    name: web
    requests: { cpu: 500m, memory: 1Gi }
    replicas: { base: 6, steps: [{ after: 2h, replicas: 12 }, { after: 3h30m, replicas: 4 }, { after: 5h, replicas: 8 }] }
  - kind: Deployment
    name: later
    requests: { cpu: 250m, memory: 512Mi }
    spec: { nodeSelector: { kubernetes.io/arch: amd64 } }
    replicas: { base: 0, steps: [{ after: 3h, replicas: 5 }, { after: 6h, replicas: 0 }] }
  - { kind: StatefulSet, name: db, requests: { cpu: "1", memory: 2Gi }, replicas: 2 }
  - { kind: CronJob, name: report, every: 30m, pods: 2, runTime: 5m..25m, requests: { cpu: 700m } }
`);

interface Recording {
  readonly text: string;
  readonly changes: readonly RecordedChange[];
  readonly cluster: SimulatedCluster;
}

/** What a look every minute writes down, from the given hour of the scenario on. */
function recorded(
  scenario: Scenario,
  seed: number,
  consolidation: 'none' | 'stock',
  fromMs: number,
  forMs: number,
): Recording {
  const cluster = new SimulatedCluster(scenario, { seed, consolidation });
  const startMs = scenario.startMs + fromMs;
  cluster.advanceTo(startMs);
  const snapshot = [...jsonLines(writeSnapshot(cluster.view().objects))].join('');
  const recorder = new HistoryRecorder(startMs);
  const changes: RecordedChange[] = [];
  for (let ms = startMs; ms <= startMs + forMs; ms += MINUTE_MS) {
    cluster.advanceTo(ms);
    const change = recorder.observe(cluster.view().objects);
    if (change !== undefined) changes.push(change);
  }
  return { text: snapshot + changes.map(changeLine).join(''), changes, cluster };
}

async function loaded(content: string | Uint8Array, name = 'history.jsonl') {
  const folder = mkdtempSync(join(tmpdir(), 'decant-'));
  try {
    writeFileSync(join(folder, name), content);
    return await loadHistory(join(folder, name), {});
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** By name: wanted replicas and the time in seconds since the start. */
function curves(changes: readonly RecordedChange[]): ReadonlyMap<string, readonly string[]> {
  const steps = new Map<string, string[]>();
  for (const { t, replicas = {} } of changes)
    for (const [name, wanted] of Object.entries(replicas))
      steps.set(name, [...(steps.get(name) ?? []), `${t}: ${wanted}`]);
  return steps;
}

function jobRuns(changes: readonly RecordedChange[]): { readonly began: number; readonly hours: number } {
  const cut = new Set(changes.flatMap((c) => c.cut ?? []));
  const began = changes.flatMap((c) => c.began ?? []).filter(([number]) => !cut.has(number));
  const seconds = changes.flatMap((c) => c.ended ?? []).reduce((sum, [, ran]) => sum + ran, 0);
  return { began: began.length, hours: seconds / 3600 };
}

describe('a day that is recorded and replayed', () => {
  const FOR_MS = 7 * HOUR_MS;

  test('has the same curves, Jobs and, over some seeds, nearly the same cost', async () => {
    const scenario = await parseWorkload(WORKLOAD, 'recorded.yaml');
    const first = recorded(scenario, 1, 'stock', HOUR_MS, FOR_MS);
    const { scenario: replay, recorded: figures } = await loaded(first.text);
    assert.equal(figures?.days, 0.2917);
    const second = recorded(replay, 2, 'stock', 0, FOR_MS);
    const [before, after] = [curves(first.changes), curves(second.changes)];
    assert.deepEqual(before.get('Deployment default/web'), ['0: 6', '3600: 12', '9000: 4', '14400: 8']);
    assert.deepEqual(before.get('Deployment default/later'), ['0: 0', '7200: 5', '18000: 0']);
    assert.deepEqual(after.get('Deployment default/web'), before.get('Deployment default/web'));
    assert.deepEqual(after.get('StatefulSet default/db'), before.get('StatefulSet default/db'));
    const later = second.cluster.world.apps.find(({ app }) => app.name === 'later');
    assert.deepEqual(later?.app.constraints.nodeSelector, { 'kubernetes.io/arch': 'amd64' });
    const [runs, again] = [jobRuns(first.changes), jobRuns(second.changes)];
    assert.ok(runs.began >= 28, `${runs.began} pods of Jobs`);
    assert.ok(Math.abs(again.began - runs.began) <= 2, `${again.began} of ${runs.began} pods of Jobs`);
    assert.ok(Math.abs(again.hours / runs.hours - 1) < 0.1, `${again.hours} of ${runs.hours} hours of Jobs`);
    const others = [3, 4, 5].map((seed) => recorded(replay, seed, 'stock', 0, FOR_MS));
    const costs = [second, ...others].map(({ changes }) => recordedFigures(changes).costDollars);
    const mean = costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
    assert.ok(Math.abs(mean / (figures?.costDollars ?? 0) - 1) < 0.1, `$${mean} instead of $${figures?.costDollars}`);
  });

  test('under stock: cost and evictions of the record are those of the ledger', async () => {
    const scenario = await parseWorkload(WORKLOAD, 'recorded.yaml');
    const { changes, cluster } = recorded(scenario, 1, 'stock', 0, FOR_MS);
    const { costDollars, evictions } = recordedFigures(changes);
    const ledger = cluster.ledger.summary();
    assert.ok(Math.abs(costDollars / ledger.costDollars - 1) < 0.05, `$${costDollars}, ledger $${ledger.costDollars}`);
    assert.ok(ledger.evictions > 0);
    assert.ok(Math.abs(evictions - ledger.evictions) <= 1, `${evictions}, ledger ${ledger.evictions}`);
  });

  test('a recorder that is started again continues: no pod of a Job begins twice, nodes that went meanwhile are gone', async () => {
    const scenario = await parseWorkload(WORKLOAD, 'recorded.yaml');
    const whole = recorded(scenario, 1, 'stock', 0, FOR_MS);
    const cluster = new SimulatedCluster(scenario, { seed: 1, consolidation: 'stock' });
    const { startMs } = scenario;
    const changes: RecordedChange[] = [];
    let recorder = new HistoryRecorder(startMs);
    for (let ms = startMs; ms <= startMs + FOR_MS; ms += MINUTE_MS) {
      cluster.advanceTo(ms);
      const minute = (ms - startMs) / MINUTE_MS;
      if (minute > 220 && minute < 230) continue;
      if (minute === 213 || minute === 230) recorder = new HistoryRecorder(startMs, changes);
      const change = recorder.observe(cluster.view().objects);
      if (change !== undefined) changes.push(change);
    }
    const numbers = (all: readonly RecordedChange[]) => all.flatMap((c) => c.began ?? []).map(([number]) => number);
    assert.equal(new Set(numbers(changes)).size, numbers(changes).length);
    assert.equal(numbers(changes).length, numbers(whole.changes).length);
    const ended = changes.flatMap((c) => c.ended ?? []).map(([number]) => number);
    assert.equal(new Set(ended).size, ended.length);
    const [cost, full] = [changes, whole.changes].map((each) => recordedFigures(each).costDollars);
    assert.ok(Math.abs(cost / full - 1) < 0.02, `$${cost} instead of $${full}`);
    assert.deepEqual(
      curves(changes).get('Deployment default/later'),
      curves(whole.changes).get('Deployment default/later'),
    );
  });

  test('is the same from a compressed file', async () => {
    const scenario = await parseWorkload(WORKLOAD, 'recorded.yaml');
    const { text } = recorded(scenario, 1, 'none', HOUR_MS, HOUR_MS);
    const { recorded: whole } = await loaded(text);
    assert.deepEqual((await loaded(gzipSync(text), 'history.jsonl.gz')).recorded, whole);
  });
});

test('what is no history is refused in one line', async () => {
  const scenario = await parseWorkload(WORKLOAD, 'recorded.yaml');
  const { text } = recorded(scenario, 1, 'none', HOUR_MS, HOUR_MS);
  const snapshot = text.slice(0, text.indexOf('{"apiVersion":"decant.sh/v1alpha1","kind":"RecordedChange"'));
  await assert.rejects(loaded(snapshot), /history\.jsonl: not a history: allowed: a file written by decant record$/);
  const bad = (change: object) => loaded(snapshot + changeLine(change as RecordedChange));
  await assert.rejects(bad({ t: -1 }), /change 1: t: -1: allowed: a number of at least 0$/);
  await assert.rejects(bad({ t: 5, replicas: { a: -1 } }), /change 1: replicas\.a: -1: allowed: a whole number/);
  await assert.rejects(bad({ t: 5, up: [['n']] }), /change 1: up\[0\]/);
  const twice = snapshot + changeLine({ t: 9 }) + changeLine({ t: 8 });
  await assert.rejects(loaded(twice), /change 2: t: 8: allowed: a time not before that of the line before$/);
});
