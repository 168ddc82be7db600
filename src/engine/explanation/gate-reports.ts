import { INSTANCE_TYPE } from '../cluster/well-known.ts';
import { PRICE_REFUSALS } from '../moves/replacement-prices.ts';
import type { MoveRefusal, NodeRefusal, Refusal } from '../refusal.ts';
import type { ThresholdRefusal } from '../search/blocked-moves.ts';
import { type GateFact, moveFact, nodeFact } from './gate-facts.ts';
import {
  GATE_OF_MOVE_REFUSAL,
  GATE_OF_NODE_REFUSAL,
  type GateName,
  isAboutMove,
  MOVE_GATES,
  type MoveGateName,
  NODE_GATES,
  type NodeGateName,
} from './gate-names.ts';
import type { LiftedGates } from './lifted-gates.ts';
import type { NodeTrial } from './trial.ts';

/** A gate's verdict on the node. off: does not apply. not-reached: an earlier gate refused. */
export interface GateReport {
  readonly gate: GateName;
  readonly verdict: 'pass' | 'fail' | 'off' | 'not-reached';
  readonly refusals: readonly Refusal[];
  /** The numbers that it passed with. */
  readonly fact?: GateFact;
}

/** `blocked`: the move of several nodes that the savings threshold blocks, as reported by the plan for this node. */
export function gateReports(
  first: NodeTrial,
  { nodeRefusals, last }: LiftedGates,
  blocked?: ThresholdRefusal,
): readonly GateReport[] {
  // The candidate is known once a trial gets that far.
  const seen = { ...first, candidate: first.candidate ?? last.candidate };
  const priceless = unpriced(seen);
  const refusals = [...nodeRefusals, ...priceless];
  const reports = [
    ...NODE_GATES.map((gate) => nodeReport(gate, seen, refusals)),
    ...moveReports(last, priceless.length > 0),
  ];
  if (blocked === undefined) return reports;
  return reports.map((report) =>
    report.gate === 'savings-threshold'
      ? { gate: report.gate, verdict: 'fail', refusals: [...report.refusals, blocked] }
      : report,
  );
}

/** Not a refusal of its own, but the cause of one: a node without a price cannot save anything. */
function unpriced({ cluster, row, candidate, refusals }: NodeTrial): readonly NodeRefusal[] {
  if (candidate === undefined || candidate.type < 0 || refusals.length === 0) return [];
  if (refusals.some((r) => r.code === 'missing-label')) return [];
  const { zone, capacityType } = candidate;
  const { labels } = cluster.rows[row];
  if (cluster.types.quote(labels) !== undefined) return [];
  return [{ code: 'unpriced', instanceType: labels[INSTANCE_TYPE] ?? '', zone, capacityType }];
}

/** Evaluated for candidates only: other nodes have no method, age or utilization to check. */
const CANDIDATE_GATES: ReadonlySet<NodeGateName> = new Set(NODE_GATES.slice(NODE_GATES.indexOf('pods-evictable') + 1));

function nodeReport(gate: NodeGateName, first: NodeTrial, all: readonly NodeRefusal[]): GateReport {
  const refusals = all.filter((r) => GATE_OF_NODE_REFUSAL[r.code] === gate);
  if (first.candidate === undefined && CANDIDATE_GATES.has(gate)) return { gate, verdict: 'not-reached', refusals };
  if (refusals.length > 0) return { gate, verdict: 'fail', refusals, fact: nodeFact(gate, first) };
  const fact = nodeFact(gate, first);
  return { gate, verdict: fact?.code === 'off' ? 'off' : 'pass', refusals, fact };
}

/** In evaluation order, which differs slightly from the display order. */
const DECIDED: readonly MoveGateName[] = [
  'placeable',
  'initialized-destinations',
  'replacement-count',
  'cheaper',
  'minimum-percent',
  'savings-threshold',
  'minimum-values',
  'spot-to-spot',
  'headroom',
  'balanced',
  'budgets',
  'brakes',
];

/** Without the node's price no gate can tell what a move would save. */
function moveReports(trial: NodeTrial, isUnpriced: boolean): GateReport[] {
  const refusals = trial.refusals.filter(isAboutMove);
  const decided = new Set(decidedBefore(trial, refusals[0]));
  return MOVE_GATES.map((gate) => {
    const own = refusals.filter((r) => GATE_OF_MOVE_REFUSAL[r.code] === gate);
    if (isUnpriced && own.every(({ code }) => PRICE_REFUSALS.has(code)) && own.length > 0)
      return { gate, verdict: 'not-reached', refusals: [] };
    if (own.length > 0) return { gate, verdict: 'fail', refusals: own };
    if (!decided.has(gate)) return { gate, verdict: 'not-reached', refusals: [] };
    const fact = moveFact(gate, trial);
    return { gate, verdict: fact.code === 'off' ? 'off' : 'pass', refusals: [], fact };
  });
}

/** Gates that passed before the first refusal. */
function decidedBefore({ move, attempt }: NodeTrial, first: MoveRefusal | undefined): readonly MoveGateName[] {
  if (move !== undefined) return DECIDED;
  // Without a simulation, a gate for nodes refused.
  if (first === undefined || attempt === undefined) return [];
  if (first.code === 'spot-to-spot-disabled') return DECIDED.slice(0, DECIDED.indexOf('cheaper'));
  return DECIDED.slice(0, DECIDED.indexOf(GATE_OF_MOVE_REFUSAL[first.code]));
}
