import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeSnapshot } from '../../src/kube/encode/snapshot.ts';
import { ATTACKS, type Attack } from './attacks.ts';
import { turnsOf } from './turns.ts';

const HELP = `npm run -s bench:hostile [-- options]

A plan of 20 nodes and 40 ordinary pods beside pods that are as expensive as a user can make them, pending unless the row says
running: processor time of all threads, and highest memory, of one process each. Exits with 1 if one takes longer than the limit.

  --only TEXT   attacks whose names contain it
  --limit N     seconds of processor time (default 5)
  --give-up N   seconds after which one is stopped (default 120)
  --turns       instead: a pass of the controller each, and the longest part of it in which Lease and probes have no turn
`;

const MODES = [[], ['--compat', 'karpenter']];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    limit: { type: 'string', default: '5' },
    'give-up': { type: 'string', default: '120' },
    turns: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

const attacks = ATTACKS.filter(({ name }) => name.includes(values.only));
if (values.help) process.stdout.write(HELP);
else if (values.turns) {
  process.stdout.write('| 1,000 pods × 10, all different | a pass, longest without a turn |\n|---|---|\n');
  for (const { name, cluster } of attacks) process.stdout.write(`| ${name} | ${await turnsOf(cluster())} |\n`);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  process.stdout.write('| 1,000 pods × 10, all different | plan | --compat karpenter |\n|---|---|---|\n');
  for (const attack of attacks)
    process.stdout.write(`| ${attack.name} | ${figuresOf(attack, join(folder, 'cluster.json')).join(' | ')} |\n`);
  rmSync(folder, { recursive: true });
}

function figuresOf({ cluster }: Attack, file: string): readonly string[] {
  const { objects, ...rest } = writeSnapshot(cluster());
  writeFileSync(file, JSON.stringify({ ...rest, objects: [...objects] }));
  return MODES.map((mode) => {
    const command = [join(import.meta.dirname, '../../src/cli/main.ts'), 'plan', '-f', file, '-o', 'json', ...mode];
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', import.meta.resolve('../report-peak.ts'), ...command],
      { encoding: 'utf8', maxBuffer: 2 ** 30, timeout: 1000 * Number(values['give-up']) },
    );
    const [, cpuMs, megabytes] = /\n@peak (\S+) (\S+)\n$/.exec(stdout) ?? [];
    const seconds = Number(cpuMs) / 1000;
    if (!(seconds <= Number(values.limit))) process.exitCode = 1;
    if (cpuMs === undefined) return stderr.trim() === '' ? 'timed out' : stderr.trim().slice(0, 200);
    return `${seconds.toFixed(1)} s, ${Math.round(Number(megabytes))} MB`;
  });
}
