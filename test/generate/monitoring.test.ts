import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertRules } from '../../generate/alert-rules.ts';
import { grafanaDashboard } from '../../generate/grafana-dashboard.ts';
import { OperatorMetrics } from '../../src/operator/metrics.ts';

interface Panel {
  readonly id: number;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { panels } = grafanaDashboard() as { readonly panels: readonly Panel[] };
const alerts = alertRules().groups.flatMap(({ rules }) => rules);
const expressions = [
  ...alerts.map(({ expr }) => expr),
  ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];

test('every metric in alerts and panels is one that there is, with the labels that it has', () => {
  const known = new Map<string, readonly string[]>();
  for (const { name, type, labelNames } of metrics()) {
    known.set(name, labelNames);
    if (type === 'histogram')
      for (const end of ['bucket', 'sum', 'count']) known.set(`${name}_${end}`, ['le', ...labelNames]);
  }
  for (const expr of expressions) {
    const used = [...expr.matchAll(/\b((?:decant|karpenter)_[a-z_]+)(\{[^}]*\})?/g)];
    assert.ok(used.length > 0, expr);
    const labels = new Set<string>();
    for (const [, name, selector = ''] of used) {
      const own = known.get(name);
      assert.ok(own, `${name} in ${expr}`);
      for (const label of own) labels.add(label);
      for (const [, label] of selector.matchAll(/(\w+)=~?"/g)) assert.ok(own.includes(label), `${label} in ${expr}`);
    }
    for (const [, by] of expr.matchAll(/by \(([^)]*)\)/g))
      for (const label of by.split(', ')) assert.ok(labels.has(label), `${label} in ${expr}`);
  }
});

test('legends name labels that are left', () => {
  for (const { expr, legendFormat } of panels.flatMap(({ targets }) => targets)) {
    const by = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list.split(', '));
    for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
      assert.ok(by.includes(label), `${legendFormat}: ${expr}`);
  }
});

test('alerts have names of their own and annotations that name labels which are left', () => {
  assert.equal(new Set(alerts.map(({ alert }) => alert)).size, alerts.length);
  for (const { expr, annotations } of alerts) {
    const by = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list.split(', '));
    for (const [, label] of `${annotations.summary} ${annotations.description}`.matchAll(/\$labels\.(\w+)/g))
      assert.ok(by.includes(label), expr);
  }
});

test('panels lie side by side and not on each other', () => {
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  );
  assert.equal(new Set(cells).size, cells.length);
  assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24));
});

function metrics(): readonly { name: string; type: string; labelNames: readonly string[] }[] {
  const { registry } = new OperatorMetrics();
  return registry.getMetricsAsArray().map((metric) => {
    const { name, labelNames } = metric as unknown as { name: string; labelNames: readonly string[] };
    return { name, labelNames, type: String(registry.getSingleMetric(name)?.constructor.name).toLowerCase() };
  });
}
