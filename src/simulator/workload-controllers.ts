import { nextHitMs, parseCron } from '../engine/disruption/cron.ts';
import { draw } from './random-streams.ts';
import { FollowedCurve } from './replica-curve.ts';
import { inScaleInOrder } from './scale-in.ts';
import type { JobApp, ReplicatedApp, ScheduledRollout, TraceRun } from './scenario.ts';
import { type AppState, type SimPod, SURGE, uidFor } from './sim-pod.ts';
import type { World } from './world.ts';

/** The Deployment, ReplicaSet, StatefulSet and Job controllers. */
export class WorkloadControllers {
  private readonly world: World;
  private readonly due = new Set<AppState>();

  constructor(world: World) {
    this.world = world;
    world.listeners.push({
      appScaled: (state) => this.reconcileSoon(state),
      appRolled: (state) => this.reconcileSoon(state),
      podReady: (pod) => {
        if (this.isRolling(pod.state)) this.reconcileSoon(pod.state);
      },
      podStopping: (pod, cause) => {
        const { state } = pod;
        // The next pod of the Job starts when one finishes.
        if (cause === 'finished' && state.remaining > 0) state.remaining--;
        else if (cause === 'finished' || state.app.barePod) state.desired--;
        this.reconcileSoon(state);
      },
      podGone: (pod) => {
        if (pod.state.app.kind === 'StatefulSet') this.reconcileSoon(pod.state);
      },
    });
  }

  /** Starts all replica curves and Job schedules. */
  start(): void {
    for (const state of this.world.apps) {
      const { app } = state;
      if (app.kind === 'Job' && app.runs !== undefined) this.runTrace(state, app, app.runs, 0);
      else if (app.kind === 'Job') this.runJobs(state, app);
      else if (app.kind !== 'DaemonSet') this.follow(state, app);
    }
  }

  private follow(state: AppState, app: ReplicatedApp): void {
    const { queue, random } = this.world;
    const curve = new FollowedCurve(
      app.replicas,
      this.world.nowMs,
      random.stream(`replicas ${uidFor('', app.namespace, app.name)}`),
    );
    const evaluate = () => {
      this.world.scale(state, curve.at(queue.nowMs));
      const next = curve.nextEvaluationMs(queue.nowMs);
      if (next !== undefined) queue.at(next, evaluate);
    };
    evaluate();
    for (const rollout of app.rollouts) queue.after(rollout.afterMs, () => this.rollOut(state, rollout));
  }

  private rollOut(state: AppState, rollout: ScheduledRollout): void {
    this.world.setRevision(state, state.revision + 1, state.restartedBy);
    if (rollout.everyMs !== undefined) this.world.queue.after(rollout.everyMs, () => this.rollOut(state, rollout));
  }

  private runJobs(state: AppState, app: JobApp): void {
    const { queue, random } = this.world;
    const stream = random.stream(`jitter ${app.namespace}/${app.name}`);
    const begin = () => {
      state.remaining += Math.max(0, (app.completions ?? app.pods) - app.pods);
      this.world.scale(state, state.desired + app.pods);
    };
    const schedule = (startMs: number | undefined) => {
      if (startMs === undefined) return;
      queue.at(startMs, () => {
        queue.after(Math.floor(stream.uniform() * app.jitterMs), begin);
        schedule(nextStartMs(app, startMs));
      });
    };
    const { nowMs } = this.world;
    schedule(app.schedule === undefined ? nowMs + app.firstMs : nextStartMs(app, nowMs));
  }

  /** One event at a time, so that a long trace does not fill the queue. */
  private runTrace(state: AppState, app: JobApp, runs: readonly TraceRun[], first: number): void {
    if (first === runs.length) return;
    const { queue, random, scenario } = this.world;
    const stream = random.stream(`trace ${app.namespace}/${app.name}`);
    queue.at(scenario.startMs + runs[first].afterMs, () => {
      let next = first;
      let pods = 0;
      for (; next < runs.length && runs[next].afterMs === runs[first].afterMs; next++) {
        const { runTime } = runs[next];
        pods += runs[next].pods;
        for (let i = 0; i < runs[next].pods; i++)
          state.runTimesMs.push(runTime === undefined ? Number.POSITIVE_INFINITY : draw(runTime, stream));
      }
      this.world.scale(state, state.desired + pods);
      this.runTrace(state, app, runs, next);
    });
  }

  /** After all other events of this moment. */
  private reconcileSoon(state: AppState): void {
    if (this.due.has(state) || state.app.kind === 'DaemonSet') return;
    this.due.add(state);
    this.world.queue.after(0, () => {
      this.due.delete(state);
      this.reconcile(state);
    });
  }

  private isRolling(state: AppState): boolean {
    if (state.revision === 1) return false;
    for (const pod of state.pods) if (pod.revision !== state.revision && pod.stopping === undefined) return true;
    return false;
  }

  private reconcile(state: AppState): void {
    const { app } = state;
    if (app.kind === 'StatefulSet') this.reconcileOrdinals(state);
    else if (this.isRolling(state)) this.roll(state);
    else if (state.active < state.desired) this.createPods(state, state.desired - state.active);
    else if (state.active > state.desired && app.kind === 'Deployment')
      this.scaleIn(state, app, state.active - state.desired);
    if (state.active >= state.desired) state.evictedAtMs.length = 0;
  }

  private createPods(state: AppState, count: number): void {
    for (let i = 0; i < count; i++) this.world.createPod(state, { predecessorEvictedMs: state.evictedAtMs.shift() });
  }

  private scaleIn(state: AppState, app: ReplicatedApp, count: number): void {
    const { nowMs } = this.world;
    const victims = inScaleInOrder(activePods(state), nowMs, app.alignedScaleIn).slice(0, count);
    for (const pod of victims) this.world.stop(pod, 'scaled-in');
  }

  /** One step of a rolling update. */
  private roll(state: AppState): void {
    const { desired } = state;
    const old = activePods(state).filter((p) => p.revision !== state.revision);
    const fresh = state.active - old.length;
    const room = desired + Math.ceil(SURGE * desired) - state.active;
    this.createPods(state, Math.max(0, Math.min(room, desired - fresh)));
    const spare = Math.max(0, state.ready - (desired - Math.floor(SURGE * desired)));
    const idle = old.filter((p) => p.readyMs === undefined);
    const serving = old.filter((p) => p.readyMs !== undefined).slice(0, spare);
    for (const pod of [...idle, ...serving]) this.world.stop(pod, 'rollout');
  }

  /** StatefulSet: recreates a pod after its predecessor is gone; updates from the last ordinal to the first. */
  private reconcileOrdinals(state: AppState): void {
    const { app, desired, revision } = state;
    const byName = new Map([...state.pods].map((pod) => [pod.object.name, pod]));
    for (let i = 0; i < desired; i++) {
      const name = `${app.name}-${i}`;
      if (!byName.has(name)) this.world.createPod(state, { name, predecessorEvictedMs: state.evictedAtMs.shift() });
    }
    let outdated: SimPod | undefined;
    for (const pod of state.pods) {
      if (pod.stopping !== undefined) continue;
      if (ordinal(pod) >= desired) this.world.stop(pod, 'scaled-in');
      else if (pod.revision !== revision && (outdated === undefined || ordinal(pod) > ordinal(outdated)))
        outdated = pod;
    }
    if (outdated !== undefined && state.ready >= desired) this.world.stop(outdated, 'rollout');
  }
}

function nextStartMs({ schedule, everyMs }: JobApp, afterMs: number): number | undefined {
  if (schedule === undefined) return everyMs === undefined ? undefined : afterMs + everyMs;
  const cron = parseCron(schedule.cron);
  return cron === undefined ? undefined : nextHitMs(cron, afterMs, schedule.timeZone);
}

function activePods(state: AppState): SimPod[] {
  return [...state.pods].filter((p) => p.stopping === undefined);
}

export function ordinal({ object }: SimPod): number {
  return Number(object.name.slice(object.name.lastIndexOf('-') + 1));
}
