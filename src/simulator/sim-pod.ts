import type { Owner, PodObject } from '../engine/cluster/objects.ts';
import type { ImportedBudget } from './imported-budgets.ts';
import type { App } from './scenario.ts';
import type { SimNode } from './sim-node.ts';

/** State of a workload. */
export interface AppState {
  readonly app: App;
  /** Requests of one pod by resource column, with 1 of `pods`. */
  readonly requests: Float64Array;
  /** All its pods, stopping ones included, oldest first. */
  readonly pods: Set<SimPod>;
  desired: number;
  /** Run times of trace pods that are not created yet; Infinity runs on. */
  readonly runTimesMs: number[];
  /** Pods of a Job that start when others finish. */
  remaining: number;
  /** Pods that are not stopping. */
  active: number;
  /** Pods that are ready and not stopping. */
  ready: number;
  /** Template revision, incremented by rollouts. */
  revision: number;
  /** The command that last restarted its Deployment, and the one that added a replica. */
  restartedBy: string | undefined;
  extraReplica: string | undefined;
  /** Times of evictions whose replacement pods are not created yet. */
  readonly evictedAtMs: number[];
  podsCreated: number;
  /** Imported PodDisruptionBudgets that select its pods. */
  readonly importedBudgets: ImportedBudget[];
}

export interface SimPod {
  readonly state: AppState;
  /** The Kubernetes object; immutable, replaced on every change. */
  object: PodObject;
  readonly revision: number;
  /** Of a trace's pod; Infinity runs on. */
  readonly runMs?: number;
  node: SimNode | undefined;
  readyMs: number | undefined;
  /** When a running Job pod finishes. */
  endsMs?: number;
  /** When the pod that it replaces was evicted. */
  readonly predecessorEvictedMs: number | undefined;
  /** Why it is stopping; undefined while it runs. */
  stopping: StopCause | undefined;
  /** The node that Karpenter expects it on, and until when. */
  expectedOn: SimNode | undefined;
  expectedUntilMs: number;
  gone: boolean;
}

/** maxSurge and maxUnavailable of rolling updates. */
export const SURGE = 0.25;

export type StopCause = 'scaled-in' | 'rollout' | 'evicted' | 'interrupted' | 'finished' | 'node-gone';

/** The workload still wants the pod. */
export function isInvoluntary(cause: StopCause): boolean {
  return cause === 'evicted' || cause === 'interrupted' || cause === 'node-gone';
}

/** Every pod that the workload wants is ready and of the current template. */
export function isSettled({ active, ready, desired, revision, pods }: AppState): boolean {
  if (active !== desired || ready !== desired) return false;
  if (revision === 1) return true;
  for (const pod of pods) if (pod.revision !== revision && pod.stopping === undefined) return false;
  return true;
}

export function podName({ object }: Pick<SimPod, 'object'>): string {
  return `${object.namespace}/${object.name}`;
}

const API_VERSION = { Deployment: 'apps/v1', StatefulSet: 'apps/v1', DaemonSet: 'apps/v1', Job: 'batch/v1' } as const;

/** Owner references of this revision's pods; a Deployment owns them through a ReplicaSet. */
export function ownersOf({ kind, namespace, name, owners }: App, revision: number): readonly Owner[] {
  if (owners !== undefined) return owners;
  const owner = kind === 'Deployment' ? replicaSetName(name, revision) : name;
  const ownerKind = kind === 'Deployment' ? 'ReplicaSet' : kind;
  return [
    {
      apiVersion: API_VERSION[kind],
      kind: ownerKind,
      name: owner,
      uid: uidFor(ownerKind, namespace, owner),
      controller: true,
    },
  ];
}

export function replicaSetName(deployment: string, revision: number): string {
  return `${deployment}-v${revision}`;
}

export function uidFor(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}
