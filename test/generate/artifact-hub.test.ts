import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from 'js-yaml';
import { objectProblems } from '../../src/config/policy-object.ts';
import { CRDS } from '../../src/crd/crds.ts';

const CHART = join(import.meta.dirname, '../../charts/decant/Chart.yaml');

test('Artifact Hub is told of every custom resource, with an example that is valid', () => {
  const { annotations } = load(readFileSync(CHART, 'utf8')) as { annotations: Record<string, string> };
  const told = load(annotations['artifacthub.io/crds']) as { kind: string; name: string; version: string }[];
  assert.deepEqual(
    told.map(({ kind, name, version }) => [kind, name, version]).sort(),
    CRDS.map(({ metadata, spec }) => [spec.names.kind, metadata.name, spec.versions[0].name]).sort(),
  );
  const examples = load(annotations['artifacthub.io/crdsExamples']) as {
    apiVersion: string;
    kind: 'ConsolidationPolicy';
    metadata: { name: string };
    spec: unknown;
  }[];
  assert.ok(examples.length > 0);
  for (const { apiVersion, kind, metadata, spec } of examples)
    assert.deepEqual(objectProblems({ apiVersion, kind, name: metadata.name, spec }), []);
});
