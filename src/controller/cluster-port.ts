import type { PolicyObject } from '../config/policy-object.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import type { Command, CommandReplacement } from './command.ts';

/** An immutable view of a cluster; the time is in `objects.nowMs`. */
export interface ClusterView {
  readonly objects: ClusterObjects;
  /** The journal, oldest first. */
  readonly commands: readonly Command[];
  /** ConsolidationPolicies; without any, NodePools use their own blocks. */
  readonly policies?: readonly PolicyObject[];
}

/** The controller's writes. All are idempotent. */
export type Action =
  /** Writes the command to the journal, replacing an earlier version. */
  | { readonly kind: 'save-command'; readonly command: Command }
  /** Removes a completed command from the journal, to limit its size. */
  | { readonly kind: 'forget-command'; readonly command: string }
  /** karpenter.sh/disrupted:NoSchedule: no new pods on the node. */
  | { readonly kind: 'taint'; readonly node: string }
  | { readonly kind: 'untaint'; readonly node: string }
  /** decant.sh/leaving:PreferNoSchedule: kube-scheduler prefers other nodes. */
  /** `pods`: how many it has now, DaemonSets' aside. */
  | { readonly kind: 'steer-node'; readonly node: string; readonly steered: boolean; readonly pods: number }
  /** The pod's deletion cost, marked as ours; undefined removes it. A cost that someone else set stays. */
  | {
      readonly kind: 'steer-pod';
      readonly namespace: string;
      readonly name: string;
      readonly uid: string;
      readonly cost: number | undefined;
    }
  /**
   * Sets decant.sh/restarted-by of the Deployment's pod template to the command, which starts a rollout. `undo`: sets it
   * back to what it was, unless it has changed since.
   */
  | {
      readonly kind: 'restart-deployment';
      readonly namespace: string;
      readonly name: string;
      readonly uid: string;
      readonly command: string;
      readonly undo?: { readonly before?: string };
    }
  /** Adds a replica to a Deployment with one, and marks it with the command; or removes both. */
  | {
      readonly kind: 'extra-replica';
      readonly namespace: string;
      readonly name: string;
      readonly uid: string;
      readonly command: string;
      readonly wanted: boolean;
    }
  | { readonly kind: 'create-node-claim'; readonly command: string; readonly replacement: CommandReplacement }
  | { readonly kind: 'delete-node-claim'; readonly command: string; readonly nodeClaim: string };

/** The action was not executed and never will be, such as a command that is too large to store. */
export class RejectedAction extends Error {
  override readonly name = 'RejectedAction';
}

/**
 * The cluster, backed by an API server (src/kube) or a simulation (src/simulator). The same controller code runs on
 * both.
 */
export interface ClusterPort {
  /**
   * The current view; undefined while caches are not synced, and then nothing may act. A view includes the effects of
   * all earlier actions: a cache that lags behind its own writes returns undefined until it has caught up.
   */
  view(): ClusterView | undefined;
  /**
   * Executes the action, or throws; then the controller reads the cluster again first, unless it was a RejectedAction.
   */
  act(action: Action): Promise<void>;
}
