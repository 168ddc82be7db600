import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadAll } from 'js-yaml';
import { accessRules } from '../../generate/access-rules.ts';
import { generatedFiles } from '../../generate/generated-files.ts';
import { CRDS } from '../../src/crd/crds.ts';

const ROOT = join(import.meta.dirname, '..', '..');

describe('what npm run -s generate would write is there', () => {
  for (const [path, text] of generatedFiles()) {
    test(path, () => assert.equal(readFileSync(join(ROOT, path), 'utf8'), text));
  }
});

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: unknown;
  readonly rules?: unknown;
}

/** The whole of it needs helm, and is compared in test/e2e; what changes with the code can be seen without. */
test('deploy/decant.yaml has the CRDs and the rights of today', () => {
  const all = loadAll(readFileSync(join(ROOT, 'deploy/decant.yaml'), 'utf8')) as Manifest[];
  const find = (kind: string, name: string) => all.find((each) => each?.kind === kind && each.metadata.name === name);
  for (const { kind, metadata, spec } of CRDS)
    assert.deepEqual(find(kind, metadata.name)?.spec, JSON.parse(JSON.stringify(spec)), metadata.name);
  const { observe, leases } = accessRules();
  assert.deepEqual(find('ClusterRole', 'decant')?.rules, observe);
  const named = leases.map((rule) =>
    rule.resourceNames === undefined ? rule : { ...rule, resourceNames: ['decant'] },
  );
  assert.deepEqual(find('Role', 'decant-leases')?.rules, named);
});
