import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadAll } from 'js-yaml';
import { jobManifest } from './job-manifest.ts';

const OPTIONS = { image: 'decant:1', shards: 8, arguments: ['-w', '/input/web.yaml', '--seeds', '3'] };

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: unknown;
  readonly spec: {
    readonly completionMode: string;
    readonly completions: number;
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly args: readonly string[];
          readonly volumeMounts: readonly { name: string }[];
        }[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

test('an Indexed Job that computes shares and merges them, with its files and a volume for results', () => {
  const text = jobManifest({ ...OPTIONS, files: { 'web.yaml': 'name: web\n# ü: {}\n' } });
  const [input, claim, job, ...others] = loadAll(text) as Manifest[];
  assert.deepEqual(
    [input, claim, job, ...others].map(({ kind }) => kind),
    ['ConfigMap', 'PersistentVolumeClaim', 'Job'],
  );
  assert.deepEqual(input.data, { 'web.yaml': 'name: web\n# ü: {}\n' });
  const { completionMode, completions, template } = job.spec;
  assert.deepEqual([completionMode, completions], ['Indexed', 8]);
  const [{ args, volumeMounts }] = template.spec.containers;
  assert.deepEqual(args, ['compare', ...OPTIONS.arguments, '--shard', '8', '--results', '/results']);
  assert.deepEqual(
    volumeMounts.map(({ name }) => name),
    template.spec.volumes.map(({ name }) => name),
  );
});

test('without files there is no ConfigMap', () => {
  const objects = loadAll(jobManifest({ ...OPTIONS, files: {} })) as Manifest[];
  assert.deepEqual(
    objects.map(({ kind }) => kind),
    ['PersistentVolumeClaim', 'Job'],
  );
  assert.deepEqual(
    objects[1].spec.template.spec.volumes.map(({ name }) => name),
    ['results'],
  );
});
