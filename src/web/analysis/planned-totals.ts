import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import type { Plan } from '../../engine/plan-document.ts';
import type { PlannedTotals, Totals } from '../api.ts';
import type { PlanSoFar } from './packing-columns.ts';

export function totalsOf({ nodes, totals }: PlanSoFar, { pods }: ClusterObjects): Totals {
  const unfinished = pods.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed');
  return {
    nodes: nodes.length,
    pods: unfinished.length,
    pendingPods: unfinished.filter(({ nodeName }) => nodeName === '').length,
    centsPerHour: totals?.centsPerHour ?? nodes.reduce((sum, node) => sum + (node.centsPerHour ?? 0), 0),
  };
}

export function plannedTotals({ totals, moves }: Plan): PlannedTotals {
  const leaving = moves.reduce((sum, move) => sum + move.nodes.length, 0);
  const coming = moves.reduce((sum, move) => sum + move.replacements.length, 0);
  return {
    nodes: totals.nodes - leaving + coming,
    centsPerHour: totals.plannedCentsPerHour,
    savingsCentsPerHour: totals.savingsCentsPerHour,
    evictions: totals.evictions,
    moves: moves.length,
    waves: new Set(moves.map((move) => move.wave)).size,
  };
}
