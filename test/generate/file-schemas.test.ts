import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { load } from 'js-yaml';
import { fileSchemas } from '../../generate/file-schemas.ts';
import { decodeInstanceTypes } from '../../src/catalog/kwok-format.ts';
import { decodePriceOverlay } from '../../src/catalog/price-overlay.ts';
import { readWorkloadFile } from '../../src/config/workload-file.ts';
import { readPolicyFile } from '../../src/lab/policy-file.ts';
import { type Schema, schemaProblems } from '../build/json-schema.ts';

const ROOT = join(import.meta.dirname, '..', '..');

function problems(name: string, document: unknown): string[] {
  const schema = JSON.parse(fileSchemas().get(`docs/schemas/${name}.schema.json`) as string) as Schema;
  return schemaProblems(schema, document);
}

/** The block of a page that begins with the line of the language server for this schema. */
function exampleIn(page: string, name: string): unknown {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  const line = `# yaml-language-server: $schema=schemas/${name}.schema.json`;
  const [, block] = text.split(`\`\`\`yaml\n${line}\n`);
  assert.ok(block !== undefined, `${page} has an example for ${name}`);
  return load(block.split('```')[0]);
}

describe('schemas for editors', () => {
  test('bundled workloads name the schema, which is there and accepts them', () => {
    const files = globSync('workloads/*.yaml', { cwd: ROOT });
    assert.ok(files.length > 10);
    for (const file of files) {
      const text = readFileSync(join(ROOT, file), 'utf8');
      const [, path] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      assert.ok(path !== undefined && existsSync(join(ROOT, dirname(file), path)), file);
      assert.deepEqual(problems('workload', load(text)), [], file);
    }
  });

  test('examples of the pages are accepted', () => {
    assert.deepEqual(problems('policy', exampleIn('compare.md', 'policy')), []);
    assert.deepEqual(problems('overlay', exampleIn('catalog-files.md', 'overlay')), []);
    assert.deepEqual(problems('workload', exampleIn('workload-files.md', 'workload')), []);
  });

  const POOL = { metadata: { name: 'p' } };
  const APP = { kind: 'Deployment', name: 'a' };
  const isRefused = (read: () => unknown) => {
    try {
      const result = read();
      return typeof result === 'object' && result !== null && 'problems' in result;
    } catch {
      return true;
    }
  };
  /** Schema, document, and whether it is right. */
  const DOCUMENTS: readonly (readonly ['workload' | 'policy' | 'overlay' | 'catalog', unknown, boolean])[] = [
    ['workload', { name: 'w', nodePools: [POOL], apps: [{ ...APP, replicas: 3 }] }, true],
    ['workload', { name: 'w', nodePools: [POOL], apps: [{ ...APP, replicas: { base: 3, noise: 1 } }] }, true],
    ['workload', { name: 'w', nodePools: [POOL], apps: [{ ...APP, replica: 3 }] }, false],
    ['workload', { name: 'w', nodePools: [POOL], apps: [{ ...APP, startup: '5 minutes' }] }, false],
    ['policy', { disruption: { headroom: { cpu: '10%' } }, switches: { 'eviction-price': '12m' } }, true],
    ['policy', { disruption: { headroom: { cpu: 'much' } } }, false],
    ['policy', { controler: 'stock' }, false],
    ['overlay', [{ selector: { a: ['b', 'c'] }, price: '-10%' }], true],
    ['overlay', [{ zone: 'z', onDemandRatio: 0.3 }], true],
    ['overlay', [{ name: 'plan', dollarsPerHour: 40, price: '-27.5%' }], true],
    ['overlay', [{ nodes: 0 }], false],
    ['overlay', [{ price: 0.1 }], false],
    ['overlay', [{ prize: '0.1' }], false],
    ['catalog', [{ name: 'a', resources: { cpu: '2', memory: '8Gi' }, offerings: [] }], true],
    ['catalog', [{ resources: { cpu: '2' } }], false],
    ['catalog', [{ name: 'a', offerings: 'none' }], false],
  ];
  const READERS = {
    workload: readWorkloadFile,
    policy: (document: unknown) => readPolicyFile('file', document, 'mine'),
    overlay: (document: unknown) => decodePriceOverlay('file', document),
    catalog: (document: unknown) => decodeInstanceTypes('file', document as unknown[]),
  };

  for (const [name, document, isRight] of DOCUMENTS)
    test(`${name}: ${JSON.stringify(document)} is ${isRight ? 'accepted' : 'refused'} by schema and reader`, () => {
      assert.equal(problems(name, document).length === 0, isRight, problems(name, document).join());
      assert.equal(
        isRefused(() => READERS[name](document)),
        !isRight,
      );
    });
});
