import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
/**
 * Seeded pseudo-random numbers. Every consumer has its own named stream, so that new or more frequent consumers do not
 * change the numbers of others. 32-bit integer arithmetic: the same numbers on every machine.
 */
export class RandomStreams {
  private readonly seed: number;
  private readonly streams = new Map<string, RandomStream>();

  constructor(seed: number) {
    this.seed = seed;
  }

  stream(name: string): RandomStream {
    return getOrInsert(this.streams, name, () => new RandomStream(hash(`${this.seed}/${name}`)));
  }
}

export class RandomStream {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** Uniform in [0, 1) (mulberry32). */
  uniform(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let x = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Exponential distribution with this rate. */
  exponential(rate: number): number {
    return -Math.log(1 - this.uniform()) / rate;
  }

  /** Approximately standard normal: sum of twelve uniform numbers. */
  normal(): number {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.uniform();
    return sum;
  }
}

/** FNV-1a. */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}

export interface DurationRange {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Uniform in the range, in whole milliseconds. */
export function draw({ leastMs, mostMs }: DurationRange, stream: RandomStream): number {
  return leastMs === mostMs ? leastMs : leastMs + Math.floor(stream.uniform() * (mostMs - leastMs + 1));
}
