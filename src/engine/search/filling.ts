import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../policies/consolidate.ts';
import { CrowdedHost, crowdsOf } from './crowds.ts';
import { isFollowing } from './following.ts';
import type { Usage } from './order.ts';
import { netCents, type Trials } from './trials.ts';
import type { Vessel } from './vessels.ts';

/** Nodes poured into one new node, at most. */
const LARGEST = 24;
/** So many nodes are looked at for a new one, those with most in them first. */
const WINDOW = 48;
/** Times that a group is tried again without those who are in the way. */
const REPAIRS = 8;

/** Times that a group of which some follow may come to nothing, before only those are tried that go at once. */
const PATIENCE = 4;

/** Nodes for one new node: some at once, and those for whom it is large enough after them. */
export interface Group {
  readonly first: readonly Candidate[];
  readonly followers: readonly Candidate[];
}

interface Contents extends Usage {
  readonly candidate: Candidate;
  readonly pods: number;
  readonly crowds: ReturnType<typeof crowdsOf>;
}

/**
 * Exchanges whole groups of nodes of one pool for one new node each. All pods of a group go into one node, so their
 * sums decide whether they fit, and only constraints can say no afterwards. For each kind of new node a group is
 * poured that fills it; the kind with the least waste is tried first.
 */
export class Filling {
  private readonly trials: Trials;
  private readonly isFree: (c: Candidate) => boolean;
  /** Cents per hour that exchanging the node alone would be worth. */
  private readonly singly: (c: Candidate) => number;
  private readonly contents: readonly Contents[];
  private readonly vessels: readonly Vessel[];
  private readonly refused = new Set<Candidate>();
  private readonly most: number;
  private readonly mayFollow: boolean;
  private readonly alone: boolean;
  private first = 0;
  private disappointments = 0;

  /** `candidates`: all of one pool; `alone`: a group may be a single node. */
  constructor(
    trials: Trials,
    candidates: readonly Candidate[],
    usage: ReadonlyMap<Candidate, Usage>,
    isFree: (c: Candidate) => boolean,
    singly: (c: Candidate) => number,
    alone: boolean,
  ) {
    this.alone = alone;
    const { cluster } = trials.problem.simulation;
    const [{ pool, policy }] = candidates;
    this.trials = trials;
    this.isFree = isFree;
    this.singly = singly;
    this.vessels = trials.vessels.of(pool);
    this.contents = candidates
      .map((candidate) => ({
        ...(usage.get(candidate) as Usage),
        candidate,
        pods: cluster.movableOfRow[candidate.row].length,
        crowds: crowdsOf(cluster, candidate.row),
      }))
      .filter(({ cents, fairCents }) => cents > fairCents)
      .sort((a, b) => b.fairCents - a.fairCents || (a.candidate.name < b.candidate.name ? -1 : 1));
    const { budgets } = trials.problem;
    this.mayFollow = isFollowing(trials.problem);
    this.most = Math.min(LARGEST, policy.multiNode.maxParallel, budgets.Underutilized.get(pool.name) ?? 0);
  }

  /** The next group that seems worth exchanging, known to be so if nobody follows; undefined when there is none. */
  next(): Group | undefined {
    for (;;) {
      const group = this.bestGuess();
      if (group === undefined || group.followers.length > 0) return group;
      const move = this.verified(group.first);
      if (move !== undefined) return { first: move.candidates, followers: [] };
      this.refused.add(group.first[0]);
    }
  }

  /** It was not worth exchanging after all. */
  refuse({ first, followers }: Group): void {
    if (followers.length === 0) this.refused.add(first[0]);
    else this.disappointments++;
  }

  private bestGuess(): Group | undefined {
    const window = this.window();
    const mayFollow = this.mayFollow && this.most < LARGEST && this.disappointments < PATIENCE;
    let best: Group | undefined;
    let fullest = 0;
    for (const most of mayFollow ? [this.most, LARGEST] : [this.most]) {
      for (const vessel of this.vessels) {
        const poured = this.pour(vessel, window, most);
        // The first to go have to pay for the new node.
        const inOrder = poured.length <= this.most ? poured : poured.toSorted((a, b) => b.cents - a.cents);
        const cents = inOrder.slice(0, this.most).reduce((sum, c) => sum + c.cents, 0);
        const fill = poured.reduce((sum, c) => sum + c.fairCents, 0) / vessel.cents;
        if (cents <= vessel.cents || fill <= fullest) continue;
        fullest = fill;
        const group = inOrder.map((c) => c.candidate);
        best = { first: group.slice(0, this.most), followers: group.slice(this.most) };
      }
    }
    return best;
  }

  private window(): Contents[] {
    const { contents } = this;
    const isOpen = ({ candidate }: Contents) => !this.refused.has(candidate) && this.isFree(candidate);
    while (this.first < contents.length && !isOpen(contents[this.first])) this.first++;
    const window: Contents[] = [];
    for (let i = this.first; i < contents.length && window.length < WINDOW; i++) {
      if (isOpen(contents[i])) window.push(contents[i]);
    }
    return window;
  }

  /** One after the other, the node whose contents best match the shape of what is left of the vessel. */
  private pour(vessel: Vessel, window: readonly Contents[], most: number): readonly Contents[] {
    let { cpu, memory, pods } = vessel;
    const poured: Contents[] = [];
    const host = new CrowdedHost();
    const left = [...window];
    while (poured.length < most) {
      let best = -1;
      let match = -1;
      for (let i = 0; i < left.length; i++) {
        const c = left[i];
        if (c.cpu > cpu || c.memory > memory || c.pods > pods) continue;
        const own = (c.cpu / vessel.cpu) * (cpu / vessel.cpu) + (c.memory / vessel.memory) * (memory / vessel.memory);
        if (own <= match || !host.takes(c.crowds)) continue;
        match = own;
        best = i;
      }
      if (best < 0) break;
      const [c] = left.splice(best, 1);
      poured.push(c);
      host.take(c.crowds);
      cpu -= c.cpu;
      memory -= c.memory;
      pods -= c.pods;
    }
    return poured;
  }

  /** The group, less the nodes whose constraints are in the way. */
  private verified(group: readonly Candidate[]): Move | undefined {
    let left = group;
    for (let repair = 0; repair <= REPAIRS && left.length > 0; repair++) {
      const result = this.trials.attempt(left, 1);
      if ('move' in result) {
        const singly = left.reduce((sum, c) => sum + this.singly(c), 0);
        const isWorthIt = left.length === 1 ? this.alone : netCents(result.move) > singly;
        return isWorthIt ? result.move : undefined;
      }
      const { blockers } = result;
      const kept = left.filter((c) => !blockers.has(c.row));
      if (kept.length === left.length) return undefined;
      left = kept.length === 0 ? left.slice(0, left.length - 1) : kept;
    }
    return undefined;
  }
}
