import type { ClusterObjects } from '../engine/cluster/objects.ts';
import type { IncrementalCluster } from '../engine/pass/incremental-cluster.ts';
import type { Rules } from '../engine/settings.ts';

/** The input of decisions about commands: the cluster as they see it, and the rules. */
export interface PassContext {
  readonly objects: ClusterObjects;
  readonly rules: Rules;
  readonly incremental: IncrementalCluster;
  mayAct(nodePool: string): boolean;
}
