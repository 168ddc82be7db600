import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { run } from './fresh-process.ts';
import type { Facts, Measured, Sample, Task } from './measures/measure.ts';

const ROOT = join(import.meta.dirname, '..');
const CLI = join('dist', 'cli', 'main.js');

let built = false;

const AS_KARPENTER = ['plan', '--compat', 'karpenter'];

/** A command as an installed package runs it: compiled, printed into nothing. */
export async function coldStart(task: Task): Promise<Measured> {
  build();
  const command = [CLI, ...(task.command ?? AS_KARPENTER), '-f', task.file, '-o', 'json'];
  const samples: Sample[] = [];
  for (let i = 0; i < task.warmUps + task.runs; i++) {
    const { wallMs } = await run(process.execPath, command, ROOT, false);
    // Warm-ups fill the file cache, and Node's cache of compiled code where the CLI uses it.
    if (i >= task.warmUps) samples.push({ wallMs, cpuMs: Number.NaN });
  }
  // Apart from the timed ones: what is loaded to report it would count.
  const { stdout } = await run(
    process.execPath,
    ['--import', import.meta.resolve('./report-peak.ts'), ...command],
    ROOT,
  );
  const [, cpuMs, peak] = /\n@peak (\S+) (\S+)\n$/.exec(stdout) ?? [];
  const { totals } = JSON.parse(stdout.slice(0, stdout.lastIndexOf('\n@peak'))) as { totals?: Record<string, number> };
  return {
    samples: samples.map(({ wallMs }) => ({ wallMs, cpuMs: Number(cpuMs) })),
    peakMb: Number(peak),
    facts: totals === undefined ? {} : factsOf(totals),
  };
}

function factsOf({ nodes, pods, evaluated, loadMs, elapsedMs }: Record<string, number>): Facts {
  return { nodes, pods, examined: evaluated, loadMs: Math.round(loadMs), elapsedMs: Math.round(elapsedMs) };
}

/** Once a run, from the sources as they are. */
function build(): void {
  if (built) return;
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], {
    cwd: ROOT,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm run build failed: ${stdout}${stderr}`);
  built = true;
}
