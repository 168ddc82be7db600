/** The ConsolidationPolicy that selects a NodePool, whose block applies instead of the pool's own. */
export interface PolicyRef {
  readonly policy: string;
  /** Index of its open window. */
  readonly window?: number;
}
