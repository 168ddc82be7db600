import { type ClaimRequirements, launchRequirements } from '../controller/launch.ts';
import type { Move } from '../engine/moves/move.ts';
import type { Replacement } from '../engine/moves/replacement.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';

/** A decision by node names: row numbers are only valid for one compiled cluster. */
export interface StockDecision {
  readonly method: 'emptiness' | 'multi' | 'single';
  readonly kind: Move['kind'];
  readonly nodes: readonly string[];
  readonly replacements: readonly StockReplacement[];
  /** Existing nodes that receive pods. */
  readonly destinations: readonly string[];
  readonly savings: number;
}

interface StockReplacement {
  readonly nodePool: string;
  readonly types: readonly string[];
  readonly requirements: ClaimRequirements;
}

export function stockDecisionOf(cluster: CompiledCluster, move: Move, method: StockDecision['method']): StockDecision {
  const rows = new Set(move.placements.filter(({ row }) => row >= 0).map(({ row }) => row));
  return {
    method,
    kind: move.kind,
    nodes: move.candidates.map((c) => c.name),
    replacements: move.replacements.map((r) => replacementOf(cluster, r)),
    destinations: [...rows].map((row) => cluster.rows[row].name),
    savings: move.savings,
  };
}

function replacementOf(cluster: CompiledCluster, r: Replacement): StockReplacement {
  const types = r.types.map((t) => cluster.types.list[t].name);
  return { nodePool: cluster.templates[r.template].pool.name, types, requirements: launchRequirements(cluster, r) };
}
