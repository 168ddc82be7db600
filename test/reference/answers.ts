import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import type { Candidate } from '../../src/engine/disruption/candidates.ts';
import { assess } from '../../src/engine/gates/assessment.ts';
import { consolidate } from '../../src/engine/moves/consolidate.ts';
import type { Consolidation } from '../../src/engine/moves/move.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import type { CompiledCluster, CompileSettings } from '../../src/engine/scheduling/compiled-cluster.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { STOCK_RULES } from '../../src/engine/settings.ts';

/** What is decided of a set of nodes, in names, so that clusters with other numbering can be compared. */
export interface Answer {
  readonly verdict: 'delete' | 'replace' | 'none';
  /** Of the replacement, cheapest first. */
  readonly types: readonly string[];
  /** Pod → node, or "new". */
  readonly placements: Readonly<Record<string, string>>;
}

export function candidatesOf(cluster: CompiledCluster): Candidate[] {
  return cluster.rows.flatMap((node, row) => {
    const assessed = node.tracked ? assess(cluster, row, STOCK_RULES) : undefined;
    return assessed !== undefined && 'candidate' in assessed ? [assessed.candidate] : [];
  });
}

export function answer(cluster: CompiledCluster, consolidation: Consolidation): Answer {
  if ('refusal' in consolidation) return { verdict: 'none', types: [], placements: {} };
  const { kind, replacements, placements } = consolidation.move;
  const nameOf = (row: number) => (row < 0 ? 'new' : cluster.rows[row].name);
  return {
    verdict: kind,
    types: (replacements[0]?.types ?? []).map((t) => cluster.types.list[t].name),
    placements: Object.fromEntries(
      placements
        .map(({ pod, row }): [string, string] => [cluster.pods[pod].name, nameOf(row)])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

/** What is decided of every candidate alone, by name. */
export function answersOf(objects: ClusterObjects, settings: CompileSettings): Record<string, Answer> {
  const cluster = compile(objects, settings);
  const simulation = new Simulation(cluster);
  return Object.fromEntries(candidatesOf(cluster).map((c) => [c.name, answer(cluster, consolidate(simulation, [c]))]));
}
