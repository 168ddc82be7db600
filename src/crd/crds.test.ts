import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CRDS } from './crds.ts';
import type { StructuralSchema } from './structural-schema.ts';

test('schemas are structural: every value has one type, and nothing else decides it', () => {
  const seen: string[] = [];
  const walk = (schema: StructuralSchema, at: string): void => {
    seen.push(at);
    assert.ok((schema.type === undefined) === (schema['x-kubernetes-int-or-string'] === true), at);
    for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref', 'const', 'propertyNames', 'default'])
      assert.ok(!(keyword in schema), `${at}: ${keyword}`);
    assert.notEqual(schema.additionalProperties as unknown, false, at);
    assert.ok(schema.properties === undefined || schema.additionalProperties === undefined, at);
    assert.equal(schema.type === 'array', schema.items !== undefined, at);
    for (const [key, each] of Object.entries(schema.properties ?? {})) walk(each, `${at}.${key}`);
    if (schema.items !== undefined) walk(schema.items, `${at}[]`);
    if (schema.additionalProperties !== undefined) walk(schema.additionalProperties, `${at}.*`);
  };
  for (const crd of CRDS) walk(crd.spec.versions[0].schema.openAPIV3Schema, crd.spec.names.kind);
  assert.ok(seen.includes('ConsolidationPolicy.spec.budgets[].schedule'));
  assert.ok(seen.includes('ConsolidationCommand.status.realised.evictions'));
});

test('printer columns point at fields that there are', () => {
  for (const { spec } of CRDS) {
    const [{ schema, additionalPrinterColumns }] = spec.versions;
    for (const { jsonPath } of additionalPrinterColumns) {
      const path = jsonPath.replace(/\[[^\]]*\]/g, '[]').match(/\w+|\[\]/g)!;
      if (path[0] === 'metadata') continue;
      let at: StructuralSchema | undefined = schema.openAPIV3Schema;
      for (const key of path) at = key === '[]' ? at?.items : at?.properties?.[key];
      assert.ok(at, `${spec.names.kind}: ${jsonPath}`);
    }
  }
});
