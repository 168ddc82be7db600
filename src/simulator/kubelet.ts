import { draw } from './random-streams.ts';
import type { SimPod } from './sim-pod.ts';
import type { World } from './world.ts';

const LEAST_RUN_MS = 60_000;

/** Starts bound pods, finishes Job pods after their run time, and stops deleted pods. */
export class Kubelet {
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
    world.listeners.push({
      podBound: (pod) => this.start(pod),
      podImported: (pod) => this.resume(pod),
      podStopping: (pod, cause) => {
        if (pod.node === undefined || cause === 'finished') world.queue.after(0, () => world.remove(pod));
        else if (cause !== 'node-gone') this.stop(pod);
      },
    });
  }

  private start(pod: SimPod): void {
    const { world } = this;
    const { app } = pod.state;
    world.queue.after(draw(app.startup, world.random.stream(`startup ${app.namespace}/${app.name}`)), () => {
      if (pod.stopping !== undefined || pod.gone) return;
      world.ready(pod);
      if (app.kind === 'Job')
        this.finishLater(pod, pod.runMs ?? draw(app.runTime, world.random.stream(`run ${app.name}`)));
    });
  }

  /** An imported pod. A Job pod runs for what is left of its run time. */
  private resume(pod: SimPod): void {
    if (pod.node === undefined) return;
    if (pod.stopping !== undefined) this.stop(pod);
    else if (pod.readyMs === undefined) this.start(pod);
    else if (pod.state.app.kind === 'Job') {
      const { app } = pod.state;
      const ranMs = this.world.nowMs - (pod.object.startedMs ?? pod.object.createdMs);
      const runMs = draw(app.runTime, this.world.random.stream(`run ${app.name}`));
      this.finishLater(pod, Math.max(LEAST_RUN_MS, runMs - ranMs));
    }
  }

  private finishLater(pod: SimPod, runMs: number): void {
    if (runMs === Number.POSITIVE_INFINITY) return;
    pod.endsMs = this.world.nowMs + runMs;
    this.world.queue.after(runMs, () => {
      if (!pod.gone) this.world.stop(pod, 'finished');
    });
  }

  private stop(pod: SimPod): void {
    const { world } = this;
    const { app } = pod.state;
    world.queue.after(draw(app.shutdown, world.random.stream(`shutdown ${app.namespace}/${app.name}`)), () =>
      world.remove(pod),
    );
  }
}
