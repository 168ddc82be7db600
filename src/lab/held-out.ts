import { hash } from '../simulator/random-streams.ts';

/** Settings are chosen on one half of workloads and seeds, and their figures reported on the other. */
export type Half = 'choose' | 'report';

/** By a hash of the name, so that a workload stays in its half when others are added. */
export function isInHalf(workload: string, half: Half): boolean {
  return ((hash(workload) >>> 4) & 1) === (half === 'choose' ? 0 : 1);
}

/** The first of as many seeds: those of one half follow on those of the other. */
export function firstSeedOf(half: Half, firstSeed: number, seeds: number): number {
  return half === 'choose' ? firstSeed : firstSeed + seeds;
}
