import { hasBit } from '../cluster/bitset.ts';
import { CPU, MEMORY } from '../cluster/request-table.ts';
import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../policies/consolidate.ts';
import type { Replacement } from '../policies/replacement.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Usage } from './order.ts';
import { netCents, type Trials } from './trials.ts';

/** Nodes that are tried for the room that is left, at most. */
const TRIES = 5;

/**
 * New nodes come in sizes, so there is room left on them: other nodes whose pods fit into it go too, at no price. The
 * dearest are tried first; one is taken if that is worth more than what it would bring alone.
 */
export function toppedUp(
  trials: Trials,
  move: Move,
  others: readonly Candidate[],
  usage: ReadonlyMap<Candidate, Usage>,
  singly: (c: Candidate) => number,
): Move {
  const { cluster } = trials.problem.simulation;
  let best = move;
  const room = roomOn(cluster, best.replacements);
  const fitting = others
    .filter((c) => fits(usage.get(c), room) && !move.candidates.includes(c))
    .sort((a, b) => b.price - a.price || (a.name < b.name ? -1 : 1));
  for (const c of fitting.slice(0, TRIES)) {
    if (!fits(usage.get(c), roomOn(cluster, best.replacements))) continue;
    const trial = trials.attempt([...best.candidates, c], Math.max(1, best.replacements.length));
    if ('move' in trial && netCents(trial.move) > netCents(best) + singly(c)) best = trial.move;
  }
  return best;
}

interface Room {
  readonly cpu: number;
  readonly memory: number;
}

function fits(usage: Usage | undefined, room: Room): boolean {
  return usage !== undefined && usage.cpu <= room.cpu && usage.memory <= room.memory;
}

/** What is left on the new nodes, if each is launched as its cheapest type. */
function roomOn(
  { types, templates, requests, requestOfPod }: CompiledCluster,
  replacements: readonly Replacement[],
): Room {
  let cpu = 0;
  let memory = 0;
  for (const { template, types: allowed, pods } of replacements) {
    const [type] = allowed;
    const { allocatable } = types.list[type];
    const overhead = templates[template].daemons.find((group) => hasBit(group.types, type))?.overhead;
    cpu += (allocatable.cpu ?? 0) - (overhead?.[CPU] ?? 0);
    memory += (allocatable.memory ?? 0) - (overhead?.[MEMORY] ?? 0);
    for (const pod of pods) {
      const amounts = requests.amounts(requestOfPod[pod]);
      cpu -= amounts[CPU];
      memory -= amounts[MEMORY];
    }
  }
  return { cpu, memory };
}
