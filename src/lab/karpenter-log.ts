import type { InstanceType } from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE } from '../engine/cluster/well-known.ts';
import type { PastMove } from './history-curve.ts';

/** Consolidations in a Karpenter log. */
export interface LoggedMoves {
  readonly moves: readonly PastMove[];
  /** Number of consolidations with instance types that the catalog does not have. */
  readonly unpriced: number;
}

/** A threshold does not apply to other reasons, such as drift. */
const REASONS = new Set(['underutilized', 'empty']);

/**
 * Reads the lines "disrupting node(s)" of a Karpenter v1 JSON log; prefixes and other lines are skipped. The log has types
 * but no prices, so the catalog's lowest price of all zones counts. It has no priorities, so every node and every pod adds
 * 1 to the disruption cost.
 */
export function movesOfLog(text: string, types: readonly InstanceType[]): LoggedMoves {
  const priceOf = cheapestPrices(types);
  const moves: PastMove[] = [];
  let unpriced = 0;
  for (const line of text.split('\n')) {
    const entry = disruption(line);
    if (entry === undefined) continue;
    const removed = entry.nodes.map(({ type, capacityType }) => priceOf(type, capacityType));
    const added = entry.replacements.map(({ types, capacityType }) => {
      return Math.min(...types.map((type) => priceOf(type, capacityType) ?? Infinity));
    });
    if (removed.includes(undefined) || added.includes(Infinity)) unpriced++;
    else {
      const dollars = removed.reduce<number>((sum, price = 0) => sum + price, 0) - added.reduce((a, b) => a + b, 0);
      moves.push({
        atMs: entry.atMs,
        savingsCentsPerHour: 100 * dollars,
        disruptionCost: entry.nodes.length + entry.pods,
        evictions: entry.pods,
      });
    }
  }
  return { moves, unpriced };
}

interface LoggedDisruption {
  readonly atMs: number;
  readonly pods: number;
  readonly nodes: readonly { readonly type: string; readonly capacityType: string }[];
  readonly replacements: readonly { readonly types: readonly string[]; readonly capacityType: string }[];
}

function disruption(line: string): LoggedDisruption | undefined {
  const start = line.indexOf('{');
  if (start < 0 || !line.includes('"disrupting node(s)"')) return undefined;
  const entry = parsed(line.slice(start));
  const atMs = Date.parse(String(entry?.time));
  const pods = entry?.['pod-count'];
  if (entry === undefined || !REASONS.has(String(entry.reason)) || Number.isNaN(atMs) || !isCount(pods))
    return undefined;
  return {
    atMs,
    pods,
    nodes: objects(entry['disrupted-nodes']).map((node) => ({
      type: String(node['instance-type']),
      capacityType: String(node['capacity-type']),
    })),
    replacements: objects(entry['replacement-nodes']).map((node) => ({
      // "m6a.large, c6a.large and 8 other(s)"
      types: String(node['instance-types'])
        .replace(/ and \d+ other\(s\)$/, '')
        .split(', '),
      capacityType: String(node['capacity-type']),
    })),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** undefined for truncated lines. */
function parsed(json: string): Fields | undefined {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function objects(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : [];
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function cheapestPrices(types: readonly InstanceType[]): (type: string, capacityType: string) => number | undefined {
  const prices = new Map<string, number>();
  for (const { name, offerings } of types) {
    for (const { requirements, price } of offerings) {
      const capacityType = requirements.find(({ key }) => key === CAPACITY_TYPE)?.values?.[0] ?? '';
      const key = `${name}/${capacityType}`;
      prices.set(key, Math.min(price, prices.get(key) ?? Infinity));
    }
  }
  return (type, capacityType) => prices.get(`${type}/${capacityType}`);
}
