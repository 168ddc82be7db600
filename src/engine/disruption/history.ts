/** Recent disruptions of the cluster, kept by the controller; plans from files have none. */
export interface History {
  /** When a node was last removed, if known. */
  readonly lastRemovalMs?: number;
  /** When the last command of each pool began, by the pool's name. */
  readonly lastCommandMs: ReadonlyMap<string, number>;
  /** Evictions, at least those within the brake's window, in any order; workloads named by `workloadOf`. */
  readonly evictions: readonly Eviction[];
}

export interface Eviction {
  readonly workload: string;
  readonly atMs: number;
}
