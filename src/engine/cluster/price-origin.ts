/** Origin of a price; without one, the catalog named by the operator. */
export type PriceSource = 'karpenter' | 'bundled' | 'overlay' | 'assumed';

/** Origin of a catalog's prices, and their reliability. */
export interface PriceOrigin {
  /** `karpenter`, `bundled aws/eu-west-1 2026-08-22`, `catalog types.yaml`. */
  readonly name: string;
  /** When they were valid. */
  readonly atMs?: number;
  /** Reasons for doubt, as text. */
  readonly warnings?: readonly string[];
  /** Karpenter's own cost of each NodePool's nodes, in dollars per hour, if it reports it. */
  readonly dollarsByPool?: Readonly<Record<string, number>>;
}
