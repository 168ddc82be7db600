import type { ControllerSettings } from '../config/controller-settings.ts';
import type { DisruptionBlock } from '../config/disruption-block.ts';
import type { Problem } from '../config/problem.ts';
import { readSettings } from '../config/read-settings.ts';

/** Who consolidates in a run. */
export type PolicyController = 'none' | 'stock' | 'decant';

/**
 * Less than for a plan: simulated passes follow each other within seconds, and a larger budget changes results by less
 * than seeds do (bench/README.md).
 */
export const SIMULATED_WORK = 2000;

/** A policy to compare. Plain JSON, because it is sent to threads and written to files. */
export interface NamedPolicy {
  readonly name: string;
  readonly controller: PolicyController;
  /** Search of Decant's controller. */
  readonly search: 'merged' | 'karpenter';
  /** Work budget of one search; default `SIMULATED_WORK`. */
  readonly work?: number;
  /** Merge patch of the disruption block of every NodePool of the workload. */
  readonly disruption: DisruptionBlock;
  /** Settings of Decant's controller, by flag without dashes. */
  readonly switches: Readonly<Record<string, string>>;
  /** Only of hindsight: the most that a run may cost, against stock's. It has no configuration to paste. */
  readonly maxCost?: number;
}

/** Ignores the environment, so that comparisons are reproducible. */
export function policySettings(
  switches: NamedPolicy['switches'],
): { readonly settings: ControllerSettings } | { readonly problems: readonly Problem[] } {
  return readSettings({ flags: new Map(Object.entries(switches)), env: {} });
}
