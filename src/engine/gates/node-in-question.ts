import type { NodePoolObject } from '../cluster/objects.ts';
import type { PoolPolicy } from '../disruption/pool-policy.ts';
import type { NodeRefusal } from '../refusal.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Settings } from '../settings.ts';

/** One node in front of the gates. */
export interface NodeInQuestion {
  readonly cluster: CompiledCluster;
  readonly row: number;
  readonly settings: Settings;
  /** undefined: the node has no NodePool that we know. */
  readonly pool?: NodePoolObject;
  readonly policy?: PoolPolicy;
  /** Its grace period runs until then; undefined: it is not protected. */
  readonly protectedUntilMs?: number;
}

/** Passes with an empty list; otherwise says why not, in numbers. */
export type NodeGate = (q: NodeInQuestion) => readonly NodeRefusal[];

export const PASS: readonly NodeRefusal[] = [];
