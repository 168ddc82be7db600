import type { DisruptionBlock } from '../config/disruption-block.ts';
import type { Problem } from '../config/problem.ts';
import type { Switches } from '../config/switch-values.ts';
import { readSwitches } from '../config/switches.ts';

/** Who consolidates in a run: nobody, Karpenter itself, or our controller. */
export type PolicyController = 'none' | 'stock' | 'decant';

/**
 * Much less than a plan is given: in a simulation a pass is followed by another within seconds, and what more work finds is
 * within what seeds differ by (docs/simulation.md).
 */
export const SIMULATED_WORK = 2000;

/** What is compared. Plain JSON, because it goes to other threads and, in files, to other machines. */
export interface NamedPolicy {
  readonly name: string;
  readonly controller: PolicyController;
  /** Of our controller. */
  readonly search: 'merged' | 'karpenter';
  /** Pods placed in trials of one search, at most; otherwise `SIMULATED_WORK`. */
  readonly work?: number;
  /** Laid over the disruption block of every NodePool of the workload, as `kubectl patch --type merge` would. */
  readonly disruption: DisruptionBlock;
  /** Of our controller, by flag without its dashes, as written. */
  readonly switches: Readonly<Record<string, string>>;
}

/** The environment does not count: the same comparison gives the same figures everywhere. */
export function policySwitches(
  switches: NamedPolicy['switches'],
): { readonly switches: Switches } | { readonly problems: readonly Problem[] } {
  return readSwitches({ flags: new Map(Object.entries(switches)), env: {} });
}
