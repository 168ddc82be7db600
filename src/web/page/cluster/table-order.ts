import { DECISIONS, decisionWords } from '../../../report/decision.ts';
import type { NodeFacts } from './node-facts.ts';

export const COLUMNS = [
  { column: 'name', title: 'Node', isNumber: false },
  { column: 'pool', title: 'Pool', isNumber: false },
  { column: 'type', title: 'Type', isNumber: false },
  { column: 'zone', title: 'Zone', isNumber: false },
  { column: 'capacityType', title: 'Capacity', isNumber: false },
  { column: 'centsPerHour', title: '$/h', isNumber: true },
  { column: 'utilization', title: 'Used', isNumber: true },
  { column: 'pods', title: 'Pods', isNumber: true },
  { column: 'decision', title: 'Decision', isNumber: false },
  { column: 'reason', title: 'Why', isNumber: false },
] as const;
export type ColumnName = (typeof COLUMNS)[number]['column'];

export interface Order {
  readonly column: ColumnName;
  readonly descending: boolean;
}

const DEFAULT: Order = { column: 'centsPerHour', descending: true };

/** Of an address, such as "pool" or, descending, "-pods". */
export function tableOrder(text: string | null): Order {
  const column = COLUMNS.find((each) => each.column === text?.replace(/^-/, ''))?.column;
  return column === undefined ? DEFAULT : { column, descending: text?.startsWith('-') === true };
}

/** For an address; undefined is the order without one. */
export function orderText({ column, descending }: Order): string | undefined {
  return column === DEFAULT.column && descending === DEFAULT.descending
    ? undefined
    : `${descending ? '-' : ''}${column}`;
}

/** Numbers start descending, text ascending. */
export function turned(order: Order, column: ColumnName): Order {
  if (order.column === column) return { column, descending: !order.descending };
  return { column, descending: COLUMNS.find((each) => each.column === column)?.isNumber ?? false };
}

/** Nodes that contain all typed words, in the selected order. */
export function wanted(nodes: readonly NodeFacts[], find: string, { column, descending }: Order): readonly NodeFacts[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const sign = descending ? -1 : 1;
  return nodes
    .filter((node) => words.length === 0 || words.every((word) => textOf(node).includes(word)))
    .sort((a, b) => sign * compare(cellOf(a, column), cellOf(b, column)) || compare(a.name, b.name));
}

function textOf({ name, pool, type, zone, capacityType, decision, reason, mark }: NodeFacts): string {
  return [name, pool, type, zone, capacityType, decisionWords(decision), reason, mark].join(' ').toLowerCase();
}

function cellOf(node: NodeFacts, column: ColumnName): string | number {
  if (column === 'decision') return DECISIONS.findIndex(({ decision }) => decision === node.decision);
  return node[column] ?? -1;
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
