/** How workloads scale, run and roll out. */

export interface JobProgress {
  /** undefined: the parallelism. */
  readonly completions?: number;
  readonly succeeded: number;
  /** From start to completion; undefined unless completed. */
  readonly runMs?: number;
}

export interface CronJobSchedule {
  readonly cron: string;
  readonly timeZone?: string;
  readonly suspended: boolean;
  /** Of each Job; undefined: the parallelism. */
  readonly completions?: number;
}

/** A HorizontalPodAutoscaler. */
export interface AutoscalerObject {
  readonly namespace: string;
  readonly name: string;
  readonly targetKind: string;
  readonly targetName: string;
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

/** How a Deployment replaces its pods. */
export interface DeploymentRollout {
  /** Of a rolling update, rounded as the Deployment controller does; undefined with strategy Recreate. */
  readonly rolling?: { readonly maxSurge: number; readonly maxUnavailable: number };
  readonly paused: boolean;
  /** The controller has seen its spec, and all its pods are available and of its current template. */
  readonly isSettled: boolean;
  /** `decant.sh/move`, as written. */
  readonly move?: string;
  /** Something else that applies its manifest: Argo CD, Flux, Helm, or its owner. */
  readonly managedBy?: string;
  /** `decant.sh/restarted-by` of its pod template. */
  readonly restartedBy?: string;
  /** `decant.sh/extra-replica`: the command that added a replica. */
  readonly extraReplica?: string;
}
