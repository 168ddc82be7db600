import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../policies/consolidate.ts';
import { isFollowing } from './following.ts';
import type { Usage } from './order.ts';
import type { SearchProblem } from './problem.ts';
import { type Room, roomOn } from './room.ts';

/** Steps whose new nodes are tried, at most. */
const HOSTS = 4;
/** Steps of a plan in which all may be looked at, whether or not there is room. */
const SMALL = 64;

interface Launching {
  readonly move: Move;
}

/** Where there is room on nodes that earlier moves launch. */
export class Launched {
  private readonly problem: SearchProblem;
  private readonly usage: ReadonlyMap<Candidate, Usage>;
  private readonly rooms = new WeakMap<Move, Room>();

  constructor(problem: SearchProblem, usage: ReadonlyMap<Candidate, Usage>) {
    this.problem = problem;
    this.usage = usage;
  }

  /** The steps, by their places, with most cpu left on what they launch. */
  roomiest(steps: readonly Launching[]): readonly number[] {
    return this.hosts(steps, ({ cpu, memory }) => cpu > 0 && memory > 0)
      .sort((a, b) => b.room.cpu - a.room.cpu || a.index - b.index)
      .slice(0, HOSTS)
      .map(({ index }) => index);
  }

  /**
   * The steps, by their places, whose new nodes this node's pods would fill best; `larger`: of a plan that is small, then
   * those that lack least. Nodes that are kin come first.
   */
  bestForGoal(c: Candidate, steps: readonly Launching[], larger: boolean): readonly number[] {
    const { cpu, memory, kin } = this.usage.get(c) as Usage;
    if (this.problem.simulation.cluster.movableOfRow[c.row].length === 0) return [];
    const fits = (room: Room) => room.cpu >= cpu && room.memory >= memory;
    return this.hosts(steps, larger && steps.length <= SMALL ? () => true : fits)
      .map(({ index, room }) => ({
        index,
        stranger: this.usage.get(steps[index].move.candidates[0])?.kin === kin ? 0 : 1,
        lacks: fits(room) ? 0 : 1,
        off: Math.abs(room.cpu - cpu),
      }))
      .sort((a, b) => a.stranger - b.stranger || a.lacks - b.lacks || a.off - b.off || a.index - b.index)
      .slice(0, HOSTS)
      .map(({ index }) => index);
  }

  private hosts(
    steps: readonly Launching[],
    isEnough: (room: Room) => boolean,
  ): { readonly index: number; readonly room: Room }[] {
    const hosts: { index: number; room: Room }[] = [];
    if (!isFollowing(this.problem)) return hosts;
    for (const [index, { move }] of steps.entries()) {
      if (move.kind === 'delete') continue;
      const room = this.roomOf(move);
      if (isEnough(room)) hosts.push({ index, room });
    }
    return hosts;
  }

  private roomOf(move: Move): Room {
    let room = this.rooms.get(move);
    if (room === undefined) {
      room = roomOn(this.problem.simulation.cluster, move.replacements);
      this.rooms.set(move, room);
    }
    return room;
  }
}
