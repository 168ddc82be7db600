import type { RandomStream } from './random-streams.ts';

/** Desired replicas of a workload over time. */
export interface ReplicaCurve {
  readonly base: number;
  /** Limits of the HorizontalPodAutoscaler. */
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  /** Evaluation interval. */
  readonly everyMs: number;
  readonly wave?: {
    readonly amplitude: number;
    readonly peakHour: number;
    /** Factor on Saturdays and Sundays. */
    readonly weekend: number;
  };
  /** Replaces the base from this time on; in order of time. */
  readonly steps: readonly { readonly afterMs: number; readonly replicas: number }[];
  /** Period after which the steps start again. */
  readonly repeatMs?: number;
  readonly growthPerHour: number;
  /** Standard deviation of random noise, in replicas. */
  readonly noise: number;
  /** Scale-down stabilization window: scales in only to the maximum within this time. */
  readonly stabilizationMs: number;
  readonly bursts?: { readonly perDay: number; readonly size: number; readonly lengthMs: number };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Autocorrelation of the noise between evaluations. */
const MEMORY = 0.9;
const FRESH = Math.sqrt(1 - MEMORY * MEMORY);

/** Evaluates a curve; noise and bursts depend on earlier evaluations. */
export class FollowedCurve {
  private readonly curve: ReplicaCurve;
  private readonly startMs: number;
  private readonly random: RandomStream;
  private readonly recent: { readonly atMs: number; readonly replicas: number }[] = [];
  private deviation = 0;
  private burstEndsMs = -1;
  private nextBurstMs: number;

  constructor(curve: ReplicaCurve, startMs: number, random: RandomStream) {
    this.curve = curve;
    this.startMs = startMs;
    this.random = random;
    this.nextBurstMs = startMs + this.untilBurst();
  }

  /** Desired replicas now. Calls must be in order of time. */
  at(nowMs: number): number {
    const wanted = this.wantedAt(nowMs);
    if (!changesContinuously(this.curve)) return wanted;
    const { recent } = this;
    while (recent.length > 0 && recent[0].atMs <= nowMs - this.curve.stabilizationMs) recent.shift();
    recent.push({ atMs: nowMs, replicas: wanted });
    return recent.reduce((most, { replicas }) => Math.max(most, replicas), 0);
  }

  private wantedAt(nowMs: number): number {
    const { curve } = this;
    let replicas = this.stepAt(nowMs - this.startMs) + (curve.growthPerHour * (nowMs - this.startMs)) / HOUR_MS;
    if (curve.wave !== undefined) {
      const { amplitude, peakHour, weekend } = curve.wave;
      replicas += amplitude * Math.cos(2 * Math.PI * ((nowMs % DAY_MS) / DAY_MS - peakHour / 24));
      if (isWeekend(nowMs)) replicas *= weekend;
    }
    if (curve.noise > 0) {
      this.deviation = MEMORY * this.deviation + FRESH * this.random.normal();
      replicas += curve.noise * this.deviation;
    }
    const { minReplicas = 0, maxReplicas = Number.POSITIVE_INFINITY } = curve;
    return Math.max(minReplicas, Math.min(maxReplicas, Math.round(replicas) + this.burstAt(nowMs)));
  }

  /** Time of the next evaluation; undefined if the number is final. */
  nextEvaluationMs(nowMs: number): number | undefined {
    const { curve } = this;
    if (changesContinuously(curve)) return nowMs + curve.everyMs;
    const passed = nowMs - this.startMs;
    const round = curve.repeatMs === undefined ? 0 : Math.floor(passed / curve.repeatMs) * curve.repeatMs;
    const next = curve.steps.find((s) => s.afterMs > passed - round);
    if (next !== undefined && (curve.repeatMs === undefined || next.afterMs < curve.repeatMs))
      return this.startMs + round + next.afterMs;
    return curve.repeatMs === undefined ? undefined : this.startMs + round + curve.repeatMs;
  }

  private stepAt(passedMs: number): number {
    const { base, steps, repeatMs } = this.curve;
    const within = repeatMs === undefined ? passedMs : passedMs % repeatMs;
    let replicas = base;
    for (const step of steps) if (step.afterMs <= within) replicas = step.replicas;
    return replicas;
  }

  private burstAt(nowMs: number): number {
    const { bursts } = this.curve;
    if (bursts === undefined) return 0;
    if (nowMs >= this.nextBurstMs) {
      this.burstEndsMs = this.nextBurstMs + bursts.lengthMs;
      this.nextBurstMs = this.burstEndsMs + this.untilBurst();
    }
    return nowMs < this.burstEndsMs ? bursts.size : 0;
  }

  private untilBurst(): number {
    const perDay = this.curve.bursts?.perDay ?? 0;
    return perDay === 0 ? Number.POSITIVE_INFINITY : this.random.exponential(perDay / DAY_MS);
  }
}

/** The number may change between steps. */
function changesContinuously({ wave, noise, bursts, growthPerHour }: ReplicaCurve): boolean {
  return wave !== undefined || noise > 0 || bursts !== undefined || growthPerHour !== 0;
}

/** 1970 began on a Thursday. */
function isWeekend(nowMs: number): boolean {
  const day = Math.floor(nowMs / DAY_MS) % 7;
  return day === 2 || day === 3;
}
