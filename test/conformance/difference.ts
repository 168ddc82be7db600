/** One point on which we and Karpenter disagree. */
export interface Difference {
  /** A node's name, "method empty|multi|single", "budget <reason>" or "totals <NodePool>". */
  readonly where: string;
  readonly field: string;
  readonly theirs: unknown;
  readonly ours: unknown;
  /** Karpenter breaks a tie at random here, so that ours may be one of its answers that no run showed. */
  readonly tie: boolean;
}

/** Ours is an answer that Karpenter could give, though no recorded run did. It counts as agreement. */
export const UNSEEN_TIE = 'unseen tie';

export function isAgreement(d: Difference): boolean {
  return d.field === UNSEEN_TIE;
}
