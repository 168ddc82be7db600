import type { ClusterObjects, PodObject, WorkloadObject } from '../engine/cluster/objects.ts';
import { isActive } from '../engine/cluster/pods.ts';
import type { Candidate } from '../engine/disruption/candidates.ts';
import { isRollout, rolloutOf, rolloutsOn } from '../engine/disruption/rollouts.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import type { Action } from './cluster-port.ts';
import type { Command, CommandRollout } from './command.ts';

/** The pods of these nodes that are rolled, as the journal has them. */
export function rolloutsFor(cluster: CompiledCluster, candidates: readonly Candidate[]): readonly CommandRollout[] {
  return candidates.flatMap((c) =>
    rolloutsOn(cluster, c.row, c.policy).map(({ deployment, by, pod }) => ({
      namespace: deployment.namespace,
      deployment: deployment.name,
      deploymentUid: deployment.uid,
      pod: cluster.pods[pod].name,
      podUid: cluster.pods[pod].uid,
      by,
    })),
  );
}

/** The lowest: the ReplicaSet removes this pod when it has one too many. */
const FIRST_TO_GO = -(2 ** 31);

/**
 * One command's rollouts in a cluster. Each continues from the state of the cluster, also after a restart:
 * the Deployment has the command's id from the write that begins a rollout to the one that ends it.
 */
export class Rolling {
  private readonly command: Command;
  private readonly objects: Pick<ClusterObjects, 'pods' | 'workloads'> & Parameters<typeof rolloutOf>[0];

  constructor(command: Command, objects: ClusterObjects) {
    this.command = command;
    this.objects = objects;
  }

  /** Every pod has left its node, and its Deployment is complete without it. */
  get isOver(): boolean {
    return (this.command.rollouts ?? []).every((r) => {
      const deployment = this.deploymentOf(r);
      if (this.podOf(r) !== undefined) return false;
      return deployment === undefined || (deployment.rollout?.isSettled === true && !this.hasExtra(deployment));
    });
  }

  /** A pod can no longer be rolled as planned, and that has not begun. */
  get isImpossible(): boolean {
    return (this.command.rollouts ?? []).some((r) => {
      const pod = this.podOf(r);
      if (pod === undefined || this.hasBegun(r)) return false;
      const found = rolloutOf(this.objects, pod);
      return !isRollout(found) || found.by !== r.by;
    });
  }

  /** A rollout that began has not settled, one way or the other. */
  get isUnsettled(): boolean {
    if (this.command.rollingMs === undefined) return false;
    return (this.command.rollouts ?? []).some((r) => {
      const deployment = this.deploymentOf(r);
      return deployment !== undefined && (this.hasExtra(deployment) || deployment.rollout?.isSettled !== true);
    });
  }

  /** The command when its rollouts begin, with what is to be restored if they fail. */
  begun(): Command {
    const rollouts = this.command.rollouts?.map((r) => {
      const before = this.deploymentOf(r)?.rollout?.restartedBy;
      return before === undefined || before === this.command.id ? r : { ...r, restartedBefore: before };
    });
    return { ...this.command, rollingMs: this.objects.nowMs, rollouts };
  }

  /** Begins rollouts, and ends those whose new pod is ready. */
  nextActions(): readonly Action[] {
    const { id } = this.command;
    return (this.command.rollouts ?? []).flatMap((r): Action[] => {
      const pod = this.podOf(r);
      const deployment = this.deploymentOf(r);
      if (deployment === undefined) return [];
      if (pod !== undefined && !this.hasBegun(r))
        return r.by === 'restart'
          ? [{ kind: 'restart-deployment', ...nameOf(deployment), command: id }]
          : [{ kind: 'extra-replica', ...nameOf(deployment), command: id, wanted: true }];
      if (!this.hasExtra(deployment)) return [];
      if (pod === undefined) return [withoutExtra(deployment, id)];
      return deployment.rollout?.isSettled === true ? [cost(pod, FIRST_TO_GO), withoutExtra(deployment, id)] : [];
    });
  }

  /** Restores what was not completed, except extra replicas. */
  undoActions(): readonly Action[] {
    const { id } = this.command;
    return (this.command.rollouts ?? []).flatMap((r): Action[] => {
      const pod = this.podOf(r);
      const deployment = this.deploymentOf(r);
      const actions: Action[] = pod?.steeredCost === FIRST_TO_GO ? [cost(pod, undefined)] : [];
      if (pod !== undefined && deployment?.rollout?.restartedBy === id)
        actions.push({
          kind: 'restart-deployment',
          ...nameOf(deployment),
          command: id,
          undo: { ...(r.restartedBefore === undefined ? {} : { before: r.restartedBefore }) },
        });
      return actions;
    });
  }

  /** The pod to be removed may exist a moment longer than the extra replica. */
  private hasBegun(r: CommandRollout): boolean {
    const { rollout } = this.deploymentOf(r) ?? {};
    if (r.by === 'restart') return rollout?.restartedBy === this.command.id;
    return rollout?.extraReplica === this.command.id || this.podOf(r)?.steeredCost === FIRST_TO_GO;
  }

  private hasExtra({ rollout }: WorkloadObject): boolean {
    return rollout?.extraReplica === this.command.id;
  }

  private deploymentOf({ deploymentUid }: CommandRollout): WorkloadObject | undefined {
    return this.objects.workloads.find((w) => w.uid === deploymentUid);
  }

  /** undefined once it is terminating. */
  private podOf({ podUid }: CommandRollout): PodObject | undefined {
    return this.objects.pods.find((p) => p.uid === podUid && isActive(p));
  }
}

/** Pods except those that commands roll: their deletion costs are not for steering to change. */
export function withoutRolled({ pods }: ClusterObjects, commands: readonly Command[]): readonly PodObject[] {
  const rolled = new Set(commands.filter(isRolling).flatMap((c) => c.rollouts?.map((r) => r.podUid) ?? []));
  return rolled.size === 0 ? pods : pods.filter((p) => !rolled.has(p.uid));
}

function isRolling({ phase, reason }: Command): boolean {
  return phase === 'launching' && reason === undefined;
}

/** Removes extra replicas, unless a command needs them: it was abandoned, its nodes are gone, or it was deleted. */
export function extrasLeft({ workloads }: ClusterObjects, commands: readonly Command[]): readonly Action[] {
  const rolling = commands.filter(isRolling).map((c) => c.id);
  return workloads.flatMap((w) => {
    const { extraReplica } = w.rollout ?? {};
    return extraReplica === undefined || rolling.includes(extraReplica) ? [] : [withoutExtra(w, extraReplica)];
  });
}

function withoutExtra(deployment: WorkloadObject, command: string): Action {
  return { kind: 'extra-replica', ...nameOf(deployment), command, wanted: false };
}

function cost({ namespace, name, uid }: PodObject, value: number | undefined): Action {
  return { kind: 'steer-pod', namespace, name, uid, cost: value };
}

function nameOf({ namespace, name, uid }: WorkloadObject) {
  return { namespace, name, uid };
}
