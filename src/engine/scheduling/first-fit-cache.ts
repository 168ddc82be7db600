import type { RequestId } from '../cluster/request-table.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import type { PodStage } from './pod-shapes.ts';

/** Nobody has asked this in the run yet. */
const UNKNOWN = -2;

/** A number for "where is room for so much on such nodes?" */
export function fitKeyOf(
  { nodeClasses }: CompiledCluster,
  request: RequestId,
  { nodeClass }: PodStage,
  mayUseShielded: boolean,
): number {
  return (request * nodeClasses + nodeClass) * 2 + Number(mayUseShielded);
}

/**
 * Answers to "where is room for so much on such nodes?" that a simulation need not look for again: a question is a request
 * and a class of nodes, of a pod that asks for nothing but room. Room only gets scarcer until something is taken back.
 */
export class FirstFitCache {
  /** What no node has room for, until something is taken back for good; a search asks this many thousand times. */
  private readonly nowhere = new Set<number>();
  /** Where pods of this run went: for the next of them no node before that one comes into question. */
  private readonly found = new Map<number, number>();
  /** Nothing was placed in this run and nothing is missing that others may use: what finds no place now, never does. */
  private untouched = false;
  /** Times that room has come back. */
  cleared = 0;

  /** `untouched`: nothing is missing in the run that is there otherwise. */
  begin(untouched: boolean): void {
    this.found.clear();
    this.untouched = untouched;
  }

  /** Something was placed. */
  touch(): void {
    this.untouched = false;
  }

  /** Room has come back that was gone when runs began. */
  clear(): void {
    this.cleared++;
    this.nowhere.clear();
  }

  /** The first row that may have room, -1 if none has. */
  recall(key: number): number {
    return this.nowhere.has(key) ? -1 : (this.found.get(key) ?? UNKNOWN);
  }

  learn(key: number, row: number): void {
    this.found.set(key, row);
    if (row < 0 && this.untouched) this.nowhere.add(key);
  }
}
