/**
 * xoshiro128**, seeded by splitmix32. Our own because a seed must give the same bytes on every
 * machine and Node for as long as the benchmark's figures are compared with older ones.
 */
export class Random {
  readonly #state = new Uint32Array(4);

  constructor(seed: number) {
    let x = seed >>> 0;
    for (let i = 0; i < 4; i++) {
      x = (x + 0x9e3779b9) >>> 0;
      let z = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      this.#state[i] = z ^ (z >>> 15);
    }
  }

  uint32(): number {
    const s = this.#state;
    const five = Math.imul(s[1], 5);
    const result = Math.imul((five << 7) | (five >>> 25), 9) >>> 0;
    const carried = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= carried;
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  /** From 0 up to 1, which is never reached. */
  fraction(): number {
    return this.uint32() / 2 ** 32;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.fraction();
  }

  /** A whole number from 0 up to, and without, the limit. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)];
  }

  uid(): string {
    const hex = (n: number) => n.toString(16).padStart(8, '0');
    return `${hex(this.uint32())}-0000-4000-8000-${hex(this.uint32())}${hex(this.uint32()).slice(4)}`;
  }
}
