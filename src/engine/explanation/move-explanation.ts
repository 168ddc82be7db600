import { namespacedName } from '../cluster/pods.ts';
import { type Candidate, savingsRatio } from '../disruption/candidates.ts';
import { requiredSavings } from '../disruption/required-savings.ts';
import { API_VERSION, type Plan, type PlannedMove, type PlannedRefusal } from '../plan-document.ts';
import { refusalText } from '../refusal-text.ts';
import { GroupTrials, type GroupVerdict } from './group-trials.ts';
import type { Situation } from './situation.ts';

/** A move of a plan beside its alternatives. */
export interface MoveExplanation {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'MoveExplanation';
  readonly now: string;
  readonly search: Plan['search'];
  /** 1-based. */
  readonly number: number;
  readonly move: PlannedMove;
  /** Savings beyond the required ones. */
  readonly netCentsPerHour: number;
  readonly nodes: readonly NodeInMove[];
  /** Each tried by itself on the cluster on which the move is made. */
  readonly alternatives: readonly MoveAlternative[];
  /** Nodes of a large group that were not tried separately. */
  readonly untried: number;
}

export interface NodeInMove {
  readonly node: string;
  readonly centsPerHour: number;
  readonly disruptionCost: number;
  /** Price in cents per hour divided by what Karpenter counts as its cost, pods to move plus one: Karpenter's order. */
  readonly worth: number;
  readonly placements: readonly { readonly pod: string; readonly to: string }[];
}

/**
 * alone: only that node of the group. without: the group without it. with: the group and one more node. instead: a node
 * outside the plan, by itself; the best of them is the runner-up.
 */
export interface MoveAlternative {
  readonly what: 'alone' | 'without' | 'with' | 'instead';
  readonly node: string;
  readonly decision: 'delete' | 'replace' | 'none';
  readonly savingsCentsPerHour: number;
  readonly requiredCentsPerHour: number;
  readonly netCentsPerHour: number;
  readonly disruptionCost: number;
  readonly evictions: number;
  /** As for nodes in the move; of the alternative's node. */
  readonly worth: number;
  readonly refusal?: PlannedRefusal;
  /** The replacement costs at least as much as one of the nodes, which could be kept instead. */
  readonly keepsOne?: true;
}

/** Nodes of a group that are tried separately. */
const MAX_APART = 10;
/** Nodes outside the group that are tried with it and instead of it. */
const MAX_OTHERS = 3;

/** `situation`: with the cluster that the stages before the move leave. undefined if the plan has no such move. `maxReplacements`: limit on new nodes per move of the plan's search. */
export function explainMove(
  situation: Situation,
  plan: Plan,
  number: number,
  maxReplacements: number = situation.rules.settings.maxReplacements,
): MoveExplanation | undefined {
  const move = plan.moves[number - 1];
  if (move === undefined) return undefined;
  const trials = new GroupTrials(situation, maxReplacements);
  const group = trials.candidates.filter((c) => move.nodes.includes(c.name));
  const leaving = new Set(plan.moves.flatMap((m) => m.nodes));
  const { cluster } = trials;
  const isPriced = ({ row }: Candidate) => cluster.types.quote(cluster.rows[row].labels) !== undefined;
  const others = trials.candidates.filter((c) => !leaving.has(c.name) && isPriced(c));
  // Empty nodes are removed independently of others.
  const empty = move.method === 'emptiness';
  const apart = empty ? group : group.slice(0, MAX_APART);
  const compare = (what: MoveAlternative['what'], c: Candidate, nodes: readonly Candidate[]) =>
    alternative(what, c, nodes, trials.judge(nodes));
  const instead = others.map((c) => compare('instead', c, [c])).sort(bestFirst);
  const worthiest = [...others].sort((a, b) => savingsRatio(b) - savingsRatio(a)).slice(0, MAX_OTHERS);
  const without = () =>
    apart.map((c) =>
      compare(
        'without',
        c,
        group.filter((other) => other !== c),
      ),
    );
  return {
    apiVersion: API_VERSION,
    kind: 'MoveExplanation',
    now: plan.now,
    search: plan.search,
    number,
    move,
    netCentsPerHour: move.savingsCentsPerHour - move.requiredCentsPerHour,
    nodes: group.map((c) => nodeInMove(trials, c, move)),
    alternatives: [
      ...(group.length > 1 && !empty ? apart.map((c) => compare('alone', c, [c])) : []),
      ...(group.length > 2 && !empty ? without() : []),
      ...(empty ? [] : worthiest.map((c) => compare('with', c, [...group, c]))),
      ...instead.slice(0, MAX_OTHERS),
    ],
    untried: group.length - apart.length,
  };
}

function nodeInMove({ cluster }: GroupTrials, c: Candidate, move: PlannedMove): NodeInMove {
  const own = new Set(cluster.podsOfRow[c.row].map((i) => namespacedName(cluster.pods[i])));
  return {
    node: c.name,
    centsPerHour: c.price * 100,
    disruptionCost: c.disruptionCost,
    worth: savingsRatio(c) * 100,
    placements: move.placements.filter(({ pod }) => own.has(pod)),
  };
}

function alternative(
  what: MoveAlternative['what'],
  subject: Candidate,
  nodes: readonly Candidate[],
  verdict: GroupVerdict,
): MoveAlternative {
  const { requiredCents, disruptionCost } = requiredSavings(nodes);
  const move = 'move' in verdict ? verdict.move : undefined;
  const savings = (move?.savings ?? 0) * 100;
  return {
    what,
    node: subject.name,
    decision: move?.kind ?? 'none',
    savingsCentsPerHour: savings,
    requiredCentsPerHour: requiredCents,
    netCentsPerHour: move === undefined ? 0 : savings - requiredCents,
    disruptionCost,
    evictions: move?.placements.length ?? 0,
    worth: savingsRatio(subject) * 100,
    keepsOne: 'keepsOne' in verdict ? true : undefined,
    refusal: 'refusal' in verdict ? { ...verdict.refusal, message: refusalText(verdict.refusal) } : undefined,
  };
}

/** Greatest net gain, then least disruption. */
function bestFirst(a: MoveAlternative, b: MoveAlternative): number {
  return b.netCentsPerHour - a.netCentsPerHour || a.disruptionCost - b.disruptionCost || (a.node < b.node ? -1 : 1);
}
