import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CACHE_FOLDER } from './generate/cached-input.ts';
import { markdownReport, textReport } from './report.ts';
import type { ResultOrFailure } from './result.ts';
import { measureWorkload, type RunOptions } from './run.ts';
import { Oracle } from './stock.ts';
import { quickened, WORKLOADS, type Workload } from './workloads.ts';

const HELP = `npm run bench [-- options]

  --quick          small clusters, under half a minute: does everything work?
  --only TEXT      the workload of this name, or all whose names contain it (repeatable)
  --list           the workloads and their goals
  --runs N         instead of what is usual for each
  --oracle PATH    ask Karpenter's own code on the same snapshots: the oracle program, or the folder of its sources
  --oracle-full    whole passes of it instead of a sample of nodes (minutes each)
  --json           results as JSON lines on stdout; the table goes to stderr
  --markdown       the table of bench/README.md on stdout
  --from FILE      no run: report the JSON lines of an earlier one

Inputs are kept in ${CACHE_FOLDER} (about 1.2 GB); so are the last results, as results.jsonl.
`;

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
    runs: { type: 'string' },
    oracle: { type: 'string' },
    'oracle-full': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
    from: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) process.stdout.write(HELP);
else if (values.list)
  for (const w of WORKLOADS) console.log(w.name.padEnd(40), w.measure.padEnd(18), JSON.stringify(w.goal));
else report(values.from === undefined ? await runAll() : readResults(values.from));

async function runAll(): Promise<ResultOrFailure[]> {
  const options: RunOptions = {
    quick: values.quick,
    runs: values.runs === undefined ? undefined : Number(values.runs),
    oracle:
      values.oracle === undefined
        ? undefined
        : await Oracle.at(values.oracle, values['oracle-full']).catch((e: Error) => refuse(e.message)),
  };
  const chosen = choose(values.only);
  if (chosen.length === 0) refuse(`--only ${values.only.join(', ')}: no such workload; --list names them`);
  if (options.runs !== undefined && !(options.runs >= 1)) refuse(`--runs ${values.runs}: allowed is 1 or more`);
  mkdirSync(CACHE_FOLDER, { recursive: true });
  const stored = join(CACHE_FOLDER, 'results.jsonl');
  writeFileSync(stored, '');
  const outcomes: ResultOrFailure[] = [];
  for (const workload of chosen.map((w) => (values.quick ? quickened(w) : w))) {
    process.stderr.write(`${workload.name} (load average ${loadavg()[0].toFixed(1)}) …\n`);
    const outcome = await measureWorkload(workload, options).catch((error: Error) => {
      // The others are worth having even if this one fails; the exit code tells.
      process.exitCode = 1;
      return { name: workload.name, failure: error.message.split('\n')[0].slice(0, 200) };
    });
    const line = `${JSON.stringify(outcome)}\n`;
    appendFileSync(stored, line);
    if (values.json) process.stdout.write(line);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** A whole name means that workload alone, although other names may contain it. */
function choose(wanted: readonly string[]): Workload[] {
  const exact = new Set(WORKLOADS.map(({ name }) => name).filter((name) => wanted.includes(name)));
  const matches = (name: string, text: string) => (exact.has(text) ? name === text : name.includes(text));
  return WORKLOADS.filter(({ name }) => wanted.length === 0 || wanted.some((text) => matches(name, text)));
}

function refuse(message: string): never {
  process.stderr.write(`bench: ${message}\n`);
  process.exit(2);
}

function readResults(file: string): ResultOrFailure[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  // npm's own lines are among them when its output was redirected.
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}

function report(outcomes: readonly ResultOrFailure[]): void {
  if (values.markdown) process.stdout.write(`${markdownReport(outcomes)}\n`);
  else (values.json ? process.stderr : process.stdout).write(`\n${textReport(outcomes)}\n`);
}
