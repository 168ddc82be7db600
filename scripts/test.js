// All tests, or the files given, as many at a time as there are cores: on two cores Node would run one.
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const given = process.argv.slice(2);
const files = given.length > 0 ? given : ['src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts'];
const options = ['--import', './test/seed.ts', '--test', `--test-concurrency=${availableParallelism()}`];
const { status } = spawnSync(process.execPath, [...options, ...files], {
  cwd: join(import.meta.dirname, '..'),
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
