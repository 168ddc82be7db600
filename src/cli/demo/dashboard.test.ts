import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type ServedProcess, startDecant } from '../../../test/build/served.ts';
import { CALM } from '../../lab/built-in-policies.ts';
import type { ClusterAnswer, LabAnswer, LabRequest, PlanAnswer, StateAnswer, TimelineAnswer } from '../../web/api.ts';
import type { Setting, SettingsAnswer } from '../../web/settings-api.ts';

let served: ServedProcess;
before(async () => {
  served = await startDecant(['demo', '-w', 'restless-destinations', '--speed', '1h']);
});
after(() => served.stop());

async function ask<T>(path: string): Promise<T> {
  return (await (await fetch(new URL(path, served.url))).json()) as T;
}

/** Asked again until it is so. */
async function awaited<T>(path: string, so: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask<T>(path);
    if (so(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('the dashboard of a demonstration', () => {
  test('time passes, and what is saved is counted against the twin', async () => {
    const state = await awaited<StateAnswer>('/api/state', ({ totals }) => (totals.sinceStart?.commands ?? 0) > 0);
    const { nodes, pods, planned, sinceStart } = state.totals;
    assert.deepEqual([state.source, state.mode], [{ kind: 'demo', name: 'restless-destinations, policy calm' }, 'act']);
    assert.equal(state.speed, 3_600_000);
    assert.ok(nodes > 0 && pods > 0 && planned !== undefined, JSON.stringify(state));
    assert.ok(sinceStart !== undefined && sinceStart.baseline === 'stock Karpenter' && sinceStart.baselineDollars > 0);
  });

  test('the picture has nodes, and is renewed while clients ask', async () => {
    const { version, packing } = await ask<ClusterAnswer>('/api/cluster');
    assert.ok(packing.nodes.name.length > 0);
    const { plan } = await awaited<PlanAnswer>('/api/plan', (answer) => answer.version > version);
    assert.ok(plan !== undefined && plan.before.nodes.name.length > 0);
  });

  test('the timeline tells what the terminal told', async () => {
    const { samples, events } = await ask<TimelineAnswer>('/api/timeline');
    assert.ok(samples.atMs.length > 2 && samples.baselineCentsPerHour?.length === samples.atMs.length);
    const done = events.find(({ kind }) => kind === 'done');
    assert.match(done?.text ?? '', /^#\d+ (removed|replaced) .*: saves \d+\.\d ¢\/h.*, done in \d+ s$/);
    assert.ok(done !== undefined && done.nodes.length > 0);
  });

  test('settings say that they are the policy’s', async () => {
    const { pools, settings, health } = await ask<SettingsAnswer>('/api/settings');
    const [{ fields }] = pools;
    const ofPolicy = (settings: readonly Setting[]) =>
      settings.flatMap(({ name, from }) => (from === 'policy' ? [name] : []));
    assert.deepEqual(ofPolicy(fields), Object.keys(CALM.disruption));
    assert.deepEqual(
      ofPolicy(settings).sort(),
      Object.keys(CALM.switches)
        .map((flag) => `--${flag}`)
        .sort(),
    );
    assert.ok(health.some(({ name }) => name === 'pass time'));
  });

  test('a comparison is run beside it', async () => {
    const request: LabRequest = { workload: 'busy-node', policies: ['calm'], seeds: 1, days: 0.05 };
    const headers = { 'content-type': 'application/json' };
    const start = () =>
      fetch(new URL('/api/lab/runs', served.url), { method: 'POST', headers, body: JSON.stringify(request) });
    assert.equal((await start()).status, 202);
    assert.equal((await start()).status, 409);
    const { comparison, configurations } = await awaited<LabAnswer>('/api/lab', (lab) => lab.running === undefined);
    assert.deepEqual(
      comparison?.workloads[0].rows.map(({ policy }) => policy.name),
      ['none', 'calm'],
    );
    assert.match(configurations.calm.pieces[0].text, /consolidateAfter/);
  });
});
