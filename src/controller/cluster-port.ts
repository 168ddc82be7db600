import type { PolicyObject } from '../config/policy-object.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import type { Command, CommandReplacement } from './command.ts';

/** A cluster as the controller sees it, as one immutable value; the time is in `objects.nowMs`. */
export interface ClusterView {
  readonly objects: ClusterObjects;
  /** The journal, oldest first. */
  readonly commands: readonly Command[];
  /** ConsolidationPolicies; a cluster that has none goes by its NodePools' own blocks. */
  readonly policies?: readonly PolicyObject[];
}

/** What the controller does to a cluster. Every action may be repeated without harm. */
export type Action =
  /** Writes the command into the journal, over what was there of the same id. */
  | { readonly kind: 'save-command'; readonly command: Command }
  /** Takes a command that is over out of the journal, which may not grow for ever. */
  | { readonly kind: 'forget-command'; readonly command: string }
  /** karpenter.sh/disrupted:NoSchedule: nothing new lands on the node. */
  | { readonly kind: 'taint'; readonly node: string }
  | { readonly kind: 'untaint'; readonly node: string }
  /** decant.sh/leaving:PreferNoSchedule: kube-scheduler prefers other nodes. */
  | { readonly kind: 'steer-node'; readonly node: string; readonly steered: boolean }
  /** The pod's deletion cost, marked as ours; undefined removes it. A cost that somebody else set stays. */
  | {
      readonly kind: 'steer-pod';
      readonly namespace: string;
      readonly name: string;
      readonly uid: string;
      readonly cost: number | undefined;
    }
  | { readonly kind: 'create-node-claim'; readonly command: string; readonly replacement: CommandReplacement }
  | { readonly kind: 'delete-node-claim'; readonly command: string; readonly nodeClaim: string };

/** The action was not executed and never will be as it is, such as a command that is too large to be stored. */
export class RejectedAction extends Error {
  override readonly name = 'RejectedAction';
}

/**
 * The cluster, behind which there is an API server (src/kube) or a simulated one (src/simulator). The controller knows
 * nothing of either: the same code runs on both.
 */
export interface ClusterPort {
  /**
   * As of now; undefined while not everything is known, when nobody may act. A view has everything that an action did
   * which was carried out before: a cache that lags behind its own writes says undefined until it has caught up.
   */
  view(): ClusterView | undefined;
  /** Executes the action, or throws; then the controller reads the cluster again first, unless it was a RejectedAction. */
  act(action: Action): Promise<void>;
}
