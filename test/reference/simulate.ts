import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { compiled, rowOf } from '../build/cluster.ts';
import { problemsOf } from './check.ts';
import { type Result, readOutcome } from './outcome.ts';

/** The outcome of removing these nodes from the cluster. */
export function removing(objects: ClusterObjects, names: readonly string[], compat = false): Result {
  const simulation = new Simulation(compiled(objects, compat));
  const rows = names.map((name) => rowOf(simulation.cluster, name));
  return simulation.removing(rows, (outcome) => readOutcome(simulation.cluster, rows, outcome));
}

/** What Kubernetes would find wrong with that outcome. */
export function problemsWithout(objects: ClusterObjects, ...names: readonly string[]): string[] {
  return problemsOf(objects, removing(objects, names));
}
