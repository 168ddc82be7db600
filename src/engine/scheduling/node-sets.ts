import { addBit, type Bitset, bitset } from '../cluster/bitset.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import { labelOf } from '../cluster/objects.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import { HOSTNAME } from '../cluster/well-known.ts';
import type { RequirementSpace } from '../selection/requirement-space.ts';
import { fromLabels, type Requirements } from '../selection/requirements.ts';
import { toleratesAll } from '../selection/taints.ts';
import { type CarryOver, rowsOf } from './carry-over.ts';
import { labelsSatisfy } from './node-filter.ts';
import type { NodeClass } from './pod-shapes.ts';

/** Rows that nothing in question tells apart, and the first one of each kind. */
interface RowKinds {
  readonly ofRow: Int32Array;
  readonly example: readonly number[];
}

/** Rows of one kind have the same taints and the same values of these labels. */
export function kindsOfRows(
  rows: readonly StateNode[],
  keys: Iterable<string>,
  read: (node: StateNode) => Pick<StateNode, 'selectable' | 'taints'>,
): RowKinds {
  const list = [...keys];
  const ofRow = new Int32Array(rows.length);
  const example: number[] = [];
  const byText = new Map<string, number>();
  const taintTexts = new Map<StateNode['taints'], string>();
  for (let row = 0; row < rows.length; row++) {
    const { selectable, taints } = read(rows[row]);
    const taintText = getOrInsert(taintTexts, taints, () => (taints.length === 0 ? '' : JSON.stringify(taints)));
    let text = rows[row].tracked ? taintText : `untracked${taintText}`;
    for (const key of list) text += `\u0001${labelOf(selectable, key) ?? '\u0002'}`;
    ofRow[row] = getOrInsert(byText, text, () => example.push(row) - 1);
  }
  return { ofRow, example };
}

/**
 * Which existing nodes a class of pods may run on by labels, taints and volumes; computed on first use. Nodes with the
 * same taints and the same values of all labels that pods mention are tested once.
 */
export class NodeSets {
  private readonly rows: readonly StateNode[];
  private readonly space: RequirementSpace;
  private readonly classes: readonly NodeClass[];
  private readonly sets: Bitset[] = [];
  private kinds: (RowKinds & { readonly classes: number }) | undefined;

  /** `carried`: from an earlier cluster with the same classes. */
  constructor(rows: readonly StateNode[], space: RequirementSpace, classes: readonly NodeClass[], carried?: CarryOver) {
    this.rows = rows;
    this.space = space;
    this.classes = classes;
    for (const [nodeClass, set] of carried?.last.nodeSets.sets.entries() ?? [])
      if (carried !== undefined && set !== undefined)
        this.sets[nodeClass] = rowsOf(set, carried, (row) => this.admits(classes[nodeClass], rows[row]));
  }

  nodesFor(nodeClass: number): Bitset {
    this.sets[nodeClass] ??= this.compute(this.classes[nodeClass]);
    return this.sets[nodeClass];
  }

  private compute(c: NodeClass): Bitset {
    const set = bitset(this.rows.length);
    const mentionsHost = [c.requirements, ...c.volumes].some((id) => this.space.get(id).has(HOSTNAME));
    if (mentionsHost) {
      for (let row = 0; row < this.rows.length; row++) if (this.admits(c, this.rows[row])) addBit(set, row);
      return set;
    }
    // Classes that came since may tell more rows apart.
    if (this.kinds?.classes !== this.classes.length) this.kinds = this.groupRows();
    const { ofRow, example } = this.kinds;
    const passes = example.map((row) => this.admits(c, this.rows[row]));
    for (let row = 0; row < ofRow.length; row++) if (passes[ofRow[row]]) addBit(set, row);
    return set;
  }

  private admits(c: NodeClass, node: StateNode): boolean {
    if (!node.tracked || !toleratesAll(node.taints, c.tolerations)) return false;
    if (!labelsSatisfy(node.selectable, this.space.get(c.requirements))) return false;
    return c.volumes.length === 0 || c.volumes.some((id) => labelsSatisfy(node.selectable, this.space.get(id)));
  }

  private groupRows(): RowKinds & { readonly classes: number } {
    const keys = new Set<string>();
    for (const c of this.classes)
      for (const id of [c.requirements, ...c.volumes]) for (const key of this.space.get(id).keys()) keys.add(key);
    keys.delete(HOSTNAME);
    return { ...kindsOfRows(this.rows, keys, (node) => node), classes: this.classes.length };
  }

  tolerated(row: number, c: NodeClass): boolean {
    return toleratesAll(this.rows[row].taints, c.tolerations);
  }

  /** The node's labels as requirements; a label with two different values exists, but satisfies nothing. */
  labelsOf(row: number): Requirements {
    const { labels, hostname } = this.rows[row];
    return fromLabels({ ...labels, [HOSTNAME]: hostname });
  }
}
