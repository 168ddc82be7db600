import type { Owner, PodObject } from '../engine/cluster/objects.ts';
import type { FoundBudget } from './found-budgets.ts';
import type { App } from './scenario.ts';
import type { SimNode } from './sim-node.ts';

/** A workload while it runs. */
export interface AppState {
  readonly app: App;
  /** Requests of one pod, by column of the resource table; a pod takes one of `pods`. */
  readonly requests: Float64Array;
  /** All of its pods that exist, those that are stopping included, oldest first. */
  readonly pods: Set<SimPod>;
  desired: number;
  /** Pods that are not stopping. */
  active: number;
  /** Pods that are ready and not stopping. */
  ready: number;
  /** Version of the template; rollouts count it up. */
  revision: number;
  /** When pods were taken away that it still wants; who comes in place of them takes the entry. */
  readonly lost: number[];
  /** Pods made so far. */
  made: number;
  /** Budgets that were there from the beginning and that guard its pods. */
  readonly foundBudgets: FoundBudget[];
}

export interface SimPod {
  readonly state: AppState;
  /** As the API server would show it; replaced with every change, never changed. */
  object: PodObject;
  readonly revision: number;
  node: SimNode | undefined;
  readyMs: number | undefined;
  /** When the pod that it came in place of was evicted. */
  readonly successorOfMs: number | undefined;
  /** It is asked to stop, and why. */
  stopping: StopCause | undefined;
  /** Karpenter has a node in mind for it: that one, until then at most. */
  expectedOn: SimNode | undefined;
  expectedUntilMs: number;
  gone: boolean;
}

export type StopCause = 'scaled-in' | 'rollout' | 'evicted' | 'interrupted' | 'finished' | 'node-gone';

/** Why a pod has to make way although its workload still wants it. */
export function isInvoluntary(cause: StopCause): boolean {
  return cause === 'evicted' || cause === 'interrupted' || cause === 'node-gone';
}

export function podName({ object }: Pick<SimPod, 'object'>): string {
  return `${object.namespace}/${object.name}`;
}

const API_VERSION = { Deployment: 'apps/v1', StatefulSet: 'apps/v1', DaemonSet: 'apps/v1', Job: 'batch/v1' } as const;

/** Who controls the pods of this version of the workload: a Deployment by way of a ReplicaSet. */
export function ownersOf({ kind, namespace, name, owners }: App, revision: number): readonly Owner[] {
  if (owners !== undefined) return owners;
  const owner = kind === 'Deployment' ? replicaSetName(name, revision) : name;
  const ownerKind = kind === 'Deployment' ? 'ReplicaSet' : kind;
  return [
    {
      apiVersion: API_VERSION[kind],
      kind: ownerKind,
      name: owner,
      uid: uidOf(ownerKind, namespace, owner),
      controller: true,
    },
  ];
}

export function replicaSetName(deployment: string, revision: number): string {
  return `${deployment}-v${revision}`;
}

export function uidOf(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}
