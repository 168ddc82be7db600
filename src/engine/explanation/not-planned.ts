import { namespacedName } from '../cluster/pods.ts';
import { PoolReserve } from '../gates/pool-reserve.ts';
import type { Plan } from '../plan-document.ts';
import type { MoveRefusal } from '../refusal.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { placesOfPending } from '../search/pending.ts';
import type { NodeTrial } from './trial.ts';

/** Why a node that may go is in none of the plan's moves: what the plan does instead, in numbers. Moves are 1-based. */
export interface NotPlanned {
  /** Pending pods that would go there: a merged plan keeps the node for them. */
  readonly awaitedBy: readonly string[];
  /** Moves of the plan that put pods on it: such a node stays. */
  readonly takesIn: readonly { readonly move: number; readonly pods: number }[];
  /** Moves that remove or fill the destinations of its own pods. */
  readonly rivals: readonly { readonly move: number; readonly gone: number; readonly filled: number }[];
  /** What its pool would lack if the node went together with those of the plan: headroom or nodes. */
  readonly reserve?: MoveRefusal;
  /** Of removing it alone, beside the plan's. */
  readonly savingsCentsPerHour: number;
  readonly disruptionCost: number;
  readonly planSavingsCentsPerHour: number;
  readonly planDisruptionCost: number;
  /** This search makes one move per pass; the next pass may include the node. */
  readonly onePerPass: boolean;
}

export function turnOf(plan: Plan, name: string, trial: NodeTrial): NotPlanned {
  const { cluster, attempt, move } = trial;
  const destinations = new Set((attempt?.placed ?? []).flatMap(({ row }) => (row < 0 ? [] : [cluster.rows[row].name])));
  const own = new Set(cluster.podsOfRow[trial.row].map((i) => namespacedName(cluster.pods[i])));
  const numbered = plan.moves.map((m, i) => ({ ...m, move: i + 1 }));
  return {
    awaitedBy: plan.search === 'merged' ? awaiting(plan, trial) : [],
    takesIn: numbered.flatMap(({ move: number, placements }) => {
      const pods = placements.filter(({ to }) => to === name).length;
      return pods === 0 ? [] : [{ move: number, pods }];
    }),
    rivals: numbered.flatMap(({ move: number, nodes, placements }) => {
      const gone = nodes.filter((n) => destinations.has(n)).length;
      const filled = new Set(
        placements.filter(({ pod, to }) => destinations.has(to) && !own.has(pod)).map((p) => p.to),
      );
      return gone + filled.size === 0 ? [] : [{ move: number, gone, filled: filled.size }];
    }),
    reserve: reserveWith(plan, trial),
    savingsCentsPerHour: (move?.savings ?? 0) * 100,
    disruptionCost: trial.candidate?.disruptionCost ?? 0,
    planSavingsCentsPerHour: plan.totals.savingsCentsPerHour,
    planDisruptionCost: plan.totals.disruptionCost,
    onePerPass: plan.search === 'karpenter',
  };
}

function reserveWith({ moves }: Plan, { cluster, situation, row }: NodeTrial): MoveRefusal | undefined {
  const gate = PoolReserve.of(cluster, situation.rules);
  if (gate === undefined) return undefined;
  const leaving = new Set(moves.flatMap(({ nodes }) => nodes));
  const rows = cluster.rows.flatMap(({ name, tracked }, at) => (tracked && leaving.has(name) ? [at] : []));
  const simulation = new Simulation(cluster, { gate });
  return simulation.removing([...rows, row], (outcome) => gate.refusal(simulation, outcome));
}

function awaiting({ nodes }: Plan, { cluster, row }: NodeTrial): readonly string[] {
  const priceOf = new Map(nodes.flatMap((n) => (n.candidate ? [[n.name, n.centsPerHour ?? 0]] : [])));
  const candidates = cluster.rows.flatMap(({ name, tracked }, at) => {
    const price = tracked ? priceOf.get(name) : undefined;
    return price === undefined ? [] : [{ row: at, price }];
  });
  const places = placesOfPending({ simulation: new Simulation(cluster), candidates });
  return places.flatMap(({ pod, row: to }) => (to === row ? [namespacedName(cluster.pods[pod])] : []));
}
