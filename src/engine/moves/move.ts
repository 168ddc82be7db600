import type { Candidate } from '../disruption/candidates.ts';
import type { MoveRefusal } from '../refusal.ts';
import type { Replacement } from './replacement.ts';

export interface Placement {
  readonly pod: number;
  /** Row of an existing node; -1, -2 … for the replacements in order. */
  readonly row: number;
  /** The replacement belongs to an earlier move of the plan: the one that removes this row. */
  readonly launchedFor?: number;
}

export interface Move {
  readonly kind: 'delete' | 'replace';
  readonly candidates: readonly Candidate[];
  readonly replacements: readonly Replacement[];
  readonly placements: readonly Placement[];
  /** Dollars per hour of the nodes less the expected price of the replacements. */
  readonly savings: number;
  /** What the savings threshold counts of it, if that is less (destinationLifetime). */
  readonly discountedSavings?: number;
}

/** The move for a set of nodes, or why there is none. */
export type Consolidation = { readonly move: Move } | { readonly refusal: MoveRefusal };
