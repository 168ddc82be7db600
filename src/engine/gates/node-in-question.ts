import type { NodePoolObject } from '../cluster/objects.ts';
import type { PoolPolicy } from '../disruption/pool-policy.ts';
import type { NodeRefusal } from '../refusal.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Settings } from '../settings.ts';

/** The input of the gates for one node. */
export interface NodeInQuestion {
  readonly cluster: CompiledCluster;
  readonly row: number;
  readonly settings: Settings;
  /** undefined if the node has no known NodePool. */
  readonly pool?: NodePoolObject;
  readonly policy?: PoolPolicy;
  /** End of its grace period, if it is in one. */
  readonly protectedUntilMs?: number;
}

/** Passes with an empty list; otherwise returns the reasons. */
export type NodeGate = (q: NodeInQuestion) => readonly NodeRefusal[];

export const PASS: readonly NodeRefusal[] = [];
