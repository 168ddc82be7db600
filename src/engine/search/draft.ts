import { type Candidate, isEmpty } from '../disruption/candidates.ts';
import type { Move } from '../policies/consolidate.ts';
import { Company } from './company.ts';
import { Filling, type Group } from './filling.ts';
import { hostsOf } from './following.ts';
import { bestGroup } from './groups.ts';
import { Launched } from './launched.ts';
import type { Usage } from './order.ts';
import { Partners } from './partners.ts';
import type { SearchProblem } from './problem.ts';
import { toppedUp } from './top-up.ts';
import { netCents, type Trials } from './trials.ts';

/** How a plan is put together, so that many different ones can be tried. */
export interface Recipe {
  /** Nodes in the order in which they are tried; others are left as they are. */
  readonly order: readonly Candidate[];
  /** So many from the front are meant to go: they take nothing in while they are tried. */
  readonly doomed: number;
  /** A node that was meant to go and cannot be deleted takes pods in again; otherwise not before it is known to stay. */
  readonly reuse: boolean;
  /** A node that fills a new one well enough is exchanged by itself at once; otherwise others are tried with it first. */
  readonly alone: boolean;
  /** Nodes that are exchanged together for one before anything else is tried. */
  readonly first?: readonly Candidate[];
}

/** Moves that can all be made, one after the other; no pod is moved twice. */
export interface DraftPlan {
  readonly moves: readonly Move[];
  readonly netCents: number;
  /** Of the nodes that are not empty. */
  readonly disruptionCost: number;
  /** Nodes that go. */
  readonly nodes: number;
}

export const NO_MOVES: DraftPlan = { moves: [], netCents: 0, disruptionCost: 0, nodes: 0 };

/** More money, else less disruption, else more nodes: an empty one goes even if nobody knows its price. */
export function isBetter(a: DraftPlan, b: DraftPlan): boolean {
  if (Math.abs(a.netCents - b.netCents) > 1e-6) return a.netCents > b.netCents;
  if (Math.abs(a.disruptionCost - b.disruptionCost) > 1e-9) return a.disruptionCost < b.disruptionCost;
  return a.nodes > b.nodes;
}

interface Step {
  readonly move: Move;
  readonly netCents: number;
  /** Rows that are settled because of it. */
  readonly settled: readonly number[];
  /** Steps whose new nodes its pods joined, as they were before. */
  readonly joined: readonly { readonly index: number; readonly before: Step }[];
}

/**
 * A plan in the making: moves that stand in the simulation, one layer each, the last of which can be taken back. A node
 * that has taken a pod in stays, so that no pod moves twice. The making may be left at any yield; what was chosen until
 * then is a plan too.
 */
export class Draft {
  private readonly problem: SearchProblem;
  private readonly trials: Trials;
  private readonly usage: ReadonlyMap<Candidate, Usage>;
  private readonly steps: Step[] = [];
  /** Rows that took something in, or are gone. */
  private readonly settled: Set<number>;
  private readonly shunned = new Set<Candidate>();
  private readonly depth: number;
  private readonly company: Company;
  private readonly launched: Launched;

  /** `settled`: rows that must stay, because pods that are pending now would go there. */
  constructor(trials: Trials, usage: ReadonlyMap<Candidate, Usage>, settled: ReadonlySet<number>) {
    this.problem = trials.problem;
    this.trials = trials;
    this.usage = usage;
    this.settled = new Set(settled);
    this.depth = this.problem.simulation.depth;
    this.company = new Company(this.problem);
    this.launched = new Launched(this.problem, usage);
  }

  /** Nodes that are meant to go are drained into the others, then what is left is exchanged for cheaper nodes. */
  *compose({ order, doomed, reuse, alone, first = [] }: Recipe): Generator<void, void> {
    if (first.length > 0) this.keep(first, 1);
    const meant = order.slice(0, doomed).filter((c) => this.isFree(c));
    for (const c of meant) this.shun(c, true);
    for (const c of meant) {
      if (!this.keep([c], 0) && reuse) this.shun(c, false);
      yield;
    }
    yield* this.drain(order.slice(doomed));
    const singly = this.exchangedAlone();
    const exchangeable = order.filter((c) => this.isFree(c) && (c.methods.single || c.methods.multi));
    yield* this.fill(exchangeable, singly, alone);
    yield* this.exchange(exchangeable, singly);
    for (const c of meant) this.shun(c, false);
    // What could not be exchanged stays, and may have room.
    yield* this.drain(order);
    for (const c of order) {
      this.joinBest(c, true);
      yield;
    }
  }

  plan(): DraftPlan {
    const moves = this.company.among(this.steps.map((step) => step.move));
    const candidates = moves.flatMap((move) => move.candidates);
    return {
      moves,
      netCents: moves.reduce((sum, move) => sum + netCents(move), 0),
      disruptionCost: candidates.reduce((sum, c) => sum + (isEmpty(c) ? 0 : c.disruptionCost), 0),
      nodes: candidates.length,
    };
  }

  get length(): number {
    return this.steps.length;
  }

  /** Net cents per hour of the moves that stand. */
  get worth(): number {
    return this.steps.reduce((sum, step) => sum + step.netCents, 0);
  }

  /** Takes the last moves back until so many are left; returns them. */
  undoTo(length: number): readonly Move[] {
    const undone = this.steps.splice(length);
    this.problem.simulation.undoTo(this.depth + length);
    for (const { settled, joined } of undone.toReversed()) {
      for (const row of settled) this.settled.delete(row);
      for (const { index, before } of joined) if (index < length) this.steps[index] = before;
    }
    return undone.map((step) => step.move);
  }

  /** Makes moves of another plan again, their pods in the same places, as far as that can still be done. */
  redo(moves: readonly Move[]): void {
    const all = moves.flatMap((move) => move.candidates);
    for (const c of all) this.shun(c, true);
    for (const move of moves) {
      if (!this.makeAgain(move)) for (const c of move.candidates) this.shun(c, false);
    }
    for (const c of all) this.shun(c, false);
  }

  isFree(c: Candidate): boolean {
    return !this.settled.has(c.row);
  }

  private shun(c: Candidate, shunned: boolean): void {
    this.problem.simulation.existing.shun(c.row, shunned);
    if (shunned) this.shunned.add(c);
    else this.shunned.delete(c);
  }

  private *drain(nodes: readonly Candidate[]): Generator<void, void> {
    for (const c of nodes) {
      this.keep([c], 0);
      yield;
    }
  }

  private keep(candidates: readonly Candidate[], maxReplacements: number): boolean {
    return this.make(candidates, () => this.trials.keep(candidates, maxReplacements));
  }

  private make(candidates: readonly Candidate[], attempt: () => Move | undefined): boolean {
    if (!candidates.every((c) => this.isFree(c))) return false;
    const move = attempt();
    if (move === undefined) return false;
    this.steps.push({ move, netCents: netCents(move), settled: this.settle(move), joined: [] });
    return true;
  }

  private makeAgain(move: Move): boolean {
    const hosts = hostsOf(move);
    if (hosts.size === 0) return this.make(move.candidates, () => this.trials.again(move));
    const indices = [...this.steps.keys()].filter((i) => this.steps[i].move.candidates.some((c) => hosts.has(c.row)));
    return this.follow(move.candidates, indices, move.replacements.length, move);
  }

  /** Makes a move whose pods may go to the new nodes of these steps. */
  private follow(
    candidates: readonly Candidate[],
    indices: readonly number[],
    maxReplacements: number,
    planned?: Move,
  ): boolean {
    if (!candidates.every((c) => this.isFree(c))) return false;
    const before = indices.map((index) => this.steps[index]);
    const followed = this.trials.follow(
      candidates,
      before.map((step) => step.move),
      maxReplacements,
      planned,
    );
    if (followed === undefined) return false;
    const { move, hosts } = followed;
    indices.forEach((index, i) => {
      if (hosts[i] !== before[i].move)
        this.steps[index] = { ...before[i], move: hosts[i], netCents: netCents(hosts[i]) };
    });
    const joined = indices.map((index, i) => ({ index, before: before[i] }));
    this.steps.push({ move, netCents: netCents(move), settled: this.settle(move), joined });
    return true;
  }

  /** As `keep`, but where there is room on earlier steps' new nodes, it is used if that makes the plan better. */
  private keepOrJoin(candidates: readonly Candidate[], maxReplacements: number): boolean {
    const { length } = this;
    if (!this.keep(candidates, maxReplacements)) return false;
    const { move } = this.steps[length];
    const roomiest = move.kind === 'delete' ? [] : this.launched.roomiest(this.steps.slice(0, length));
    if (roomiest.length === 0) return true;
    const { worth } = this;
    this.undoTo(length);
    if (this.follow(candidates, roomiest, maxReplacements) && this.worth > worth + 1e-9) return true;
    this.undoTo(length);
    return this.makeAgain(move);
  }

  /** Deletes the node if its pods can join the new nodes of a step; `larger`: also if those have to grow for it. */
  private joinBest(c: Candidate, larger: boolean): boolean {
    if (!this.isFree(c)) return false;
    for (const index of this.launched.bestForGoal(c, this.steps, larger)) {
      const { length, worth } = this;
      if (this.follow([c], [index], 0) && this.worth > worth + 1e-9) return true;
      this.undoTo(length);
    }
    return false;
  }

  private settle({ candidates, placements }: Move): readonly number[] {
    const settled: number[] = [];
    for (const { row } of [...candidates, ...placements]) {
      if (row < 0 || this.settled.has(row)) continue;
      this.settled.add(row);
      settled.push(row);
    }
    return settled;
  }

  /** Cents per hour that exchanging a node alone would be worth, asked for once. */
  private exchangedAlone(): (c: Candidate) => number {
    const known = new Map<Candidate, number>();
    return (c) => {
      let cents = known.get(c);
      if (cents === undefined) {
        const move = this.trials.moveFor([c], this.problem.maxReplacements);
        cents = move === undefined ? 0 : netCents(move);
        known.set(c, cents);
      }
      return cents;
    };
  }

  /** Groups of kin for one new node each, as long as that pays. */
  private *fill(nodes: readonly Candidate[], singly: (c: Candidate) => number, alone: boolean): Generator<void, void> {
    const isFree = (c: Candidate) => this.isFree(c);
    for (const own of Map.groupBy(nodes, (c) => this.usage.get(c)?.kin).values()) {
      const filling = new Filling(this.trials, own, this.usage, isFree, singly, alone);
      for (let group = filling.next(); group !== undefined; group = filling.next()) {
        if (!this.keepGroup(group, singly)) filling.refuse(group);
        yield;
      }
    }
  }

  /** As many of a group at once as may go, the others after them; if that is worth more than exchanging each alone. */
  private keepGroup({ first, followers }: Group, singly: (c: Candidate) => number): boolean {
    if (followers.length === 0) return this.keepOrJoin(first, 1);
    const alone = new Map([...first, ...followers].map((c) => [c, singly(c)]));
    const { length, worth } = this;
    if (!this.keep(first, 1)) return false;
    for (const c of followers) this.follow([c], [length], 0);
    const gone = this.steps.slice(length).flatMap(({ move }) => move.candidates);
    if (this.worth - worth > gone.reduce((sum, c) => sum + (alone.get(c) as number), 0)) return true;
    this.undoTo(length);
    return false;
  }

  /** Each of the others for something cheaper, alone or with partners, as it is worth more. */
  private *exchange(nodes: readonly Candidate[], singly: (c: Candidate) => number): Generator<void, void> {
    const partners = new Partners(nodes, this.usage);
    const isFree = (c: Candidate) => this.isFree(c);
    for (const seed of nodes) {
      if (!this.isFree(seed)) continue;
      if (this.joinBest(seed, false)) {
        yield;
        continue;
      }
      const group = bestGroup(this.trials, seed, partners.of(seed, isFree), singly);
      if (group !== undefined) {
        const others = partners.inPoolOf(seed).filter(isFree);
        const move = toppedUp(this.trials, group, others, this.usage, singly);
        this.keepOrJoin(move.candidates, this.problem.maxReplacements);
      } else this.shun(seed, false);
      yield;
    }
  }

  /** The cluster is as it was before. */
  close(): void {
    this.undoTo(0);
    for (const c of this.shunned) this.shun(c, false);
  }
}
