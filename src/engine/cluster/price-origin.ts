/** Where a price comes from; without one, from the catalog that the operator named. */
export type PriceSource = 'karpenter' | 'bundled' | 'overlay' | 'assumed';

/** Where the prices of a catalog come from, and how far they can be relied on. */
export interface PriceOrigin {
  /** `karpenter`, `bundled aws/eu-west-1 2026-08-22`, `catalog types.yaml`. */
  readonly name: string;
  /** When they were valid. */
  readonly atMs?: number;
  /** What makes them doubtful, in words. */
  readonly warnings?: readonly string[];
  /** What Karpenter thinks that the nodes of each NodePool cost, in dollars per hour, where it says so. */
  readonly dollarsByPool?: Readonly<Record<string, number>>;
}
