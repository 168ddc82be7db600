import { amountOf, type Resources } from '../engine/cluster/objects.ts';
import { PODS } from '../engine/cluster/request-table.ts';
import type { App } from './scenario.ts';

/** Numbers resources, so that amounts are arrays instead of maps; the first three as in the engine's RequestTable. */
export class ResourceColumns {
  private readonly names: readonly string[];
  private readonly distinct = new Map<string, Float64Array>();

  constructor(apps: readonly App[]) {
    this.names = [...new Set(['cpu', 'memory', 'pods', ...apps.flatMap((app) => Object.keys(app.requests))])];
  }

  get count(): number {
    return this.names.length;
  }

  amounts(resources: Resources): Float64Array {
    return Float64Array.from(this.names, (name) => amountOf(resources, name) ?? 0);
  }

  /** Requests of one pod, with 1 of `pods`. Equal requests are the same array. */
  requests(resources: Resources): Float64Array {
    const amounts = this.amounts(resources);
    amounts[PODS] = 1;
    const known = this.distinct.get(amounts.join());
    if (known !== undefined) return known;
    this.distinct.set(amounts.join(), amounts);
    return amounts;
  }
}

export function fits(wanted: Float64Array, free: Float64Array): boolean {
  for (let i = 0; i < wanted.length; i++) if (wanted[i] > free[i]) return false;
  return true;
}

/** Adds `amounts` `times` times; negative values subtract. */
export function addTimes(target: Float64Array, amounts: Float64Array, times: number): void {
  for (let i = 0; i < target.length; i++) target[i] += times * amounts[i];
}
