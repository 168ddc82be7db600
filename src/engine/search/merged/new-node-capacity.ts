import { hasBit } from '../../cluster/bitset.ts';
import { CPU, MEMORY } from '../../cluster/request-table.ts';
import type { Candidate } from '../../disruption/candidates.ts';
import type { Move } from '../../moves/move.ts';
import type { Replacement } from '../../moves/replacement.ts';
import type { CompiledCluster } from '../../scheduling/compiled-cluster.ts';
import { isFollowing } from '../following.ts';
import type { SearchProblem } from '../problem.ts';
import type { NodeDemand, NodeDemands } from './node-demand.ts';

export interface FreeCapacity {
  readonly cpu: number;
  readonly memory: number;
}

/** Free capacity of the new nodes, if each is launched as its cheapest type. */
export function freeOnNewNodes(
  { types, templates, requests, requestOfPod }: CompiledCluster,
  replacements: readonly Replacement[],
): FreeCapacity {
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

/** Steps whose new nodes are tried, at most. */
const HOSTS = 4;
/** Steps of a draft in which all are tried, with or without enough free capacity. */
const SMALL = 64;

interface Launching {
  readonly move: Move;
}

interface Host {
  readonly index: number;
  readonly free: FreeCapacity;
}

/** Free capacity on nodes that earlier moves of a draft launch. */
export class NewNodeCapacity {
  private readonly problem: SearchProblem;
  private readonly demands: NodeDemands;
  private readonly known = new WeakMap<Move, FreeCapacity>();

  constructor(problem: SearchProblem, demands: NodeDemands) {
    this.problem = problem;
    this.demands = demands;
  }

  /** Indices of the steps with most cpu left on what they launch. */
  emptiest(steps: readonly Launching[]): readonly number[] {
    return this.hosts(steps, ({ cpu, memory }) => cpu > 0 && memory > 0)
      .sort((a, b) => b.free.cpu - a.free.cpu || a.index - b.index)
      .slice(0, HOSTS)
      .map(({ index }) => index);
  }

  /**
   * Indices of the steps whose new nodes this node's pods would fill best, those of its own group first; `larger`: in small
   * drafts also those that lack capacity.
   */
  bestFor(c: Candidate, steps: readonly Launching[], larger: boolean): readonly number[] {
    const { cpu, memory, group } = this.demands.get(c) as NodeDemand;
    if (this.problem.simulation.cluster.movableOfRow[c.row].length === 0) return [];
    const fits = (free: FreeCapacity) => free.cpu >= cpu && free.memory >= memory;
    return this.hosts(steps, larger && steps.length <= SMALL ? () => true : fits)
      .map(({ index, free }) => ({
        index,
        otherGroup: this.demands.get(steps[index].move.candidates[0])?.group === group ? 0 : 1,
        lacks: fits(free) ? 0 : 1,
        off: Math.abs(free.cpu - cpu),
      }))
      .sort((a, b) => a.otherGroup - b.otherGroup || a.lacks - b.lacks || a.off - b.off || a.index - b.index)
      .slice(0, HOSTS)
      .map(({ index }) => index);
  }

  private hosts(steps: readonly Launching[], isEnough: (free: FreeCapacity) => boolean): Host[] {
    const hosts: Host[] = [];
    if (!isFollowing(this.problem)) return hosts;
    for (const [index, { move }] of steps.entries()) {
      if (move.kind === 'delete') continue;
      const free = this.freeOn(move);
      if (isEnough(free)) hosts.push({ index, free });
    }
    return hosts;
  }

  private freeOn(move: Move): FreeCapacity {
    let free = this.known.get(move);
    if (free === undefined) {
      free = freeOnNewNodes(this.problem.simulation.cluster, move.replacements);
      this.known.set(move, free);
    }
    return free;
  }
}
