import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeCluster } from '../../test/build/fake-cluster.ts';
import { machine } from '../../test/build/machine.ts';
import { controllerOn } from '../../test/build/run-controller.ts';
import { MINUTE_MS, NOW_MS } from '../../test/build/units.ts';
import type { Command } from './command.ts';
import { evictionsIn, forgettable, lastCommands, lastRemoval, newIds } from './journal.ts';

const FIGURES = { savingsCentsPerHour: 1, requiredCentsPerHour: 0, disruptionCost: 1, evictions: 2 };

function command(id: string, sketch: Partial<Command> = {}): Command {
  return {
    phase: 'done',
    decidedMs: NOW_MS - 10 * MINUTE_MS,
    phaseMs: NOW_MS - 8 * MINUTE_MS,
    drainingMs: NOW_MS - 9 * MINUTE_MS,
    nodes: [{ node: 'a', nodeClaim: 'claim-a', nodePool: 'default', centsPerHour: 20, pods: 2 }],
    replacements: [],
    workloads: { web: 2 },
    predicted: FIGURES,
    ...sketch,
    id,
  };
}

describe('what the journal says of the past', () => {
  test('a removal is over when the node is gone; its evictions were when it began', () => {
    const journal = [command('1')];
    assert.deepEqual(lastRemoval(journal), { lastRemovalMs: NOW_MS - 8 * MINUTE_MS });
    assert.deepEqual([...lastCommands(journal)], [['default', NOW_MS - 10 * MINUTE_MS]]);
    const eviction = { workload: 'web', atMs: NOW_MS - 9 * MINUTE_MS };
    assert.deepEqual(evictionsIn(journal, NOW_MS), [eviction, eviction]);
  });

  test('what is still to be evicted counts as if it were now', () => {
    const open = command('1', { phase: 'launching', drainingMs: undefined });
    assert.deepEqual(lastRemoval([open]), {});
    assert.deepEqual(
      evictionsIn([open], NOW_MS).map((e) => e.atMs),
      [NOW_MS, NOW_MS],
    );
  });

  test('abandoned commands do not count', () => {
    const abandoned = command('1', { phase: 'abandoned', reason: 'budget' });
    const undone = command('2', { phase: 'draining', reason: 'pod-landed' });
    const journal = [abandoned, undone];
    assert.deepEqual(lastRemoval(journal), {});
    assert.deepEqual([lastCommands(journal).size, evictionsIn(journal, NOW_MS).length], [0, 0]);
  });

  test('of several, the last', () => {
    const later = command('2', { phase: 'draining', drainingMs: NOW_MS, decidedMs: NOW_MS - MINUTE_MS });
    const journal = [later, command('1')];
    assert.deepEqual(lastRemoval(journal), { lastRemovalMs: NOW_MS });
    assert.equal(lastCommands(journal).get('default'), NOW_MS - MINUTE_MS);
  });
});

describe('the journal does not grow for ever', () => {
  const many = Array.from({ length: 5 }, (_, i) => command(String(i)));

  test('beyond the limit', () => {
    const ids = forgettable(many, 3, 0, NOW_MS).map((c) => c.id);
    assert.deepEqual(ids, ['0', '1']);
  });

  test('not what a brake still asks about, nor what is open', () => {
    assert.deepEqual(forgettable(many, 3, 9 * MINUTE_MS, NOW_MS), []);
    assert.equal(forgettable([command('0', { phase: 'waiting' }), ...many], 0, 0, NOW_MS).length, 5);
  });

  test('the controller takes them out', async () => {
    const port = new FakeCluster({ machines: [machine('a')] });
    for (const c of many) await port.act({ kind: 'save-command', command: c });
    await controllerOn(port, { journalLimit: 2 }).reconcile();
    assert.deepEqual(
      port.commands.map((c) => c.id).filter((id) => id.length === 1),
      ['3', '4'],
    );
  });
});

test('names are in the order of time, and new', () => {
  const first = newIds([], NOW_MS)();
  const second = newIds([command(first)], NOW_MS)();
  const later = newIds([], NOW_MS + 1)();
  assert.ok(first < second && second < later);
  assert.match(first, /^[0-9a-z]{9}-[0-9a-z]{2}$/);
});
