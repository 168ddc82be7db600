import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../test/build/cluster.ts';
import { reconcileReport } from '../../test/build/reconcile-report.ts';
import type { ClusterView } from '../controller/cluster-port.ts';
import type { Command } from '../controller/command.ts';
import { Notifications } from './notifications.ts';

const NOON = Date.UTC(2026, 7, 20, 12);
const DAY_MS = 86_400_000;
const FIGURES = { savingsCentsPerHour: 20, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 3 };

function command(id: string, sketch: Partial<Command> = {}): Command {
  const node = { node: 'n-1', nodeClaim: 'n-1', nodePool: 'web', centsPerHour: 20, pods: 3 };
  return {
    id,
    phase: 'launching',
    decidedMs: NOON - 60_000,
    phaseMs: NOON,
    nodes: [node],
    replacements: [],
    workloads: {},
    predicted: FIGURES,
    ...sketch,
  };
}

function view(...commands: readonly Command[]): ClusterView {
  return { objects: cluster(), commands };
}

test('commands that are done and abandoned, with what machines need to know', () => {
  const done = command('a', { phase: 'done', realised: FIGURES });
  const abandoned = command('b', { phase: 'abandoned', reason: 'headroom' });
  const [first, second, ...others] = new Notifications().of(
    reconcileReport({ transitions: [command('a'), done, command('b', { reason: 'headroom' }), abandoned] }),
    view(done, abandoned),
    NOON,
  );
  assert.deepEqual(others, []);
  assert.deepEqual(first, {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Notification',
    type: 'command-done',
    time: '2026-08-20T12:00:00.000Z',
    text: 'removed node n-1, 3 pods moved: saves 20.0 ¢/h, done in 60 s',
    command: 'a',
    nodePools: ['web'],
    nodes: ['n-1'],
    savingsCentsPerHour: 20,
    evictions: 3,
  });
  assert.deepEqual(
    [second.type, second.reason, second.text],
    ['command-abandoned', 'headroom', 'abandoned after 60 s: node n-1 stays, headroom'],
  );
});

test('a held command is reported once per reason', () => {
  const notifications = new Notifications();
  const told = (reason: string | undefined) =>
    notifications
      .of(reconcileReport({ held: new Map(reason === undefined ? [] : [['a', reason]]) }), view(command('a')), NOON)
      .map(({ type, text }) => [type, text]);
  const held = (why: string) => [
    ['command-held', `held: ${why}; removes node n-1, 3 pods to other nodes: saves 20.0 ¢/h`],
  ];
  assert.deepEqual(told('budget'), held('budget'));
  assert.deepEqual(told('budget'), []);
  assert.deepEqual(told(undefined), []);
  assert.deepEqual(told('stabilization'), held('stabilization'));
});

test('savings of a day, after midnight UTC, if anything was done', () => {
  const notifications = new Notifications();
  const commands = [
    command('a', { phase: 'done', realised: { ...FIGURES, savingsCentsPerHour: 30 } }),
    command('b', { phase: 'done' }),
    command('c', { phase: 'abandoned', reason: 'timeout' }),
    command('d', { phase: 'done', phaseMs: NOON - DAY_MS }),
    command('e'),
  ];
  const at = (ms: number) => notifications.of(reconcileReport(), view(...commands), ms);
  assert.deepEqual([at(NOON), at(NOON + DAY_MS / 2 - 1)], [[], []]);
  const [day] = at(NOON + DAY_MS / 2);
  assert.deepEqual(
    [day.type, day.date, day.commands, day.abandoned, day.savingsCentsPerHour, day.evictions],
    ['day', '2026-08-20', 2, 1, 50, 6],
  );
  assert.equal(day.text, '2026-08-20: $0.500/h saved, $365 a month (2 commands done, 1 abandoned, 6 evictions)');
  assert.deepEqual(at(NOON + DAY_MS / 2 + 1), []);
  assert.deepEqual(at(NOON + 2 * DAY_MS), []);
});
