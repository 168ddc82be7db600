/** What was done to the cluster lately. Whoever carries commands out keeps it; a plan from files has none. */
export interface History {
  /** When a node was last removed; undefined: not within memory. */
  readonly lastRemovalMs?: number;
  /** When the last command of each pool began, by the pool's name. */
  readonly lastCommandMs: ReadonlyMap<string, number>;
  /** Evictions, at least those within the window of the brake, in any order; workloads as `workloadOf` names them. */
  readonly evictions: readonly Eviction[];
}

export interface Eviction {
  readonly workload: string;
  readonly atMs: number;
}
