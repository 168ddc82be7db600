import type { PlannedOrder } from '../engine/pass/planned-order.ts';
import type { ClaimRequirements } from './launch.ts';

/**
 * A move that is being executed, as the journal keeps it. The journal lives in the cluster and is all that survives
 * a crash: every step is written down before it is taken, and taking it twice does no harm.
 *
 *   waiting ──► launching (new nodes, then rollouts) ──► draining ──► done
 *      │            │            │
 *      └────────────┴────────────┴──► abandoned (from draining only if nothing was deleted yet)
 *
 * A command that is open and has a `reason` is being undone: it is abandoned once no taint of it and no node that
 * nobody needs is left.
 */
export interface Command {
  /** Unique and sortable by time; replacements are named after it. */
  readonly id: string;
  readonly phase: 'waiting' | 'launching' | 'draining' | 'done' | 'abandoned';
  readonly decidedMs: number;
  /** When it entered its phase. */
  readonly phaseMs: number;
  /** When all its replacements had been asked for: one that is not there after that has failed. */
  readonly launchedMs?: number;
  /** When deletion of its nodes began. */
  readonly drainingMs?: number;
  readonly nodes: readonly CommandNode[];
  readonly replacements: readonly CommandReplacement[];
  /** Pods that it evicts, by workload as `workloadNames` names them; counted again when its nodes go. */
  readonly workloads: Readonly<Record<string, number>>;
  readonly predicted: Figures;
  /** From draining on: what the same nodes and replacements came to. */
  readonly realised?: Figures;
  /** Planned destination of each pod, by UID: a node, or `new-1` … for a replacement. Bounded: some pods may be missing. */
  readonly placements?: Readonly<Record<string, string>>;
  /** Pods that are rolled before its nodes are deleted, not evicted. */
  readonly rollouts?: readonly CommandRollout[];
  /** When the rollouts began. */
  readonly rollingMs?: number;
  /** What the plan that it is of does after its first wave. */
  readonly next?: PlannedOrder;
  /** Why it was abandoned: the code of a refusal, or what happened. */
  readonly reason?: string;
  /** What validation found missing; the command does not start again before this has changed. */
  readonly blockedBy?: BlockingFact;
}

/** A pod (namespace/name) that does not fit, the node that lacks least for it, and what it lacks. */
export interface BlockingFact {
  readonly pod: string;
  readonly node: string;
  /** undefined: the node has no such label. */
  readonly instanceType?: string;
  readonly resource: string;
  /** Amount of the resource that pods which move could have of that node when the move was refused. */
  readonly free: number;
}

export interface CommandNode {
  readonly node: string;
  readonly nodeClaim: string;
  readonly nodePool: string;
  readonly centsPerHour: number;
  /** Pods that had to move when it was decided; if there are more, one has landed since. */
  readonly pods: number;
}

export interface CommandReplacement {
  /** The NodeClaim's name, fixed when the command is decided, so that a second attempt finds the first. */
  readonly nodeClaim: string;
  readonly nodePool: string;
  readonly requirements: ClaimRequirements;
  /** Summed requests of the pods and DaemonSets meant for it, by resource. */
  readonly requests: Readonly<Record<string, number>>;
  readonly centsPerHour: number;
}

/** A pod that its Deployment replaces. */
export interface CommandRollout {
  readonly namespace: string;
  readonly deployment: string;
  readonly deploymentUid: string;
  readonly pod: string;
  readonly podUid: string;
  readonly by: 'restart' | 'extra-replica';
  /** The annotation decant.sh/restarted-by before a restart, to be restored if that fails. */
  readonly restartedBefore?: string;
}

export interface Figures {
  readonly savingsCentsPerHour: number;
  readonly requiredCentsPerHour: number;
  readonly disruptionCost: number;
  readonly evictions: number;
}

export function commandKindOf({ replacements }: Pick<Command, 'replacements'>): 'delete' | 'replace' {
  return replacements.length === 0 ? 'delete' : 'replace';
}

/** Its pods are being evicted or rolled: they need a place on other nodes now. */
export function isMovingPods({ phase, rollingMs }: Command): boolean {
  return phase === 'draining' || (phase === 'launching' && rollingMs !== undefined);
}

export function isOpen({ phase }: Command): boolean {
  return phase !== 'done' && phase !== 'abandoned';
}
