import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readTrace, type TraceReading, type TraceRow } from './trace-rows.ts';
import { type TraceOptions, traceApps } from './trace-workload.ts';

const OPTIONS: TraceOptions = {
  as: 'jobs',
  seed: 1,
  sample: 1,
  keepTimes: false,
  fromS: 0,
  lengthS: Number.POSITIVE_INFINITY,
  timeScale: 1,
  requestScale: 1,
};

function rowsOf(text: string, units = {}): readonly TraceRow[] {
  const reading = readTrace(text, 'trace.csv', units);
  assert.ok('rows' in reading, JSON.stringify(reading));
  return reading.rows;
}

function runs(text: string, options: Partial<TraceOptions> = {}): Record<string, string | undefined> {
  const apps = traceApps(rowsOf(text), { ...OPTIONS, ...options });
  return Object.fromEntries(apps.map((app) => [app.name, app.runs]));
}

describe('columns of a trace', () => {
  const first = (text: string, units = {}) => rowsOf(text, units)[0];

  test('have several names, any case, and units by suffix', () => {
    assert.deepEqual(
      first('Creation-Time,DELETION_TIME,cpu_milli,memory mib,App Name,instance_num\n60,360,1500,512,web,3'),
      {
        startS: 60,
        shortestS: 300,
        longestS: 300,
        cores: 1.5,
        bytes: 512 * 2 ** 20,
        group: 'web',
        count: 3,
      },
    );
    assert.equal(first('start_ms,lifetime_h,cpu,memory_gb\n1000,2,1,4').bytes, 4e9);
    assert.equal(first('start_ms,lifetime_h,cpu,memory_gb\n1000,2,1,4').startS, 1);
    assert.equal(first('start_min,duration_min,cpu,memory_bytes\n2,1,1,4').shortestS, 60);
    assert.equal(
      first('start,lifetime,cpu,memory\n2026-08-20T12:00:00Z,1,1,4').startS,
      Date.UTC(2026, 7, 20, 12) / 1000,
    );
  });

  test('may be written as people write them: other separators, brackets, quantities of Kubernetes', () => {
    const { startS, shortestS, cores, bytes } = first('Job;Submit Time;Run Time (min);Cores;Mem (GB)\na;60;2;0.5;4');
    assert.deepEqual([startS, shortestS, cores, bytes], [60, 120, 0.5, 4e9]);
    const quantities = first('start\tlifetime\tcpu\tmemory\n0\t1\t500m\t2Gi');
    assert.deepEqual([quantities.cores, quantities.bytes], [0.5, 2 ** 31]);
  });

  test('may have times as databases write them, UTC unless a zone follows', () => {
    const startOf = (time: string) => first(`created_at,deleted_at,cpu,memory\n${time},,1,4`).startS * 1000;
    const three = Date.UTC(2026, 10, 1, 3);
    for (const time of ['2026-11-01 03:00:00', '2026-11-01 03:00:00 UTC', '2026-11-01 04:00:00.0+01:00'])
      assert.equal(startOf(time), three, time);
  });

  test('with times that only milliseconds reach name another unit', () => {
    const text = 'start,end,cpu,memory\n1700000000000,1700000600000,1,4';
    const reading = readTrace(text, 'trace.csv');
    assert.ok('problems' in reading);
    assert.match(reading.problems[0].allowed, /start_ms/);
    assert.equal(first(text.replace('start,end', 'start_ms,end_ms')).shortestS, 600);
  });

  test('with sizes that no machine has name another unit', () => {
    const reading = readTrace('start,cpu,memory\n0,1,1073741824', 'trace.csv');
    assert.deepEqual('problems' in reading && reading.problems.map(({ field, allowed }) => [field, allowed]), [
      ['line 2, column memory', 'at most 1 PiB; memory_mib, memory_bytes or --memory-unit names another unit'],
    ]);
  });

  test('take a unit of their own', () => {
    const { cores, bytes } = first('start,cpu,mem\n0,150,10', { cpuUnit: 0.01, memoryUnit: 2.56 * 2 ** 30 });
    assert.deepEqual([cores, bytes], [1.5, 25.6 * 2 ** 30]);
  });

  test('that are not read are named', () => {
    const reading = readTrace('start,cpu,memory,qos,zone\n0,1,1,x,y', 'trace.csv');
    assert.deepEqual('ignored' in reading && reading.ignored, ['qos', 'zone']);
  });

  test('may be quoted', () => {
    assert.equal(first('"start",cpu,memory,group\r\n0,1,1,"a, ""b"""\r\n').group, 'a, "b"');
  });
});

describe('a bad row is an error with line and column', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['end before start', 'start,end,cpu,memory\n5,4,1,1', 'line 2, column end'],
    ['a negative size', 'start,cpu,memory\n0,1,1\n0,-1,1', 'line 3, column cpu'],
    ['no number', 'start,cpu,memory\n0,1,big', 'line 2, column memory'],
    ['no time', 'start,cpu,memory\nyesterday,1,1', 'line 2, column start'],
    ['an empty size', 'start,cpu,memory\n0,,1', 'line 2, column cpu'],
    ['a bad flag', 'start,cpu,memory,censored\n0,1,1,maybe', 'line 2, column censored'],
    ['no required column', 'start,cpu\n0,1', 'line 1'],
  ];
  for (const [name, text, field] of cases) {
    test(name, () => {
      const reading: TraceReading = readTrace(text, 'trace.csv');
      assert.deepEqual('problems' in reading && reading.problems.map((p) => [p.object, p.field]), [
        ['trace.csv', field],
      ]);
    });
  }
});

const HEAD = 'start_s,lifetime_s,lifetime_max_s,censored,cpu,memory_gib,group,count';

describe('Jobs', () => {
  test('start together, end by themselves, and run on if censored', () => {
    const text = `${HEAD}\n100,0,0,0,1,2,a,1\n100,300,300,0,1,2,a,2\n400,3900,7200,0,1,2,b,1\n400,50,,1,4,8,c,5`;
    assert.deepEqual(runs(text), { 'cpu-1-gib-2': '0 1x0 2x300\n300 1x3900..7200\n', 'cpu-4-gib-8': '300 5x-\n' });
  });

  test('without lifetime and end run on', () => {
    assert.deepEqual(runs('start,cpu,memory\n7,1,2'), { 'cpu-1-gib-2': '0 1x-\n' });
  });

  test('that run when the window starts are alive at its start', () => {
    const text = `${HEAD}\n0,500,900,0,1,2,a,1\n0,100,100,0,1,2,b,1\n300,60,60,0,1,2,c,1\n900,60,60,0,1,2,d,1\n,,,1,1,2,e,1`;
    assert.deepEqual(runs(text, { fromS: 200, lengthS: 600 }), { 'cpu-1-gib-2': '0 1x300..700 1x-\n100 1x60\n' });
  });

  test('are scaled in time and size', () => {
    const [app] = traceApps(rowsOf(`${HEAD}\n100,300,300,0,1,2,a,1`), {
      ...OPTIONS,
      timeScale: 0.5,
      requestScale: 0.5,
      keepTimes: true,
    });
    assert.deepEqual([app.runs, app.requests], ['50 1x150\n', { cpu: '500m', memory: '1024Mi' }]);
  });
});

test('a sample keeps whole groups, by the seed', () => {
  const groups = Array.from({ length: 400 }, (_, g) => `${g},60,60,0,1,2,g${g},1\n${g},90,90,0,1,2,g${g},1`);
  const text = [HEAD, ...groups].join('\n');
  const kept = (seed: number) => (runs(text, { sample: 0.25, seed })['cpu-1-gib-2'] ?? '').trim().split('\n');
  assert.ok(kept(1).every((line) => line.endsWith('1x60 1x90')));
  assert.ok(kept(1).length > 70 && kept(1).length < 130, String(kept(1).length));
  assert.deepEqual(kept(1), kept(1));
  assert.notDeepEqual(kept(1), kept(2));
});

test('Deployments have the replicas that are alive, by group and size', () => {
  const text = `${HEAD}\n0,600,600,0,1,2,web,3\n300,600,600,0,1,2,web,2\n300,10,10,1,4,8,web,1`;
  const apps = traceApps(rowsOf(text), { ...OPTIONS, as: 'deployments' });
  assert.deepEqual(
    apps.map(({ name, replicas }) => [name, replicas?.steps.map(({ after, replicas: n }) => `${after} ${n}`)]),
    [
      ['g-web', ['0s 3', '300s 5', '600s 2', '900s 0']],
      ['g-web-2', ['300s 1']],
    ],
  );
});
