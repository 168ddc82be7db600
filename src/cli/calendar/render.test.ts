import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cluster } from '../../../test/build/cluster.ts';
import { machine } from '../../../test/build/machine.ts';
import { nodePool } from '../../../test/build/node-pool.ts';
import { calendar } from '../../controller/calendar.ts';
import { renderCalendar } from './render.ts';

const HOUR = 3_600_000;
const MONDAY = Date.UTC(2026, 10, 16);

function week(pool: Parameters<typeof nodePool>[1]): string[] {
  const objects = cluster({ nodePools: [nodePool('default', pool)], machines: [machine('a'), machine('b')] });
  return renderCalendar(calendar(objects, [], MONDAY, MONDAY + 7 * 24 * HOUR), 'UTC').split('\n');
}

test('a week that is the same all the time is one line', () => {
  const lines = week({ budgets: [{ nodes: '1' }], consolidateAfterMs: 0 });
  assert.ok(lines.includes('  all week: ▓ 1 node at once'), lines.join('\n'));
  assert.ok(!lines.some((line) => line.includes('Mon 16 Nov')));
});

test('a week with a schedule has a line for each day', () => {
  const budget = { nodes: '0', schedule: '0 9 * * mon-fri', durationMs: 8 * HOUR };
  const lines = week({ budgets: [{ nodes: '1' }, budget], consolidateAfterMs: 0 });
  assert.ok(lines.includes(`  Mon 16 Nov  ${'▓'.repeat(18)}${'·'.repeat(16)}${'▓'.repeat(14)}`), lines.join('\n'));
  assert.ok(lines.includes(`  Sat 21 Nov  ${'▓'.repeat(48)}`));
});
