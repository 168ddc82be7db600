import type { ClusterObjects } from '../engine/cluster/objects.ts';
import type { IncrementalCluster } from '../engine/pass/incremental-cluster.ts';
import type { Rules } from '../engine/settings.ts';

/** What a decision about commands is made by: the cluster as those decisions read it, and the rules. */
export interface PassContext {
  readonly objects: ClusterObjects;
  readonly rules: Rules;
  /** The cluster of the passes. */
  readonly incremental: IncrementalCluster;
  mayAct(nodePool: string): boolean;
}
