// Makes what krew installs `kubectl decant` from: an archive with the package and its dependencies, and the manifest
// that names it. npm run krew -- --uri https://example.com/decant-krew-0.1.0.tar.gz --out krew
// Users need Node on their path.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { dump } from 'js-yaml';
import { makeProductionFolder } from './production-folder.js';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({ options: { uri: { type: 'string' }, out: { type: 'string', default: 'krew' } } });
if (values.uri === undefined) {
  process.stderr.write('krew.js: --uri is needed: where the archive will be downloaded from\n');
  process.exit(2);
}
const { version, description, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const out = resolve(values.out);
mkdirSync(out, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'decant-krew-'));
try {
  makeProductionFolder(folder);
  const archive = join(out, `decant-krew-${version}.tar.gz`);
  execFileSync('tar', ['-czf', archive, '-C', folder, '.']);
  const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex');
  writeFileSync(join(out, 'decant.yaml'), dump(manifest(sha256), { lineWidth: 100 }));
  process.stdout.write(`${archive}\n${join(out, 'decant.yaml')}\n`);
} finally {
  rmSync(folder, { recursive: true });
}

function manifest(sha256) {
  return {
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: 'decant' },
    spec: {
      version: `v${version}`,
      shortDescription: 'Plan and explain consolidation beside Karpenter',
      description,
      caveats: `Needs Node ${engines.node} on the path. Start with: kubectl decant plan`,
      platforms: [
        {
          selector: { matchExpressions: [{ key: 'os', operator: 'In', values: ['linux', 'darwin'] }] },
          uri: values.uri,
          sha256,
          files: [{ from: '*', to: '.' }],
          bin: 'dist/cli/main.js',
        },
      ],
    },
  };
}
