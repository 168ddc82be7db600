import type { BlockersDocument } from '../report/blockers-document.ts';
import type { CostDocument } from '../report/cost-document.ts';

/** GET /api/cost?by=namespace|workload|pool|node|label:KEY */
export interface CostAnswer {
  readonly version: number;
  readonly document: CostDocument;
  /** Keys of pod labels that costs can be grouped by. */
  readonly labels: readonly string[];
}

/**
 * GET /api/blockers?owner=KEY: takes two plans per blocker, so it is requested on demand, repeatedly until it has a
 * document. `fresh=true` prices the current cluster instead of the last priced one.
 */
export interface BlockersAnswer {
  readonly version: number;
  /** Time of the priced picture. */
  readonly nowMs: number;
  readonly progress?: { readonly done: number; readonly plans: number; readonly share: number };
  readonly document?: BlockersDocument;
  /** Keys of pod labels that may name owners. */
  readonly labels?: readonly string[];
}
