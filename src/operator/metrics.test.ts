import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { OperatorMetrics } from './metrics.ts';

interface Described {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

// prom-client's types leave out what a metric says of itself.
const ours = (new OperatorMetrics().registry.getMetricsAsArray() as unknown as Described[]).filter(({ name }) =>
  /^(decant|karpenter)_/.test(name),
);

test('docs/observing.md has every metric, as it is', () => {
  const docs = readFileSync(new URL('../../docs/observing.md', import.meta.url), 'utf8');
  const rows = docs.split('\n').filter((line) => /^\| `(decant|karpenter)_/.test(line));
  const wanted = ours.map(
    ({ name, help, labelNames }) =>
      `| \`${name}\` | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${help.replace(/\.$/, '')} |`,
  );
  assert.deepEqual(rows, wanted);
});

test('no metric has a label for nodes or pods', () => {
  const labels = ours.flatMap(({ labelNames }) => labelNames);
  assert.ok(labels.length > 10);
  assert.deepEqual(
    labels.filter((label) => /node$|pod|claim/.test(label)),
    [],
  );
});
