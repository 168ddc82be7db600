import { addBit, type Bitset, bitset, hasBit } from '../cluster/bitset.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
import { isSameList } from '../cluster/same-list.ts';
import { isSameMachine, type StateNode } from '../cluster/state-nodes.ts';
import type { CompiledCluster } from './compiled-cluster.ts';

/**
 * What a compilation may take over from the last cluster: machines and pods that are the same objects. Numbers are those of
 * this cluster unless they are called earlier ones.
 */
export interface CarryOver {
  readonly last: CompiledCluster;
  /** By row: its earlier number, -1 for a machine that is new or changed. */
  readonly rowBefore: Int32Array;
  /** By earlier row: its number now, -1 for a machine that is gone or changed. */
  readonly rowNow: Int32Array;
  /** All earlier rows have kept their number; new ones may have come after them. */
  readonly keepsRows: boolean;
  /** No row is new either. */
  readonly hasSameRows: boolean;
  /** By pod: its earlier number, -1 for a new one. Pods are in the same order as before. */
  readonly podBefore: Int32Array;
  /** By earlier pod: its number now, -1 for one that is gone. */
  readonly podNow: Int32Array;
  /** All pods that are left have kept their number. */
  readonly keepsPods: boolean;
}

export function carryOver(
  last: CompiledCluster,
  objects: Pick<ClusterObjects, 'csiNodes'>,
  rows: readonly StateNode[],
  podBefore: Int32Array,
): CarryOver {
  const rowNow = rowsNow(last, { rows, objects });
  const rowBefore = new Int32Array(rows.length).fill(-1);
  for (let row = 0; row < rowNow.length; row++) if (rowNow[row] >= 0) rowBefore[rowNow[row]] = row;
  const podNow = new Int32Array(last.pods.length).fill(-1);
  let keepsPods = true;
  for (let pod = 0; pod < podBefore.length; pod++) {
    const before = podBefore[pod];
    if (before < 0) continue;
    podNow[before] = pod;
    if (before !== pod) keepsPods = false;
  }
  const keepsRows = rowNow.every((now, row) => now === row);
  return {
    last,
    rowBefore,
    rowNow,
    keepsRows,
    hasSameRows: keepsRows && rows.length === rowNow.length,
    podBefore,
    podNow,
    keepsPods,
  };
}

/** By earlier row: the row of the same machine, -1 if it is gone or changed. */
export function rowsNow(
  before: Pick<CompiledCluster, 'rows' | 'objects'>,
  now: { readonly rows: readonly StateNode[]; readonly objects: Pick<ClusterObjects, 'csiNodes'> },
): Int32Array {
  const out = new Int32Array(before.rows.length).fill(-1);
  const hasSameCsiNode = csiNodeCheck(before.objects, now.objects);
  const rowOf = rowIn(now.rows);
  for (let row = 0; row < out.length; row++) {
    const { name } = before.rows[row];
    const there = rowOf(name, row);
    if (there !== undefined && isSameMachine(before.rows[row], now.rows[there]) && hasSameCsiNode(name))
      out[row] = there;
  }
  return out;
}

/** Finds rows by the names of their nodes; `near`: where it probably is. */
export function rowIn(rows: readonly StateNode[]): (name: string, near: number) => number | undefined {
  let byName: ReadonlyMap<string, number> | undefined;
  return (name, near) => {
    if (rows[near]?.name === name) return near;
    byName ??= new Map(rows.map((node, row) => [node.name, row]));
    return byName.get(name);
  };
}

/** Whether a node's CSINode, which has its name and limits its volumes, is the same object. */
function csiNodeCheck(
  { csiNodes: before }: Pick<ClusterObjects, 'csiNodes'>,
  { csiNodes: now }: Pick<ClusterObjects, 'csiNodes'>,
): (node: string) => boolean {
  if (isSameList(before, now)) return () => true;
  const [was, is] = [before, now].map((list) => new Map(list.map((csiNode) => [csiNode.name, csiNode])));
  return (node) => was.get(node) === is.get(node);
}

/** The rows of an earlier set by their numbers now, and new rows that belong to it. */
export function rowsOf(
  earlier: Bitset,
  { rowBefore, keepsRows }: CarryOver,
  belongs: (row: number) => boolean,
): Bitset {
  const out = bitset(rowBefore.length);
  if (keepsRows) out.set(earlier);
  for (let row = 0; row < rowBefore.length; row++) {
    const before = rowBefore[row];
    if (before < 0 ? belongs(row) : !keepsRows && hasBit(earlier, before)) addBit(out, row);
  }
  return out;
}

/** Earlier pods that are all still there, by their numbers now. */
export function podsOf(earlier: readonly number[], { podNow, keepsPods }: CarryOver): readonly number[] {
  return keepsPods ? earlier : earlier.map((pod) => podNow[pod]);
}
