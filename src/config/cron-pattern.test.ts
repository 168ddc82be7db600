import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { evaluate } from '../../test/build/custom-resource-check.ts';
import { parseCron } from '../engine/disruption/cron.ts';
import { ASCENDING_RANGES, CRON_PATTERN } from './cron-pattern.ts';

function accepts(schedule: string): boolean {
  return CRON_PATTERN.test(schedule) && evaluate(ASCENDING_RANGES, schedule) === true;
}

const examples: readonly [string, boolean][] = [
  ['@daily', true],
  [' @hourly\t', true],
  ['@every 5m', false],
  ['@Daily', false],
  ['0 9 * * mon-fri', true],
  ['0 9 * * MON-5', true],
  ['0 9 * * fri-1', false],
  ['0 9 * * 7', false],
  ['59 23 31 12 6', true],
  ['60 * * * *', false],
  ['* 24 * * *', false],
  ['* * 0 * *', false],
  ['* * 32 * *', false],
  ['* * * 13 *', false],
  ['5-3 * * * *', false],
  ['3-5,10-10/2,,*/15 * * * *', true],
  ['*/0 * * * *', false],
  ['5/15 * * * *', true],
  ['*-nothing * * * *', true],
  ['+5-+07 * ? jan-MAR *', true],
  ['+9-+07 * * * *', false],
  ['* * * *', false],
  ['* * * * * *', false],
  [', * * * *', false],
  ['* * L * *', false],
];
for (const [schedule, good] of examples) {
  test(`${JSON.stringify(schedule)} is ${good ? '' : 'not '}a schedule`, () => {
    assert.equal(parseCron(schedule) !== undefined, good);
    assert.equal(accepts(schedule), good);
  });
}

test('the pattern and its rule accept what the parser accepts', () => {
  const value = fc.constantFrom(
    '*',
    '?',
    '0',
    '1',
    '6',
    '7',
    '12',
    '13',
    '24',
    '31',
    '059',
    '60',
    'mon',
    'SUN',
    'dec',
    '+3',
    'x',
  );
  const step = fc.constantFrom('', '', '', '/1', '/05', '/0', '/x');
  const part = fc.tuple(value, fc.option(value, { nil: undefined, freq: 3 }), step).map(([from, to, every]) => {
    return `${from}${to === undefined ? '' : `-${to}`}${every}`;
  });
  const field = fc.array(fc.oneof({ weight: 9, arbitrary: part }, fc.constant('')), { minLength: 1, maxLength: 3 });
  const schedule = fc
    .tuple(field, fc.nat(4), field, fc.nat(9), fc.constantFrom(' ', '  ', '\t'))
    .map(([one, i, other, j, space]) => {
      // Most fields are good, or hardly a schedule would be.
      return ['*', '3', '1-2', '*/2', '1,2']
        .map((good, at) => (at === i ? one.join(',') : at === j ? other.join(',') : good))
        .join(space);
    });
  let good = 0;
  fc.assert(
    fc.property(schedule, (text) => {
      const parsed = parseCron(text) !== undefined;
      if (parsed) good++;
      assert.equal(accepts(text), parsed);
    }),
    { numRuns: 5000 },
  );
  assert.ok(good > 20, `only ${good} schedules were good`);
});
