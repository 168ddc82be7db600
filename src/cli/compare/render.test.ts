import assert from 'node:assert/strict';
import { test } from 'node:test';
import { experiment, namedPolicy, results, runSummary } from '../../../test/build/lab.ts';
import { compared } from '../../lab/comparison.ts';
import { jobsOf } from '../../lab/experiment.ts';
import { renderComparison } from './render.ts';

const PLAIN = { paint: (_: string, text: string) => text };

function lines(whole: ReturnType<typeof experiment>): string[] {
  return renderComparison(compared(whole, results(jobsOf(whole))), PLAIN).split('\n');
}

test('a table with every figure, the front in capitals, and the plot', () => {
  const whole = experiment({ seeds: 2 });
  const summaries = [
    { costDollars: 1000 },
    { costDollars: 900, evictions: 40, reevictions: 3, unavailablePodSeconds: 7200, nodeLifetimeP50Minutes: 0 },
    { costDollars: 1010 },
    { costDollars: 912, evictions: 41, reevictions: 4, unavailablePodSeconds: 7200, nodeLifetimeP50Minutes: 0 },
  ];
  const runs = summaries.map((sketch, job) => ({ job, summary: runSummary(sketch), elapsedMs: 1 }));
  const text = renderComparison(compared(whole, runs), PLAIN);
  assert.deepEqual(text.split('\n').slice(0, 5), [
    '1 day, 2 seeds; ± is the 95 % confidence interval',
    '',
    'web',
    '   POLICY            COST       SAVED  EVICTED  AGAIN        NODE LIFE  PENDING  UNAVAILABLE',
    'A  none     $1,005 ±63.53  0.0 ±0.0 %        0      0  60 min / 10.0 h     30 s          0 s',
  ]);
  assert.match(text, /^B {2}calm .* 9\.9 ±\S+ % +40\.5 +3\.5 +– \/ 10\.0 h +30 s +2\.0 h$/m);
  assert.match(text, /^cost\n +\$1,005 │A·/m);
});

test('no line over 100 columns with the names that we give', () => {
  const policies = ['none', 'stock', 'rfc', 'calm'].map((name) => namedPolicy(name));
  assert.ok(lines(experiment({ policies })).every((line) => line.length <= 100));
});

test('many workloads: a table for each, and one plot for all together', () => {
  const workloads = ['a', 'b', 'c'].map((name) => ({ name, digest: name, blocks: [] }));
  const all = lines(experiment({ workloads }));
  for (const title of ['a', 'b', 'c', 'all workloads together']) assert.ok(all.includes(title), title);
  assert.equal(all.filter((line) => line === 'cost').length, 1);
});

test('one seed has no interval', () => {
  const text = lines(experiment({ seeds: 1 })).join('\n');
  assert.ok(text.startsWith('1 day, 1 seed\n') && !text.includes('±'));
});
