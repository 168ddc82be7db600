import type { WorkloadObject } from '../engine/cluster/objects.ts';
import type { AppState } from './sim-pod.ts';

interface Found {
  readonly object: WorkloadObject;
  readonly states: readonly AppState[];
  /** Of these states, at the beginning. */
  readonly desired: number;
  readonly ready: number;
  shown: WorkloadObject;
}

/** Deployments and their like of a real cluster: as they were, and from then on as their pods come and go. */
export class FoundWorkloads {
  private readonly list: readonly Found[];

  constructor(objects: readonly WorkloadObject[], apps: readonly AppState[]) {
    const byUid = new Map(objects.map((o) => [o.uid, o]));
    const states = new Map<WorkloadObject, AppState[]>();
    for (const state of apps) {
      // A Deployment by way of its ReplicaSet. Owners that own each other are left at the second.
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

  objects(): readonly WorkloadObject[] {
    return this.list.map((found) => {
      const { object, states } = found;
      if (states.length === 0) return object;
      const replicas = Math.max(0, object.replicas + sum(states, 'desired') - found.desired);
      const readyReplicas = Math.max(0, object.readyReplicas + sum(states, 'ready') - found.ready);
      if (found.shown.replicas !== replicas || found.shown.readyReplicas !== readyReplicas)
        found.shown = { ...object, replicas, readyReplicas };
      return found.shown;
    });
  }
}

function controllerOf(owners: WorkloadObject['owners'] = []): string {
  return owners.find((o) => o.controller)?.uid ?? '';
}

function sum(states: readonly AppState[], what: 'desired' | 'ready'): number {
  return states.reduce((total, state) => total + state[what], 0);
}
