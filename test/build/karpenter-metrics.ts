/** Offerings by type, zone and capacity type: dollars per hour, or why there is nothing to buy. */
export type MetricRows = Readonly<Record<string, Readonly<Record<string, MetricRow>>>>;
type MetricRow = number | { readonly price: number; readonly available: false };

const PRICE = 'karpenter_cloudprovider_instance_type_offering_price_estimate';
const AVAILABLE = 'karpenter_cloudprovider_instance_type_offering_available';

export interface MetricsSketch {
  /** `{'m5.large': {'eu-west-1a spot': 0.04}}`. */
  readonly offerings?: MetricRows;
  readonly costByPool?: Readonly<Record<string, number>>;
  /** As client-go counts it; left out if not given, as by older versions. */
  readonly leads?: boolean;
}

/** What Karpenter's AWS provider answers to GET /metrics, as Prometheus' Go client writes it. */
export function karpenterMetrics({ offerings = {}, costByPool = {}, leads }: MetricsSketch): string {
  const prices: string[] = [];
  const available: string[] = [];
  for (const [type, rows] of Object.entries(offerings)) {
    for (const [market, row] of Object.entries(rows)) {
      const [zone, capacityType] = market.split(' ');
      const labels = `{capacity_type="${capacityType}",instance_type="${type}",zone="${zone}"}`;
      prices.push(`${PRICE}${labels} ${typeof row === 'number' ? row : row.price}`);
      available.push(`${AVAILABLE}${labels} ${typeof row === 'number' ? 1 : 0}`);
    }
  }
  const costs = Object.entries(costByPool).map(
    ([pool, cost]) => `karpenter_nodepools_cost_total{nodepool="${pool}"} ${cost}`,
  );
  return [
    '# HELP go_goroutines Number of goroutines that currently exist.',
    '# TYPE go_goroutines gauge',
    'go_goroutines 412',
    ...family(
      AVAILABLE,
      'Instance type offering availability, based on instance type, capacity type, and zone',
      available,
    ),
    ...family(
      PRICE,
      'Instance type offering estimated hourly price used when making informed decisions on node cost calculation.',
      prices,
    ),
    ...family('karpenter_nodepools_cost_total', "Total cost of the nodepool from Karpenter's perspective.", costs),
    ...(leads === undefined
      ? []
      : family('leader_election_master_status', 'Gauge of if the reporting system is master of the relevant lease', [
          `leader_election_master_status{name="karpenter-leader-election"} ${leads ? 1 : 0}`,
        ])),
    '',
  ].join('\n');
}

function family(name: string, help: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines];
}
