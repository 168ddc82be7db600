import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { passReport, reconcileReport } from '../../../test/build/reconcile-report.ts';
import { NOW_MS } from '../../../test/build/units.ts';
import { DEFAULT_CONTROLLER_SETTINGS } from '../../config/controller-settings.ts';
import type { Command } from '../../controller/command.ts';
import { LiveSource } from './live-source.ts';

const command = (id: string, phase: Command['phase'], savingsCentsPerHour: number): Command => ({
  id,
  phase,
  decidedMs: NOW_MS,
  phaseMs: NOW_MS + 60_000,
  nodes: [{ node: id, nodeClaim: id, nodePool: 'default', centsPerHour: 9, pods: 2 }],
  replacements: [],
  workloads: {},
  predicted: { savingsCentsPerHour, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 2 },
  ...(phase === 'abandoned' ? { reason: 'no-saving' } : {}),
});

test('the timeline adds up what the commands of the cluster have saved, each of them once', () => {
  const facts = { name: 'c', mode: 'observe', settings: DEFAULT_CONTROLLER_SETTINGS, search: 'merged' } as const;
  const source = new LiveSource({ ...facts, flags: new Map(), compat: false }, () => undefined);
  source.commandsSeen([command('a', 'done', 20), command('b', 'waiting', 5), command('c', 'abandoned', 7)]);
  source.commandsSeen([command('a', 'done', 20), command('b', 'done', 5), command('c', 'abandoned', 7)]);
  assert.deepEqual(source.timeline().done, { commands: 2, savingsCentsPerHour: 25 });
});

test('pods of a workload that two commands evict within 30 minutes count as evicted again', () => {
  const facts = { name: 'c', mode: 'act', settings: DEFAULT_CONTROLLER_SETTINGS, search: 'merged' } as const;
  const source = new LiveSource({ ...facts, flags: new Map(), compat: false }, () => undefined);
  const drained = (id: string, minute: number) => ({
    ...command(id, 'done', 1),
    drainingMs: NOW_MS + minute * 60_000,
    workloads: { 'Deployment shop/web': 2 },
  });
  const commands = [drained('a', 0), drained('b', 20), drained('c', 60)];
  source.reported(reconcileReport({ transitions: commands, pass: passReport() }), { objects: cluster(), commands });
  const { evictions, reevictions } = source.timeline().samples;
  assert.deepEqual([evictions, reevictions], [[6], [2]]);
});
