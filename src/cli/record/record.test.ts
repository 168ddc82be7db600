import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { decant } from '../../../test/build/decant.ts';
import { listedCluster, writeKubeconfig } from '../../../test/build/listed-cluster.ts';
import { WatchStream } from '../../../test/build/watch-stream.ts';

const EXAMPLE = join(import.meta.dirname, '../../../examples/two-nodes.json');

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decant-'));
});
after(() => rm(folder, { recursive: true }));

test('a cluster is recorded, and its history continued; a file of others is not written over', async () => {
  const { objects } = JSON.parse(await readFile(EXAMPLE, 'utf8'));
  await using server = await listedCluster(objects);
  const { answer: list } = server;
  server.answer = (asked, response) =>
    asked.query.has('watch') ? void new WatchStream(response) : list(asked, response);
  const kubeconfig = await writeKubeconfig(join(folder, 'config'), server.url);
  const file = join(folder, 'history.jsonl.gz');
  const args = ['--kubeconfig', kubeconfig, '--catalog', EXAMPLE, '--for', '2s', '--to', file];
  const recording = await decant(['record', ...args]);
  assert.equal(recording.code, 0, recording.stderr);
  assert.match(recording.stdout, /history\.jsonl\.gz: 2 changes, 0\.0 MB\n$/);
  const again = await decant(['record', ...args]);
  assert.equal(again.code, 0, again.stderr);
  const text = gunzipSync(await readFile(file)).toString();
  assert.equal(text.match(/"now":/g)?.length, 1);
  const others = await decant(['record', ...args.slice(0, -1), EXAMPLE]);
  assert.equal(others.code, 2);
  assert.match(others.stderr, /--to .*two-nodes\.json: .*exists/);
  const compared = await decant(['compare', '--history', file, '--policies', 'stock', '--seeds', '1', '-o', 'json']);
  assert.equal(compared.code, 2);
  assert.match(compared.stderr, /history\.jsonl\.gz: a history of \d+ s: allowed: one of a minute or longer/);
  const none = await decant(['simulate', '--history', EXAMPLE]);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /two-nodes\.json: not a history/);
});

test('a replayed history is held against what was recorded', async () => {
  const snapshot = await readFile(EXAMPLE, 'utf8');
  const head = '{"apiVersion":"decant.sh/v1alpha1","kind":"RecordedChange"';
  const file = join(folder, 'hour.jsonl');
  const changes = ['"t":0,"up":[["node-a","default","m5.large","us-east-1a","on-demand",0.1]]', '"t":3600'];
  await writeFile(file, `${snapshot}\n${changes.map((change) => `${head},${change}}\n`).join('')}`);
  const text = await decant(['compare', '--history', file, '--policies', 'stock', 'calm', '--seeds', '2']);
  assert.equal(text.code, 0, text.stderr);
  assert.match(text.stdout, /^0\.0417 days, 2 seeds/);
  assert.match(
    text.stdout,
    /Recorded in 0\.0417 days: \$0\.10, 0 evictions\. Against that:\ncalm: \$\d+\.\d\d (more|less) \(±\$/,
  );
  const json = await decant(['compare', '--history', file, '--policies', 'stock', '--seeds', '1', '-o', 'json']);
  assert.deepEqual(JSON.parse(json.stdout).recorded, { days: 0.0417, costDollars: 0.1, evictions: 0, lostPodHours: 0 });
  const tuned = await decant(['tune', '--history', file, '--keep-savings', '50%', '--settings', '2', '-o', 'json']);
  assert.equal(JSON.parse(tuned.stdout).kind, 'Tuning', tuned.stderr);
  const both = await decant(['simulate', '--history', file, '-f', EXAMPLE]);
  assert.equal(both.code, 2);
  assert.match(both.stderr, /--history contains a cluster and its load: it cannot be combined with --file/);
});
