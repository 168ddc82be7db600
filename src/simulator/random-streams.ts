/**
 * Chance from a seed. Every consumer has a stream of its own, by name: one that draws more often, or a new one, does
 * not change what the others see. Only arithmetic on 32-bit integers: the same numbers on every machine.
 */
export class RandomStreams {
  private readonly seed: number;
  private readonly streams = new Map<string, RandomStream>();

  constructor(seed: number) {
    this.seed = seed;
  }

  stream(name: string): RandomStream {
    let known = this.streams.get(name);
    if (known === undefined) {
      known = new RandomStream(hash(`${this.seed}/${name}`));
      this.streams.set(name, known);
    }
    return known;
  }
}

export class RandomStream {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** Evenly in [0, 1) (mulberry32). */
  uniform(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let x = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Time to the next of events that come by chance, so many per unit of time. */
  exponential(rate: number): number {
    return -Math.log(1 - this.uniform()) / rate;
  }

  /** Around 0 with deviation 1: twelve even numbers, summed. */
  normal(): number {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += this.uniform();
    return sum;
  }
}

/** FNV-1a: numbers that seem to come by chance, but are always the same for the same text. */
export function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h;
}

/** How long something takes: somewhere between the two. */
export interface Span {
  readonly leastMs: number;
  readonly mostMs: number;
}

/** Evenly between the two, in whole milliseconds. */
export function draw({ leastMs, mostMs }: Span, stream: RandomStream): number {
  return leastMs === mostMs ? leastMs : leastMs + Math.floor(stream.uniform() * (mostMs - leastMs + 1));
}
