import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const LINES = read('Dockerfile')
  .split('\n')
  .map((line) => line.trim());

/** The image cannot be built here; these are the mistakes that can be seen without. */
test('what the Dockerfile copies is there and not ignored', () => {
  const ignored = new Set(read('.dockerignore').trim().split('\n'));
  const sources = LINES.filter((line) => line.startsWith('COPY ') && !line.includes('--from=')).flatMap((line) =>
    line.split(/\s+/).slice(1, -1),
  );
  assert.ok(sources.length > 5);
  for (const source of sources) {
    assert.ok(existsSync(join(ROOT, source)), source);
    assert.ok(!ignored.has(source), `${source} is ignored`);
  }
});

test('it starts what the package starts, and not as root', () => {
  const { bin, version } = JSON.parse(read('package.json'));
  assert.ok(LINES.includes(`ENTRYPOINT ["node", ${JSON.stringify(bin.decant)}]`));
  assert.ok(LINES.includes('USER 65532:65532'));
  assert.match(read('charts/decant/templates/deployment.yaml'), /runAsUser: 65532\n/);
  for (const field of ['version', 'appVersion']) {
    assert.match(read('charts/decant/Chart.yaml'), new RegExp(`^${field}: ${version}$`, 'm'));
  }
});

test('the chart’s schema knows every value, and the other way round', () => {
  const schema = JSON.parse(read('charts/decant/values.schema.json'));
  const values = read('charts/decant/values.yaml');
  const given = [...values.matchAll(/^(\w+):/gm)].map(([, name]) => name);
  const known = Object.keys(schema.properties).filter((name) => name !== 'global');
  assert.deepEqual(given.sort(), known.sort());
});
