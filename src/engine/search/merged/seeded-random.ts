/** Pseudo-random numbers from 0 to 1, the same for the same seed (mulberry32): a search must be repeatable. */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pickOne<T>(list: readonly T[], random: Random): T {
  return list[Math.floor(random() * list.length)];
}

export function shuffled<T>(list: readonly T[], random: Random): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j], out[i]];
  }
  return out;
}
