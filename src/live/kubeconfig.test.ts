import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { kubeconfigFiles, readKubeconfig } from './kubeconfig.ts';

const folder = mkdtempSync(join(tmpdir(), 'decant-kubeconfig-'));
after(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('which files count', () => {
  const a = write('a', '');
  const b = write('b', '');
  const gone = join(folder, 'gone');
  assert.deepEqual(kubeconfigFiles('named', { KUBECONFIG: a }), ['named']);
  assert.deepEqual(kubeconfigFiles(undefined, { KUBECONFIG: [gone, a, '', b].join(delimiter) }), [a, b]);
  assert.deepEqual(kubeconfigFiles(undefined, { KUBECONFIG: gone }), [gone]);
});

test('several files are merged: what an earlier one says counts', () => {
  const first = write('first', 'current-context: dev\nusers: [{name: u, user: {token: one}}]');
  const second = write(
    'second',
    `current-context: prod
contexts: [{name: dev, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: https://x}}]
users: [{name: u, user: {token: two}}, {name: v, user: {token: three}}]`,
  );
  const { currentContext, clusters, users, contexts } = readKubeconfig([first, second]);
  assert.equal(currentContext, 'dev');
  assert.deepEqual(contexts.get('dev'), { cluster: 'c', user: 'u' });
  assert.equal(clusters.get('c')?.server, 'https://x');
  assert.deepEqual([users.get('u')?.token, users.get('v')?.token], ['one', 'three']);
});

test('paths are those beside the file; a command without a slash is looked for in PATH', () => {
  mkdirSync(join(folder, 'deep'));
  const file = write(
    'deep/config',
    `clusters: [{name: c, cluster: {certificate-authority: ca.crt}}]
users:
  - {name: a, user: {client-certificate: ./a.crt, exec: {command: ./login}}}
  - {name: b, user: {client-key: /keys/b, exec: {command: aws, args: null}}}`,
  );
  const { clusters, users } = readKubeconfig([file]);
  const deep = join(folder, 'deep');
  assert.equal(clusters.get('c')?.['certificate-authority'], join(deep, 'ca.crt'));
  assert.equal(users.get('a')?.['client-certificate'], join(deep, 'a.crt'));
  assert.equal(users.get('a')?.exec?.command, join(deep, 'login'));
  assert.equal(users.get('b')?.['client-key'], '/keys/b');
  assert.equal(users.get('b')?.exec?.command, 'aws');
});

test('what is no kubeconfig is refused', () => {
  for (const text of ['just a text', '[]', 'clusters: 5', 'users: [7]'])
    assert.throws(() => readKubeconfig([write('bad', text)]), text);
});
