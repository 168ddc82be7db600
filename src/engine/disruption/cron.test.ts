import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isWindowOpen, nextHitMs, parseCron } from './cron.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const THURSDAY_NOON = Date.UTC(2026, 7, 20, 12);

/** The next hits after Thursday 2026-08-20 12:00 UTC, each found by an open window of one minute. */
function nextHits(schedule: string, count: number): string[] {
  const cron = parseCron(schedule);
  assert.ok(cron !== undefined, `${schedule} is no schedule`);
  const hits: string[] = [];
  for (let t = THURSDAY_NOON + MINUTE; hits.length < count && t < THURSDAY_NOON + 45 * DAY; t += MINUTE) {
    if (isWindowOpen(cron, MINUTE, t)) hits.push(new Date(t).toISOString().slice(5, 16));
  }
  return hits;
}

describe('schedules hit when robfig/cron says', () => {
  // Recorded from robfig/cron v3.0.1, ParseStandard("TZ=UTC " + schedule).
  const cases: readonly (readonly [string, ...string[]])[] = [
    ['*/15 * * * *', '08-20T12:15', '08-20T12:30', '08-20T12:45', '08-20T13:00'],
    ['5/15 * * * *', '08-20T12:05', '08-20T12:20', '08-20T12:35', '08-20T12:50'],
    ['1-10/3 * * * *', '08-20T12:01', '08-20T12:04', '08-20T12:07', '08-20T12:10'],
    ['0-59/60 * * * *', '08-20T13:00', '08-20T14:00'],
    ['00 09 * * *', '08-21T09:00', '08-22T09:00'],
    ['  0   0  * *  * ', '08-21T00:00', '08-22T00:00'],
    ['0 0 * * sun', '08-23T00:00', '08-30T00:00'],
    ['0 0 * AUG Mon-fri', '08-21T00:00', '08-24T00:00', '08-25T00:00'],
    ['@daily', '08-21T00:00', '08-22T00:00'],
    ['@midnight', '08-21T00:00', '08-22T00:00'],
    ['@weekly', '08-23T00:00', '08-30T00:00'],
    ['@hourly', '08-20T13:00', '08-20T14:00'],
    ['@monthly', '09-01T00:00', '10-01T00:00'],
  ];
  for (const [schedule, ...hits] of cases) {
    test(`"${schedule}"`, () => assert.deepEqual(nextHits(schedule, hits.length), hits));
  }
});

describe('of two day fields', () => {
  const cases: readonly (readonly [law: string, schedule: string, ...hits: string[]])[] = [
    ['one suffices if neither is a star', '0 0 1 * 1', '08-24T00:00', '08-31T00:00', '09-01T00:00', '09-07T00:00'],
    ['the other counts if one is a star', '0 0 * * 1', '08-24T00:00', '08-31T00:00', '09-07T00:00'],
    ['a question mark is a star', '0 0 ? * 1', '08-24T00:00', '08-31T00:00', '09-07T00:00'],
    ['a star within a list is a star', '0 0 1,* * 1', '08-24T00:00', '08-31T00:00', '09-07T00:00'],
    ['every 1 is a star', '0 0 */1 * 1', '08-24T00:00', '08-31T00:00', '09-07T00:00'],
    ['every 2 is none', '0 0 */2 * 1', '08-21T00:00', '08-23T00:00', '08-24T00:00', '08-25T00:00'],
  ];
  for (const [law, schedule, ...hits] of cases) {
    test(law, () => assert.deepEqual(nextHits(schedule, hits.length), hits));
  }
});

describe('no schedule', () => {
  const cases = [
    '',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '0 0 * 0 *',
    '0 0 * 13 *',
    '0 0 * * 7',
  ];
  const more = [
    '5-1 * * * *',
    '*/0 * * * *',
    '0 0 * * fri-mon',
    '1-2-3 * * * *',
    '1/2/3 * * * *',
    'L * * * *',
    '0 0 * * 1#2',
    '@Daily',
    '@reboot',
  ];
  for (const text of [...cases, ...more]) test(`"${text}"`, () => assert.equal(parseCron(text), undefined));
});

describe('what robfig/cron reads leniently', () => {
  for (const text of ['*-5 * * * *', '1,2,,3 * * * *', '+5 * * * *']) {
    test(`"${text}" is a schedule`, () => assert.notEqual(parseCron(text), undefined));
  }
  test('"*/01" is a star', () => assert.equal(parseCron('0 0 */01 * 1')?.anyDay, true));
});

describe('a window', () => {
  const nine = parseCron('0 9 * * *');
  const HOUR = 60 * MINUTE;
  const at = (hour: number, minute = 0) => Date.UTC(2026, 7, 20, hour, minute);
  const cases: readonly (readonly [law: string, durationMs: number, nowMs: number, open: boolean])[] = [
    ['opens with the hit', HOUR, at(9), true],
    ['is shut the minute before', HOUR, at(8, 59), false],
    ['stays open for the duration', HOUR, at(9, 59), true],
    ['is shut when the duration is over', HOUR, at(10), false],
    ['may have opened yesterday', 20 * HOUR, at(4), true],
    ['is never open without a duration', 0, at(9), false],
    ['that outlasts the interval is always open', 25 * HOUR, at(8), true],
  ];
  for (const [law, durationMs, nowMs, open] of cases) {
    test(law, () => {
      assert.ok(nine !== undefined);
      assert.equal(isWindowOpen(nine, durationMs, nowMs), open);
    });
  }

  test('of a day that never comes is never open', () => {
    const never = parseCron('0 0 31 2 *');
    assert.ok(never !== undefined);
    assert.equal(isWindowOpen(never, 400 * DAY, THURSDAY_NOON), false);
  });
});

describe('in a time zone', () => {
  const HOUR = 60 * MINUTE;
  const isOpen = (schedule: string, durationMs: number, now: string, timeZone?: string) => {
    const cron = parseCron(schedule);
    assert.ok(cron !== undefined);
    return isWindowOpen(cron, durationMs, Date.parse(now), timeZone);
  };
  const hits = (schedule: string, from: string, to: string, timeZone: string) => {
    const out: string[] = [];
    for (let t = Date.parse(from); t < Date.parse(to); t += MINUTE)
      if (isOpen(schedule, MINUTE, new Date(t).toISOString(), timeZone))
        out.push(new Date(t).toISOString().slice(5, 16));
    return out;
  };

  test('nine in Berlin is seven UTC in summer and eight in winter', () => {
    assert.deepEqual(hits('0 9 * * *', '2026-07-01T00:00Z', '2026-07-02T00:00Z', 'Europe/Berlin'), ['07-01T07:00']);
    assert.deepEqual(hits('0 9 * * *', '2026-12-01T00:00Z', '2026-12-02T00:00Z', 'Europe/Berlin'), ['12-01T08:00']);
  });

  test('weekdays are those of the place', () => {
    // Monday begins in Tokyo on Sunday at 15:00 UTC.
    const sunday = ['2026-08-23T00:00Z', '2026-08-24T00:00Z'] as const;
    assert.deepEqual(hits('0 0 * * mon', ...sunday, 'Asia/Tokyo'), ['08-23T15:00']);
  });

  test('half hours and quarters count', () => {
    const day = ['2026-08-20T00:00Z', '2026-08-21T00:00Z'] as const;
    assert.deepEqual(hits('0 9 * * *', ...day, 'Asia/Kolkata'), ['08-20T03:30']);
    assert.deepEqual(hits('0 9 * * *', ...day, 'Asia/Kathmandu'), ['08-20T03:15']);
  });

  test('a start that is skipped in spring counts when the clocks go forward', () => {
    // Berlin, 2026-03-29: 02:00 becomes 03:00 at 01:00 UTC.
    const night = ['2026-03-28T23:30Z', '2026-03-29T03:00Z'] as const;
    assert.deepEqual(hits('30 2 * * *', ...night, 'Europe/Berlin'), ['03-29T01:00']);
    assert.deepEqual(hits('0 3 * * *', ...night, 'Europe/Berlin'), ['03-29T01:00']);
    assert.deepEqual(hits('59 1 * * *', ...night, 'Europe/Berlin'), ['03-29T00:59']);
  });

  test('a local time that comes twice in autumn hits twice', () => {
    // Berlin, 2026-10-25: 03:00 becomes 02:00 at 01:00 UTC.
    const night = ['2026-10-24T23:00Z', '2026-10-25T03:00Z'] as const;
    assert.deepEqual(hits('30 2 * * *', ...night, 'Europe/Berlin'), ['10-25T00:30', '10-25T01:30']);
    assert.deepEqual(hits('0 3 * * *', ...night, 'Europe/Berlin'), ['10-25T02:00']);
  });

  test('a window over the change lasts its elapsed time', () => {
    // 22:00 in Berlin is 21:00 UTC before the change in spring.
    assert.equal(isOpen('0 22 * * *', 8 * HOUR, '2026-03-29T04:59Z', 'Europe/Berlin'), true);
    assert.equal(isOpen('0 22 * * *', 8 * HOUR, '2026-03-29T05:00Z', 'Europe/Berlin'), false);
  });

  test('UTC by name is UTC', () => {
    for (const now of ['2026-03-29T01:30Z', '2026-10-25T01:30Z'])
      assert.equal(isOpen('30 1 * * *', HOUR, now, 'Etc/UTC'), isOpen('30 1 * * *', HOUR, now));
  });

  test('a window of centuries is open, and quickly so', () => {
    assert.equal(isOpen('0 0 29 2 *', 290 * 365 * DAY, '2026-08-20T12:00Z', 'America/New_York'), true);
    assert.equal(isOpen('0 0 31 2 *', 290 * 365 * DAY, '2026-08-20T12:00Z', 'America/New_York'), false);
  });
});

describe('the next hit', () => {
  const next = (schedule: string, after: string, timeZone?: string) => {
    const cron = parseCron(schedule);
    assert.ok(cron !== undefined);
    const hit = nextHitMs(cron, Date.parse(after), timeZone);
    return hit === undefined ? undefined : new Date(hit).toISOString().slice(0, 16);
  };

  test('is strictly later', () => {
    assert.equal(next('0 12 * * *', '2026-08-20T12:00:00Z'), '2026-08-21T12:00');
    assert.equal(next('*/5 * * * *', '2026-08-20T12:00:01Z'), '2026-08-20T12:05');
  });

  test('is in local time, across a change of the offset', () => {
    assert.equal(next('30 9 * * *', '2026-10-24T12:00:00Z', 'Europe/Berlin'), '2026-10-25T08:30');
    assert.equal(next('30 9 * * *', '2026-10-23T12:00:00Z', 'Europe/Berlin'), '2026-10-24T07:30');
  });

  test('may be years away, or never come', () => {
    assert.equal(next('0 0 29 2 *', '2026-08-20T12:00:00Z'), '2028-02-29T00:00');
    assert.equal(next('0 0 31 2 *', '2026-08-20T12:00:00Z'), undefined);
  });
});
