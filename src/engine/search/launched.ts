import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../policies/consolidate.ts';
import type { Usage } from './order.ts';
import type { SearchProblem } from './problem.ts';
import { type Room, roomOn } from './room.ts';

/** Moves whose new nodes are tried, at most. */
const HOSTS = 4;

/** Where there is room on nodes that earlier moves launch. */
export class Launched {
  private readonly problem: SearchProblem;
  private readonly usage: ReadonlyMap<Candidate, Usage>;
  private readonly rooms = new WeakMap<Move, Room>();

  constructor(problem: SearchProblem, usage: ReadonlyMap<Candidate, Usage>) {
    this.problem = problem;
    this.usage = usage;
  }

  /** The moves, by their places, with most cpu left on what they launch. */
  roomiest(moves: readonly Move[]): readonly number[] {
    return this.hosts(moves)
      .filter(({ room }) => room.cpu > 0 && room.memory > 0)
      .sort((a, b) => b.room.cpu - a.room.cpu || a.index - b.index)
      .slice(0, HOSTS)
      .map(({ index }) => index);
  }

  /**
   * The moves, by their places, whose new nodes this node's pods would fill best; `larger`: then those that lack least.
   * Nodes that are kin come first.
   */
  bestFor(c: Candidate, moves: readonly Move[], larger: boolean): readonly number[] {
    const { cpu, memory, kin } = this.usage.get(c) as Usage;
    const { movableOfRow } = this.problem.simulation.cluster;
    if (movableOfRow[c.row].length === 0) return [];
    return this.hosts(moves)
      .map(({ index, room }) => ({
        index,
        stranger: this.usage.get(moves[index].candidates[0])?.kin === kin ? 0 : 1,
        lacks: room.cpu < cpu || room.memory < memory ? 1 : 0,
        off: Math.abs(room.cpu - cpu),
      }))
      .filter(({ lacks }) => larger || lacks === 0)
      .sort((a, b) => a.stranger - b.stranger || a.lacks - b.lacks || a.off - b.off || a.index - b.index)
      .slice(0, HOSTS)
      .map(({ index }) => index);
  }

  private hosts(moves: readonly Move[]): { readonly index: number; readonly room: Room }[] {
    if (!this.problem.mayFollow) return [];
    return moves.flatMap((move, index) => (move.kind === 'delete' ? [] : [{ index, room: this.roomOf(move) }]));
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
