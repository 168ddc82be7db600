import type { WorkloadObject } from '../engine/cluster/objects.ts';
import type { DeploymentRollout } from '../engine/cluster/scaling-objects.ts';
import { type AppState, isSettled } from './sim-pod.ts';

interface Imported {
  readonly object: WorkloadObject;
  readonly states: readonly AppState[];
  /** Sums over `states` at the start. */
  readonly desired: number;
  readonly ready: number;
  shown: WorkloadObject;
}

/** Deployments, ReplicaSets and so on of an imported cluster, with replicas kept up to date. */
export class ImportedWorkloads {
  private readonly list: readonly Imported[];

  constructor(objects: readonly WorkloadObject[], apps: readonly AppState[]) {
    const byUid = new Map(objects.map((o) => [o.uid, o]));
    const states = new Map<WorkloadObject, AppState[]>();
    for (const state of apps) {
      // Follows owners twice at most: pod, ReplicaSet, Deployment.
      for (let own = byUid.get(controllerOf(state.app.owners)), i = 0; own !== undefined && i < 2; i++) {
        states.set(own, [...(states.get(own) ?? []), state]);
        own = byUid.get(controllerOf(own.owners));
      }
    }
    this.list = objects.map((object) => {
      const own = states.get(object) ?? [];
      return { object, states: own, desired: sum(own, 'desired'), ready: sum(own, 'ready'), shown: object };
    });
  }

  /** The workloads behind a Deployment or another controller. */
  statesOf(uid: string): readonly AppState[] {
    return this.list.find(({ object }) => object.uid === uid)?.states ?? [];
  }

  objects(): readonly WorkloadObject[] {
    return this.list.map((imported) => {
      const { object, states } = imported;
      if (states.length === 0) return object;
      const replicas = Math.max(0, object.replicas + sum(states, 'desired') - imported.desired);
      const readyReplicas = Math.max(0, object.readyReplicas + sum(states, 'ready') - imported.ready);
      const rollout = object.rollout && rolloutOf(object.rollout, states);
      const { shown } = imported;
      const isShown =
        shown.replicas === replicas && shown.readyReplicas === readyReplicas && isSameRollout(shown.rollout, rollout);
      if (!isShown)
        imported.shown = { ...object, replicas, readyReplicas, ...(rollout === undefined ? {} : { rollout }) };
      return imported.shown;
    });
  }
}

function rolloutOf(rollout: DeploymentRollout, states: readonly AppState[]): DeploymentRollout {
  const { restartedBy = rollout.restartedBy, extraReplica } = states[0];
  return {
    ...rollout,
    isSettled: states.every(isSettled),
    ...(restartedBy === undefined ? {} : { restartedBy }),
    ...(extraReplica === undefined ? {} : { extraReplica }),
  };
}

function isSameRollout(a: DeploymentRollout | undefined, b: DeploymentRollout | undefined): boolean {
  return a?.isSettled === b?.isSettled && a?.restartedBy === b?.restartedBy && a?.extraReplica === b?.extraReplica;
}

function controllerOf(owners: WorkloadObject['owners'] = []): string {
  return owners.find((o) => o.controller)?.uid ?? '';
}

function sum(states: readonly AppState[], what: 'desired' | 'ready'): number {
  return states.reduce((total, state) => total + state[what], 0);
}
