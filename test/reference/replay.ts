import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import type { Located } from './places.ts';
import { lonelyTerms } from './pod-affinity.ts';
import { brokenSpreads } from './spread.ts';
import type { Host } from './world.ts';

/**
 * Spread and affinity depend on who is there when a pod comes. An outcome tells the order on existing nodes and the order
 * on each new node, but not how these interleave: look for any interleaving in which every step is allowed. If there is
 * none, the furthest one tells the problem.
 */
export function problemsInEveryOrder(
  objects: ClusterObjects,
  survivors: readonly Host[],
  running: readonly Located[],
  sequences: readonly (readonly Located[])[],
): string[] {
  const length = sequences.reduce((sum, s) => sum + s.length, 0);
  const seen = new Set<string>();
  let furthest: { readonly steps: number; readonly problems: readonly string[] } = { steps: -1, problems: [] };

  /** Whether the rest can be placed after the first `done[i]` of each sequence. */
  const canFinish = (done: readonly number[]): boolean => {
    const steps = done.reduce((sum, n) => sum + n, 0);
    if (steps === length) return true;
    const state = done.join();
    if (seen.has(state)) return false;
    seen.add(state);
    const there = [...running, ...sequences.flatMap((s, i) => s.slice(0, done[i]))];
    const blocked: string[] = [];
    for (let i = 0; i < sequences.length; i++) {
      const next = sequences[i][done[i]];
      if (next === undefined) continue;
      const problems = [
        ...brokenSpreads(next.pod, next.place, there, survivors),
        ...lonelyTerms(objects, next.pod, next.place, there),
      ];
      if (problems.length === 0 && canFinish(done.with(i, done[i] + 1))) return true;
      blocked.push(...problems.map((p) => `${next.pod.name} on ${next.place.name}: ${p}`));
    }
    if (steps > furthest.steps) furthest = { steps, problems: blocked };
    return false;
  };
  return canFinish(sequences.map(() => 0)) ? [] : [...furthest.problems];
}
