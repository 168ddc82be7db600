import type { Candidate } from '../../disruption/candidates.ts';
import { isAtLeast } from '../../disruption/tolerance.ts';
import type { Move } from '../../moves/move.ts';
import { isFollowing } from '../following.ts';
import { type Benefit, benefitOf, isGreater, sumOf } from '../net-benefit.ts';
import type { Trials } from '../trials.ts';
import { type HostGroupCount, hostGroupCounts, PlannedHost } from './host-group-counts.ts';
import { tryOrJoin } from './join.ts';
import type { LaunchOption } from './launch-options.ts';
import type { NodeDemand } from './node-demand.ts';
import type { Composition, Phase } from './phase.ts';

/** Nodes replaced by one new node, at most. */
const LARGEST = 24;
/** Nodes considered for a new one, those with the largest demand first. */
const WINDOW = 48;
/** Times that a group is tried again without the nodes whose pods do not fit. */
const REPAIRS = 8;
/** Groups with followers that may fail before only groups that go at once are tried. */
const PATIENCE = 4;

/** Replaces groups of nodes by one new node each, as long as that pays. */
export const fill: Phase = {
  *run(composition) {
    const { draft, recipe, demands } = composition;
    const nodes = recipe.order.filter((c) => draft.isFree(c) && (c.methods.single || c.methods.multi));
    for (const own of Map.groupBy(nodes, (c) => demands.get(c)?.group).values()) {
      const contents: Contents[] = [];
      for (const c of own) {
        contents.push(contentsOf(composition, c));
        yield;
      }
      const filling = new Filling(composition, own[0], contents);
      for (let group = yield* filling.next(); group !== undefined; group = yield* filling.next()) {
        if (!replaceGroup(composition, group)) filling.refuse(group);
        yield;
      }
    }
  },
};

/** As many of a group at once as may go, the others after them; if that is worth more than replacing each alone. */
function replaceGroup(composition: Composition, { first, followers }: Group): boolean {
  if (followers.length === 0) return tryOrJoin(composition, first, 1);
  const { draft, alone } = composition;
  const singly = new Map([...first, ...followers].map((c) => [c, alone(c)]));
  const { length, benefit } = draft;
  if (!draft.try(first, 1)) return false;
  const launching = draft.steps.findIndex(({ move }, i) => i >= length && move.kind === 'replace');
  for (const c of launching < 0 ? [] : followers) draft.tryJoining([c], [launching], 0);
  const gone = draft.steps.slice(length).flatMap(({ move }) => move.candidates);
  if (isGreater(draft.benefit, sumOf([benefit, ...gone.map((c) => singly.get(c) as Benefit)]))) return true;
  draft.undoTo(length);
  return false;
}

/** Nodes for one new node: some at once, and others that follow when it runs. */
interface Group {
  readonly first: readonly Candidate[];
  readonly followers: readonly Candidate[];
}

interface Contents extends NodeDemand {
  readonly candidate: Candidate;
  readonly pods: number;
  readonly hostCounts: readonly HostGroupCount[];
}

function contentsOf({ draft, demands }: Composition, candidate: Candidate): Contents {
  const { cluster } = draft.trials.problem.simulation;
  return {
    ...(demands.get(candidate) as NodeDemand),
    candidate,
    pods: cluster.movableOfRow[candidate.row].length,
    hostCounts: hostGroupCounts(cluster, candidate.row),
  };
}

/** They cost more than this, by at least the savings that their pools require. */
function paysFor(nodes: readonly Contents[], centsPerHour: number): boolean {
  const price = nodes.reduce((sum, { candidate }) => sum + candidate.price * 100, 0);
  const beyondRequired = nodes.reduce((sum, { cents }) => sum + cents, 0);
  return price > centsPerHour && isAtLeast(beyondRequired, centsPerHour);
}

/**
 * Chooses groups of nodes with the same shared constraints, of one pool, for one new node each. All pods of a group go to one
 * node, so their sums decide whether they fit, and only constraints can refuse afterwards. For each launch option the group
 * is picked that fills it best; the option with the least waste is tried first.
 */
class Filling {
  private readonly trials: Trials;
  private readonly isFree: (c: Candidate) => boolean;
  private readonly aloneOf: Composition['alone'];
  private readonly contents: readonly Contents[];
  private readonly launchOptions: readonly LaunchOption[];
  private readonly refused = new Set<Candidate>();
  /** Nodes that may go at once. */
  private readonly most: number;
  private readonly mayFollow: boolean;
  /** A group may be a single node. */
  private readonly alone: boolean;
  private first = 0;
  private failures = 0;

  /** `contents`: of nodes of one group, this one among them. */
  constructor(
    { draft, recipe, launchOptions, alone }: Composition,
    { pool, policy }: Candidate,
    contents: readonly Contents[],
  ) {
    const { trials } = draft;
    this.alone = recipe.alone;
    this.trials = trials;
    this.isFree = (c) => draft.isFree(c);
    this.aloneOf = alone;
    this.launchOptions = launchOptions.of(pool);
    this.contents = contents
      .filter((c) => paysFor([c], c.fairCents))
      .sort((a, b) => b.fairCents - a.fairCents || (a.candidate.name < b.candidate.name ? -1 : 1));
    const { budgets } = trials.problem;
    this.mayFollow = isFollowing(trials.problem);
    this.most = Math.min(LARGEST, policy.multiNode.maxParallel, budgets.Underutilized.get(pool.name) ?? 0);
  }

  /** The next group that seems worth replacing, known to be so if there are no followers; undefined when there is none. */
  *next(): Generator<void, Group | undefined> {
    for (;;) {
      const group = this.bestGuess();
      if (group === undefined || group.followers.length > 0) return group;
      const move = this.verified(group.first);
      if (move !== undefined) return { first: move.candidates, followers: [] };
      this.refused.add(group.first[0]);
      yield;
    }
  }

  /** The group was not worth replacing after all. */
  refuse({ first, followers }: Group): void {
    if (followers.length === 0) this.refused.add(first[0]);
    else this.failures++;
  }

  private bestGuess(): Group | undefined {
    const window = this.window();
    const mayFollow = this.mayFollow && this.most < LARGEST && this.failures < PATIENCE;
    let best: Group | undefined;
    let fullest = 0;
    for (const most of mayFollow ? [this.most, LARGEST] : [this.most]) {
      for (const option of this.launchOptions) {
        const picked = this.pick(option, window, most);
        // The nodes that go at once must pay for the new node.
        const inOrder = picked.length <= this.most ? picked : picked.toSorted((a, b) => b.cents - a.cents);
        const fill = picked.reduce((sum, c) => sum + c.fairCents, 0) / option.cents;
        if (fill <= fullest || !paysFor(inOrder.slice(0, this.most), option.cents)) continue;
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

  /** Repeatedly the node whose demand best matches the remaining capacity of the option. */
  private pick(option: LaunchOption, window: readonly Contents[], most: number): readonly Contents[] {
    let { cpu, memory, pods } = option;
    const picked: Contents[] = [];
    const host = new PlannedHost();
    const left = [...window];
    while (picked.length < most) {
      let best = -1;
      let match = -1;
      for (let i = 0; i < left.length; i++) {
        const c = left[i];
        if (c.cpu > cpu || c.memory > memory || c.pods > pods) continue;
        const own = (c.cpu / option.cpu) * (cpu / option.cpu) + (c.memory / option.memory) * (memory / option.memory);
        if (own <= match || !host.takes(c.hostCounts)) continue;
        match = own;
        best = i;
      }
      if (best < 0) break;
      const [c] = left.splice(best, 1);
      picked.push(c);
      host.take(c.hostCounts);
      cpu -= c.cpu;
      memory -= c.memory;
      pods -= c.pods;
    }
    return picked;
  }

  /** The move for the group, without the nodes whose pods do not fit. */
  private verified(group: readonly Candidate[]): Move | undefined {
    let left = group;
    for (let repair = 0; repair <= REPAIRS && left.length > 0; repair++) {
      const result = this.trials.attempt(left, 1);
      if ('move' in result) {
        const alone = sumOf(left.map((c) => this.aloneOf(c)));
        const isWorthIt = left.length === 1 ? this.alone : isGreater(benefitOf([result.move]), alone);
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
