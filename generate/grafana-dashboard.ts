interface Query {
  readonly expr: string;
  readonly legend: string;
}

interface PanelSketch {
  readonly title: string;
  readonly type: 'stat' | 'timeseries';
  readonly unit?: 'currencyUSD' | 's' | 'percentunit' | 'short' | 'reqps';
  readonly width: number;
  readonly stacked?: true;
  readonly queries: readonly Query[];
}

const POOL = 'nodepool=~"$nodepool"';
/** Replicas that do not lead have old values or none. */
const highest = (metric: string, by = '') => `max${by === '' ? '' : ` by (${by})`} (${metric})`;
const perHour = (metric: string, by = '') => `sum${by === '' ? '' : ` by (${by})`} (increase(${metric}[1h]))`;

const ROWS: readonly (readonly PanelSketch[])[] = [
  [
    stat('Cost now', `sum(${highest(`decant_cost_dollars_per_hour{${POOL}}`, 'nodepool')})`, 'currencyUSD'),
    stat(
      'Cost once the plan is executed',
      `sum(${highest(`decant_planned_cost_dollars_per_hour{${POOL}}`, 'nodepool')})`,
      'currencyUSD',
    ),
    stat(
      'Saved per hour by commands of the last day',
      'sum(increase(decant_realised_savings_dollars_per_hour_total[1d]))',
      'currencyUSD',
    ),
    stat('Evictions of the last day', 'sum(increase(decant_evictions_total[1d]))'),
    stat('Nodes', `sum(${highest(`decant_nodes{${POOL}}`, 'nodepool')})`),
    stat('Leaders', 'sum(decant_leader)'),
  ],
  [
    lines(
      'Cost by NodePool',
      [{ expr: highest(`decant_cost_dollars_per_hour{${POOL}}`, 'nodepool'), legend: '{{nodepool}}' }],
      'currencyUSD',
      true,
    ),
    lines(
      'Now and planned',
      [
        { expr: `sum(${highest(`decant_cost_dollars_per_hour{${POOL}}`, 'nodepool')})`, legend: 'now' },
        { expr: `sum(${highest(`decant_planned_cost_dollars_per_hour{${POOL}}`, 'nodepool')})`, legend: 'planned' },
      ],
      'currencyUSD',
    ),
  ],
  [
    lines('Commands per hour', [
      { expr: perHour('decant_decisions_total', 'kind, outcome'), legend: '{{kind}} {{outcome}}' },
    ]),
    lines(
      'Savings of commands per hour: predicted and realised',
      [
        { expr: perHour('decant_predicted_savings_dollars_per_hour_total'), legend: 'predicted' },
        { expr: perHour('decant_realised_savings_dollars_per_hour_total'), legend: 'realised' },
      ],
      'currencyUSD',
    ),
  ],
  [
    lines('Evictions per hour', [
      { expr: perHour('decant_evictions_total'), legend: 'evictions' },
      { expr: perHour('decant_reevictions_total'), legend: 'of recently evicted workloads' },
    ]),
    lines('Open commands', [
      { expr: highest('decant_open_commands', 'phase'), legend: '{{phase}}' },
      { expr: highest('decant_held_commands', 'reason'), legend: 'held: {{reason}}' },
    ]),
  ],
  [
    lines('Why nodes stay', [{ expr: highest('decant_refused_nodes', 'code'), legend: '{{code}}' }], 'short', true),
    lines('Kept by the savings threshold, per hour', [
      { expr: perHour(`karpenter_consolidation_threshold_blocked_total{${POOL}}`, 'nodepool'), legend: '{{nodepool}}' },
    ]),
  ],
  [
    lines('Budgets: nodes that may go now', [
      {
        expr: highest(`decant_budget_remaining_nodes{${POOL}}`, 'nodepool, reason'),
        legend: '{{nodepool}} {{reason}}',
      },
    ]),
    lines('NodePools that are not consolidated', [
      { expr: highest('decant_hindered_nodepools', 'reason'), legend: '{{reason}}' },
    ]),
  ],
  [
    lines(
      'Duration of a pass',
      [0.5, 0.9, 0.99].map((q) => ({
        expr: `histogram_quantile(${q}, sum by (le) (rate(decant_pass_duration_seconds_bucket[30m])))`,
        legend: `${q * 100} %`,
      })),
      's',
    ),
    lines('Candidates', [
      { expr: highest('decant_candidates'), legend: 'candidates' },
      { expr: highest('decant_candidates_examined'), legend: 'examined' },
    ]),
  ],
  [
    lines(
      'Requests to the API server',
      [{ expr: 'sum by (verb, code) (rate(decant_api_requests_total[5m]))', legend: '{{verb}} {{code}}' }],
      'reqps',
    ),
    lines('Passes and failed writes, per hour', [
      { expr: perHour('decant_ticks_total', 'result'), legend: '{{result}}' },
      { expr: perHour('decant_action_failures_total', 'action'), legend: 'failed: {{action}}' },
    ]),
  ],
];

function stat(title: string, expr: string, unit: PanelSketch['unit'] = 'short'): PanelSketch {
  return { title, type: 'stat', unit, width: 4, queries: [{ expr, legend: '' }] };
}

function lines(
  title: string,
  queries: readonly Query[],
  unit: PanelSketch['unit'] = 'short',
  stacked = false,
): PanelSketch {
  return { title, type: 'timeseries', unit, width: 12, queries, ...(stacked ? { stacked: true as const } : {}) };
}

const DATASOURCE = { type: 'prometheus', uid: '$datasource' };

/** For import into Grafana 10 or later; it asks for the Prometheus data source. */
export function grafanaDashboard(): object {
  let y = 0;
  let id = 0;
  const panels = ROWS.flatMap((row) => {
    const height = row[0].type === 'stat' ? 4 : 8;
    let x = 0;
    const placed = row.map((sketch) => {
      const gridPos = { x, y, w: sketch.width, h: height };
      x += sketch.width;
      return panel(++id, sketch, gridPos);
    });
    y += height;
    return placed;
  });
  return {
    uid: 'decant',
    title: 'Decant',
    tags: ['decant', 'karpenter'],
    schemaVersion: 39,
    editable: true,
    refresh: '1m',
    time: { from: 'now-24h', to: 'now' },
    templating: { list: [datasourceVariable(), poolVariable()] },
    panels,
  };
}

function panel(id: number, { title, type, unit, stacked, queries }: PanelSketch, gridPos: object): object {
  const custom =
    type === 'timeseries' ? { fillOpacity: stacked ? 30 : 5, stacking: { mode: stacked ? 'normal' : 'none' } } : {};
  return {
    id,
    title,
    type,
    gridPos,
    datasource: DATASOURCE,
    fieldConfig: { defaults: { unit, min: 0, custom }, overrides: [] },
    options: type === 'stat' ? { reduceOptions: { calcs: ['lastNotNull'] } } : { legend: { displayMode: 'list' } },
    targets: queries.map(({ expr, legend }, i) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + i),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}

function datasourceVariable(): object {
  return { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' };
}

function poolVariable(): object {
  return {
    name: 'nodepool',
    label: 'NodePool',
    type: 'query',
    datasource: DATASOURCE,
    query: 'label_values(decant_nodes, nodepool)',
    refresh: 2,
    includeAll: true,
    multi: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  };
}
