import { getOrInsert } from '../engine/cluster/get-or-insert.ts';

/**
 * Prices and availability as exported by Karpenter's AWS provider, which uses them for its own decisions (text format
 * 0.0.4, gauges without timestamps).
 */
const PRICE = 'karpenter_cloudprovider_instance_type_offering_price_estimate{';
const AVAILABLE = 'karpenter_cloudprovider_instance_type_offering_available{';
const CPU_CORES = 'karpenter_cloudprovider_instance_type_cpu_cores{';
const MEMORY_BYTES = 'karpenter_cloudprovider_instance_type_memory_bytes{';
const POOL_COST = 'karpenter_nodepools_cost_total{';
const LEADS = 'leader_election_master_status{';

export interface KarpenterOffering {
  readonly zone: string;
  readonly capacityType: string;
  /** Dollars per hour. */
  readonly price: number;
  readonly available: boolean;
}

export interface KarpenterPrices {
  readonly offerings: ReadonlyMap<string, readonly KarpenterOffering[]>;
  /** Cores and bytes of the hardware. */
  readonly sizes: ReadonlyMap<string, { readonly cpus: number; readonly memory: number }>;
  /** Karpenter's own cost of each NodePool's nodes, in dollars per hour. */
  readonly costByPool: ReadonlyMap<string, number>;
  /** When they were read. */
  readonly atMs: number;
}

/**
 * `follower`: the replica is not the leader. `absent`: no prices, as with other providers. `incomplete`: offerings
 * without a price or availability, because the text was cut or filtered.
 */
export type MetricsReading =
  | { readonly prices: KarpenterPrices }
  | { readonly missing: 'follower' | 'absent' | 'incomplete'; readonly costByPool: ReadonlyMap<string, number> };

/** Karpenter writes the two rows of a new offering one after the other, so a few may lack one. */
const TOLERATED_SHARE = 0.01;

interface Market {
  readonly type: string;
  readonly zone: string;
  readonly capacityType: string;
  price?: number;
  available?: boolean;
}

/** 3 MB and more: parsed in one scan that skips other metrics. */
export function readKarpenterMetrics(text: string, atMs: number): MetricsReading {
  const markets = new Map<string, Market>();
  const cpus = new Map<string, number>();
  const memory = new Map<string, number>();
  const costByPool = new Map<string, number>();
  let follows = false;
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    // The format ends every line; a last line without an end may be cut within its number.
    if (end < 0) break;
    const at = start;
    start = end + 1;
    if (text.startsWith('karpenter_', at)) {
      if (text.startsWith(PRICE, at)) marketOf(markets, text, at + PRICE.length, end, (m, value) => (m.price = value));
      else if (text.startsWith(AVAILABLE, at))
        marketOf(markets, text, at + AVAILABLE.length, end, (m, value) => (m.available = value === 1));
      else if (text.startsWith(CPU_CORES, at)) sample(text, at + CPU_CORES.length, end, 'instance_type', cpus);
      else if (text.startsWith(MEMORY_BYTES, at)) sample(text, at + MEMORY_BYTES.length, end, 'instance_type', memory);
      else if (text.startsWith(POOL_COST, at)) sample(text, at + POOL_COST.length, end, 'nodepool', costByPool);
    } else if (text.startsWith(LEADS, at)) {
      const { labels, value } = sampleOf(text, at + LEADS.length, end);
      if ((labels.get('name') ?? '').startsWith('karpenter')) follows ||= value === 0;
    }
  }
  const offerings = new Map<string, KarpenterOffering[]>();
  let halves = 0;
  for (const { type, zone, capacityType, price, available } of markets.values()) {
    if (price === undefined || available === undefined) halves++;
    // Karpenter writes a row for every zone and capacity type: without price and availability it is not an offering.
    if (price === undefined || (price === 0 && available !== true)) continue;
    getOrInsert(offerings, type, () => []).push({ zone, capacityType, price, available: available === true });
  }
  if (follows) return { missing: 'follower', costByPool };
  if (halves > TOLERATED_SHARE * markets.size) return { missing: 'incomplete', costByPool };
  if (offerings.size === 0) return { missing: 'absent', costByPool };
  const sizes = new Map([...cpus].map(([type, cores]) => [type, { cpus: cores, memory: memory.get(type) ?? 0 }]));
  return { prices: { offerings, sizes, costByPool, atMs } };
}

/**
 * Before its first answer from the pricing API, and in isolated VPCs, Karpenter shows built-in on-demand prices, mostly
 * of another region, and spot at the same price.
 */
export function areFallbackPrices({ offerings }: KarpenterPrices): boolean {
  let compared = 0;
  for (const list of offerings.values()) {
    const onDemand = list.find(({ capacityType }) => capacityType === 'on-demand')?.price;
    if (onDemand === undefined) continue;
    for (const { capacityType, price } of list) {
      if (capacityType !== 'spot') continue;
      if (price !== onDemand) return false;
      compared++;
    }
  }
  return compared > 0;
}

function marketOf(
  markets: Map<string, Market>,
  text: string,
  at: number,
  end: number,
  set: (market: Market, value: number) => void,
): void {
  const { labels, value } = sampleOf(text, at, end);
  const [type, zone, capacityType] = ['instance_type', 'zone', 'capacity_type'].map((name) => labels.get(name) ?? '');
  if (type === '' || zone === '' || capacityType === '') return;
  const key = `${type} ${zone} ${capacityType}`;
  const market = getOrInsert(markets, key, () => ({ type, zone, capacityType }));
  if (Number.isFinite(value) && value >= 0) set(market, value);
}

function sample(text: string, at: number, end: number, label: string, into: Map<string, number>): void {
  const { labels, value } = sampleOf(text, at, end);
  const name = labels.get(label) ?? '';
  if (name !== '' && Number.isFinite(value)) into.set(name, value);
}

/** Labels and value of a line, after the opening brace. */
function sampleOf(text: string, at: number, end: number): { labels: Map<string, string>; value: number } {
  const labels = new Map<string, string>();
  let pos = at;
  while (pos < end && text[pos] !== '}') {
    const equals = text.indexOf('="', pos);
    if (equals < 0 || equals >= end) return { labels, value: Number.NaN };
    let quote = equals + 2;
    while (quote < end && text[quote] !== '"') quote += text[quote] === '\\' ? 2 : 1;
    const raw = text.slice(equals + 2, quote);
    labels.set(text.slice(pos, equals).trim(), raw.includes('\\') ? unescaped(raw) : raw);
    pos = quote + 1;
    while (pos < end && (text[pos] === ',' || text[pos] === ' ')) pos++;
  }
  // A timestamp may follow the value.
  const [value] = text
    .slice(pos + 1, end)
    .trim()
    .split(' ');
  return { labels, value: value === '' ? Number.NaN : Number(value) };
}

function unescaped(raw: string): string {
  return raw.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char));
}
