import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Oddity, TraceReader, type TraceRow, type TraceShape } from './trace-rows.ts';
import { type TraceApp, type TraceOptions, TraceSelection } from './trace-workload.ts';

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

/** In pieces of a few characters, so that every place is once at the end of one. */
function readTrace(text: string, shape: TraceShape = {}, pieceLength = 7) {
  const reader = new TraceReader('trace.csv', shape);
  const rows: TraceRow[] = [];
  for (let at = 0; at < text.length; at += pieceLength) rows.push(...reader.rows(text.slice(at, at + pieceLength)));
  rows.push(...reader.rows('', true));
  return { rows, problems: reader.problems, ignored: reader.ignored, oddities: reader.oddities };
}

function rowsOf(text: string, shape: TraceShape = {}): readonly TraceRow[] {
  const { rows, problems } = readTrace(text, shape);
  assert.deepEqual(problems, []);
  return rows;
}

function traceApps(rows: readonly TraceRow[], options: TraceOptions): readonly TraceApp[] {
  const selection = new TraceSelection(options);
  for (const row of rows) selection.add(row);
  return selection.apps();
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
    assert.match(readTrace(text).problems[0].allowed, /start_ms/);
    assert.equal(first(text.replace('start,end', 'start_ms,end_ms')).shortestS, 600);
  });

  test('with sizes that no machine has name another unit', () => {
    const { problems } = readTrace('start,cpu,memory\n0,1,1073741824');
    assert.deepEqual(
      problems.map(({ field, allowed }) => [field, allowed]),
      [['line 2, column memory', 'at most 1 PiB; memory_mib, memory_bytes or --memory-unit names another unit']],
    );
  });

  test('take a unit of their own', () => {
    const { cores, bytes } = first('start,cpu,mem\n0,150,10', { cpuUnit: 0.01, memoryUnit: 2.56 * 2 ** 30 });
    assert.deepEqual([cores, bytes], [1.5, 25.6 * 2 ** 30]);
  });

  test('that are not read are named', () => {
    assert.deepEqual(readTrace('start,cpu,memory,qos,zone\n0,1,1,x,y').ignored, ['qos', 'zone']);
  });

  test('may be quoted', () => {
    assert.equal(first('"start",cpu,memory,group\r\n0,1,1,"a, ""b"""\r\n').group, 'a, "b"');
  });
});

describe('a bad row is an error with line and column', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['a negative size', 'start,cpu,memory\n0,1,1\n0,-2,1', 'line 3, column cpu'],
    ['no number', 'start,cpu,memory\n0,1,big', 'line 2, column memory'],
    ['no time', 'start,cpu,memory\nyesterday,1,1', 'line 2, column start'],
    ['a quote that nothing closes', 'start,cpu,memory\n0,1,"1\n0,1,1', 'line 2, column memory'],
    ['a bad flag', 'start,cpu,memory,censored\n0,1,1,maybe', 'line 2, column censored'],
    ['no required column', 'start,cpu\n0,1', 'line 1'],
  ];
  for (const [name, text, field] of cases) {
    test(name, () => {
      assert.deepEqual(
        readTrace(text).problems.map((p) => [p.object, p.field]),
        [['trace.csv', field]],
      );
    });
  }
});

describe('traces as they are published', () => {
  const names = (text: string) => ({ columns: text.split(',') });
  const livesOf = (text: string, shape: TraceShape) =>
    rowsOf(text, shape).map(({ startS, shortestS, cores, bytes, count }) => [
      startS,
      shortestS,
      cores,
      bytes / 2 ** 30,
      count,
    ]);

  test('Alibaba 2018, batch_task: no header, an end of 0 is not reached', () => {
    const shape = {
      ...names('task_name,instance_num,job_name,task_type,status,start_time,end_time,plan_cpu,plan_mem'),
      cpuUnit: 0.01,
      memoryUnit: 2.56 * 2 ** 30,
    };
    const text = 'M1,3,j_1,1,Terminated,87076,87086,100,0.5\nR2_1,1,j_1,1,Running,87100,0,50,0.25\n';
    assert.deepEqual(livesOf(text, shape), [
      [87076, 10, 1, 1.28, 3],
      [87100, Number.POSITIVE_INFINITY, 0.5, 0.64, 1],
    ]);
  });

  test('Azure, vmtable: no header, the last size is an open bucket', () => {
    const shape = names('vm_id,-,deployment_id,vmcreated,vmdeleted,-,-,-,-,cores,memory_gib');
    assert.deepEqual(
      livesOf('x,s,d,0,2591700,99.3,3.4,10.2,Delay-insensitive,4,32\nx,s,d,60,360,1,1,1,U,>24,>64', shape),
      [
        [0, 2591700, 4, 32, 1],
        [60, 300, 24, 64, 1],
      ],
    );
  });

  test('logs of batch systems (SWF): comments, and blanks between columns', () => {
    const shape = names('job,submit_time,-,run_time,cpu,-,memory_kib');
    const text =
      '; Version: 2.2\n;  UnixStartTime: 0\n\n   1   10  3   -1  4 -1 1048576\n   2   20  3  60  8 -1 2097152\n';
    assert.deepEqual(livesOf(text, shape), [
      [10, Number.POSITIVE_INFINITY, 4, 1, 1],
      [20, 60, 8, 2, 1],
    ]);
  });

  test('Google: times beyond the trace', () => {
    const text = 'start_time_us,end_time_us,cpu,memory\n600000000,9223372036854775807,0.25,0.5';
    assert.deepEqual(livesOf(text, {}), [[600, Number.POSITIVE_INFINITY, 0.25, 0.5, 1]]);
  });

  test('names may replace those of a header', () => {
    const shape = names('start,end,cpu,memory');
    assert.deepEqual(livesOf('from,to,request.cpus,request.memory\n0,60,1,4', shape), [[0, 60, 1, 4, 1]]);
    assert.deepEqual(readTrace('0,60,1', names('start,end,cpu')).problems, [
      {
        object: '--columns',
        field: 'names',
        value: 'start,end,cpu',
        allowed: 'start, cpu and memory (missing: memory)',
      },
    ]);
  });

  test('without a header point to --columns', () => {
    const { problems } = readTrace('0,60,1,4\n0,60,1,4');
    assert.equal(problems.length, 1);
    assert.match(problems[0].allowed, /--columns/);
  });

  test('rows without a size are left out, an end before the start is not reached: both are counted', () => {
    const { rows, oddities } = readTrace('start,end,cpu,memory\n0,9,,1\n5,4,1,1\n5,9,1,1');
    assert.deepEqual(
      rows.map(({ shortestS }) => shortestS),
      [Number.POSITIVE_INFINITY, 4],
    );
    assert.deepEqual([...oddities], [
      ['no size', 1],
      ['end before start', 1],
    ] satisfies [Oddity, number][]);
  });

  test('are the same in pieces of any length', () => {
    const text = `start,cpu,memory,group,count\n\n${'0,1,1,"a, ""b""\nc",2\r\n1,1,1,d,1\r\n'.repeat(3)}`;
    const whole = readTrace(text, {}, text.length);
    assert.equal(whole.rows.length, 6);
    for (let length = 1; length < 40; length++) assert.deepEqual(readTrace(text, {}, length), whole, String(length));
  });
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

test('sizes that differ little stay different', () => {
  const apps = traceApps(rowsOf('start,cpu,memory\n0,0.004,1\n0,0.001,1'), OPTIONS);
  assert.deepEqual(
    apps.map(({ name, requests }) => [name, requests.cpu]),
    [
      ['cpu-0-gib-1', '4m'],
      ['cpu-0-gib-1-2', '1m'],
    ],
  );
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
