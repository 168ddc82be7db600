import type { RandomStream } from './random-streams.ts';

/** How many replicas a workload wants over time, as an autoscaler or a person would set them. */
export interface ReplicaCurve {
  readonly base: number;
  /** The number is looked at so often. */
  readonly everyMs: number;
  readonly wave?: {
    readonly amplitude: number;
    readonly peakHour: number;
    /** What is left of the whole on Saturdays and Sundays. */
    readonly weekend: number;
  };
  /** From then on this many instead of the base, in order of time. */
  readonly steps: readonly { readonly afterMs: number; readonly replicas: number }[];
  /** The steps begin again after so long. */
  readonly repeatMs?: number;
  readonly growthPerHour: number;
  /** Deviation of what comes and goes by chance, in replicas. */
  readonly noise: number;
  /** An autoscaler goes down only to the most it wanted within this time. */
  readonly settleMs: number;
  readonly bursts?: { readonly perDay: number; readonly size: number; readonly lengthMs: number };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How much of its last deviation the noise keeps from one look to the next. */
const MEMORY = 0.9;
const FRESH = Math.sqrt(1 - MEMORY * MEMORY);

/** A curve being followed: noise and bursts depend on what came before. */
export class FollowedCurve {
  private readonly curve: ReplicaCurve;
  private readonly startMs: number;
  private readonly chance: RandomStream;
  private readonly recent: { readonly atMs: number; readonly replicas: number }[] = [];
  private deviation = 0;
  private burstEndsMs = -1;
  private nextBurstMs: number;

  constructor(curve: ReplicaCurve, startMs: number, chance: RandomStream) {
    this.curve = curve;
    this.startMs = startMs;
    this.chance = chance;
    this.nextBurstMs = startMs + this.untilBurst();
  }

  /** Replicas wanted now. Times must not go back. */
  at(nowMs: number): number {
    const wanted = this.wantedAt(nowMs);
    if (!isRestless(this.curve)) return wanted;
    const { recent } = this;
    while (recent.length > 0 && recent[0].atMs <= nowMs - this.curve.settleMs) recent.shift();
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
      this.deviation = MEMORY * this.deviation + FRESH * this.chance.normal();
      replicas += curve.noise * this.deviation;
    }
    return Math.max(0, Math.round(replicas) + this.burstAt(nowMs));
  }

  /** When to look again; undefined: the number never changes any more. */
  nextLookMs(nowMs: number): number | undefined {
    const { curve } = this;
    if (isRestless(curve)) return nowMs + curve.everyMs;
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
    return perDay === 0 ? Number.POSITIVE_INFINITY : this.chance.exponential(perDay / DAY_MS);
  }
}

/** The number may change at any look, not only at a step. */
function isRestless({ wave, noise, bursts, growthPerHour }: ReplicaCurve): boolean {
  return wave !== undefined || noise > 0 || bursts !== undefined || growthPerHour !== 0;
}

/** 1970 began on a Thursday. */
function isWeekend(nowMs: number): boolean {
  const day = Math.floor(nowMs / DAY_MS) % 7;
  return day === 2 || day === 3;
}
