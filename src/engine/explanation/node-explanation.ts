import type { InstanceType } from '../cluster/objects.ts';
import { isDaemonPod, isTerminal } from '../cluster/pods.ts';
import { SPOT } from '../cluster/well-known.ts';
import { API_VERSION, type Plan, type PlannedMove, type PlannedNode, type PlannedRefusal } from '../plan-document.ts';
import { refusalText } from '../refusal-text.ts';
import type { ThresholdRefusal } from '../search/blocked-moves.ts';
import type { Change } from './change.ts';
import { type GateReport, gateReports } from './gate-reports.ts';
import { jointUnlocks } from './joint-unlock.ts';
import { liftGates } from './lifted-gates.ts';
import { type NotPlanned, turnOf } from './not-planned.ts';
import { type Removal, removalOf } from './removal.ts';
import type { Situation } from './situation.ts';
import { type NodeTrial, NodeTrials } from './trial.ts';
import { findUnlocks, type Unlock, type UnlockSearch } from './unlocks.ts';
import { changeWords, gateWords, unlockWords } from './words.ts';

/** Why a node goes or stays, and what would change that: data, each with its text. */
export interface NodeExplanation {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'NodeExplanation';
  readonly now: string;
  /** As in the plan. */
  readonly node: PlannedNode;
  /** Pods on the node, and how many of them belong to DaemonSets and do not move. */
  readonly pods: { readonly running: number; readonly ofDaemonSets: number };
  /** It has the soft taint of nodes that empty themselves: since when, and how many pods it had then. */
  readonly emptying?: { readonly since: string; readonly podsThen: number; readonly podsNow: number };
  /** waits: nothing refuses it, but the plan makes other moves first. */
  readonly verdict: 'goes' | 'waits' | 'stays';
  /** The move that removes it. */
  readonly move?: { readonly number: number; readonly move: PlannedMove };
  /** How often the cloud interrupts such spot nodes: this one, and what replaces it. Empty if unknown. */
  readonly spotInterruptions: readonly SpotInterruptions[];
  /** Why it is not in this plan, if nothing refuses it. */
  readonly turn?: NotPlanned;
  /** What the removal and the gates for moves assume, because a gate for nodes refuses; empty if none does. */
  readonly assumed: readonly ExplainedChange[];
  readonly gates: readonly ExplainedGate[];
  readonly removal?: Removal;
  /** Alternatives; empty if the node may go. */
  readonly unlocks: readonly ExplainedUnlock[];
  /** Without an unlock: how far the most promising changes lead, and what refuses then. */
  readonly deadEnd?: { readonly changes: readonly ExplainedChange[]; readonly refusals: readonly PlannedRefusal[] };
}

export type ExplainedChange = Change & { readonly message: string };
export type ExplainedGate = GateReport & { readonly message: string };
export type ExplainedUnlock = Omit<Unlock, 'changes'> & {
  readonly changes: readonly ExplainedChange[];
  readonly message: string;
};

/** undefined if the plan has no such node. `maxReplacements`: limit on new nodes per move of the plan's search. */
export function explainNode(
  situation: Situation,
  plan: Plan,
  name: string,
  maxReplacements: number = situation.rules.settings.maxReplacements,
): NodeExplanation | undefined {
  const node = plan.nodes.find((n) => n.name === name);
  if (node === undefined) return undefined;
  const trials = new NodeTrials(situation, name);
  const first = trials.run();
  const lifted = liftGates(trials, first);
  const number = plan.moves.findIndex((m) => m.nodes.includes(name)) + 1;
  const allowed = first.refusals.length === 0;
  const verdict = number > 0 ? 'goes' : allowed ? 'waits' : 'stays';
  const { attempt } = lifted.last;
  const blocked = blockedMoveIn(node);
  const found: UnlockSearch = verdict === 'stays' ? findUnlocks(trials, first) : { unlocks: [] };
  const joint = verdict === 'stays' && blocked !== undefined ? jointUnlocks(situation, blocked, maxReplacements) : [];
  return {
    apiVersion: API_VERSION,
    kind: 'NodeExplanation',
    now: plan.now,
    node,
    pods: podsOn(first),
    emptying: emptyingOf(first),
    verdict,
    move: number > 0 ? { number, move: plan.moves[number - 1] } : undefined,
    spotInterruptions: spotInterruptions(situation.objects.instanceTypes, node, plan.moves[number - 1]),
    turn: verdict === 'waits' ? turnOf(plan, name, first) : undefined,
    assumed: lifted.assumed.map(explainedChange),
    gates: gateReports(first, lifted, blocked).map((report) => ({ ...report, message: gateWords(report) })),
    removal: attempt === undefined ? undefined : removalOf(lifted.last, attempt),
    unlocks: [...joint, ...found.unlocks].map((unlock) => explainedUnlock(unlock, name)),
    deadEnd:
      joint.length > 0
        ? undefined
        : found.deadEnd && {
            changes: found.deadEnd.changes.map(explainedChange),
            refusals: found.deadEnd.refusals.map((r) => ({ ...r, message: refusalText(r) })),
          },
  };
}

/** The plan's refusal of a move of several nodes that includes this one. */
function blockedMoveIn({ refusals }: PlannedNode): ThresholdRefusal | undefined {
  const told = refusals.find((r) => r.code === 'savings-below-threshold' && r.nodes !== undefined);
  if (told === undefined) return undefined;
  const { message: _, ...refusal } = told;
  return refusal as ThresholdRefusal;
}

function podsOn({ cluster, row }: NodeTrial): NodeExplanation['pods'] {
  const running = cluster.podsOfRow[row].filter((i) => !isTerminal(cluster.pods[i]));
  return { running: running.length, ofDaemonSets: running.filter((i) => isDaemonPod(cluster.pods[i])).length };
}

function emptyingOf(trial: NodeTrial): NodeExplanation['emptying'] {
  const from = trial.cluster.rows[trial.row].node?.steeredFrom;
  if (from === undefined) return undefined;
  const { running, ofDaemonSets } = podsOn(trial);
  return { since: new Date(from.atMs).toISOString(), podsThen: from.pods, podsNow: running - ofDaemonSets };
}

function explainedChange(change: Change): ExplainedChange {
  return { ...change, message: changeWords(change) };
}

function explainedUnlock(unlock: Unlock, node: string): ExplainedUnlock {
  return { ...unlock, changes: unlock.changes.map(explainedChange), message: unlockWords(unlock, node) };
}

/** Share of such spot nodes that the cloud interrupts within a month, as the catalog knows it. */
export interface SpotInterruptions {
  readonly instanceType: string;
  readonly monthlyShare: number;
}

const MONTH_HOURS = 30 * 24;

/** Of the node, and of what replaces it: spot only, and where the catalog knows it. */
function spotInterruptions(
  types: readonly InstanceType[],
  node: PlannedNode,
  move: PlannedMove | undefined,
): readonly SpotInterruptions[] {
  const wanted = new Set(node.capacityType === SPOT ? [node.instanceType] : []);
  for (const { capacityTypes, instanceTypes } of move?.replacements ?? [])
    if (capacityTypes.includes(SPOT)) wanted.add(instanceTypes[0]);
  return [...wanted].flatMap((instanceType) => {
    const rate = types.find(({ name }) => name === instanceType)?.spotInterruptionsPerHour;
    return rate === undefined ? [] : [{ instanceType, monthlyShare: -Math.expm1(-rate * MONTH_HOURS) }];
  });
}
