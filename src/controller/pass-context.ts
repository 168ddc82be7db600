import type { ClusterObjects } from '../engine/cluster/objects.ts';
import type { IncrementalCluster } from '../engine/pass/incremental-cluster.ts';
import type { Rules } from '../engine/settings.ts';
import type { RequestPeaks } from './request-peaks.ts';

/** What a decision about commands is made by: the cluster as those decisions read it, and the rules. */
export interface PassContext {
  readonly objects: ClusterObjects;
  readonly rules: Rules;
  /** The cluster of the passes. */
  readonly incremental: IncrementalCluster;
  /** undefined in compatibility. */
  readonly peaks?: RequestPeaks;
  mayAct(nodePool: string): boolean;
}
