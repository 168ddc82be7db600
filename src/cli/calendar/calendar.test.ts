import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWeekAfter } from './calendar.ts';

test('a week has seven days of the clock on the wall, also when clocks are set forward or back in it', () => {
  const ends = (from: string) => new Date(aWeekAfter(Date.parse(from), 'Europe/Berlin')).toISOString();
  assert.equal(ends('2026-03-28T00:00:00+01:00'), new Date('2026-04-04T00:00:00+02:00').toISOString());
  assert.equal(ends('2026-10-24T00:00:00+02:00'), new Date('2026-10-31T00:00:00+01:00').toISOString());
  assert.equal(ends('2026-06-01T00:00:00+02:00'), new Date('2026-06-08T00:00:00+02:00').toISOString());
});
