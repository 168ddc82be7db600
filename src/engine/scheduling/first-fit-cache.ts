import type { RequestId } from '../cluster/request-table.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import type { PodStage } from './pod-shapes.ts';

/** Not asked yet in this run. */
const UNKNOWN = -2;

/** A key for a request and a class of nodes. */
export function fitKeyOf(
  { nodeClasses }: CompiledCluster,
  request: RequestId,
  { nodeClass }: PodStage,
  mayUseShielded: boolean,
): number {
  return (request * nodeClasses + nodeClass) * 2 + Number(mayUseShielded);
}

/**
 * The first node with capacity for a request on a class of nodes, for pods that only need resources. Valid because
 * capacity only shrinks until something is undone.
 */
export class FirstFitCache {
  /**
   * Keys for which no node has capacity, until something is undone permanently; a search repeats these thousands of
   * times.
   */
  private readonly nowhere = new Set<number>();
  /** Where pods of this run went: the next one need not try earlier nodes. */
  private readonly found = new Map<number, number>();
  /** Nothing was placed in this run, and no node that others may use is missing: a key that fails now always does. */
  private untouched = false;

  /** `untouched`: the run lacks no node that is usually there. */
  begin(untouched: boolean): void {
    this.found.clear();
    this.untouched = untouched;
  }

  touch(): void {
    this.untouched = false;
  }

  /** Capacity was returned that was missing when runs began. */
  clear(): void {
    this.nowhere.clear();
  }

  /** The first row that may have capacity, -1 if none has. */
  recall(key: number): number {
    return this.nowhere.has(key) ? -1 : (this.found.get(key) ?? UNKNOWN);
  }

  learn(key: number, row: number): void {
    this.found.set(key, row);
    if (row < 0 && this.untouched) this.nowhere.add(key);
  }
}
