import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const LINES = read('Dockerfile')
  .split('\n')
  .map((line) => line.trim());

test('the Dockerfile has one base, by digest, and copies what npm run image makes and nothing else', () => {
  const [argument, base, ...rest] = LINES.filter((line) => /^(ARG|FROM|COPY|ADD|RUN) /.test(line));
  assert.equal(argument, 'ARG BASE_DIGEST');
  assert.match(base ?? '', /^FROM \S+\/distroless\/nodejs24-debian12@\$\{BASE_DIGEST\}$/);
  assert.deepEqual(rest, ['COPY image/ ./']);
  assert.equal(read('.dockerignore'), '*\n!image\n');
});

test('it starts what the package starts, and not as root', () => {
  const { bin, version } = JSON.parse(read('package.json'));
  assert.ok(
    LINES.includes(`ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=16", ${JSON.stringify(bin.decant)}]`),
  );
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
