import type { ClusterObjects } from '../cluster/objects.ts';
import { disapproving, isBeyondBalance, type PoolTotals, poolTotals } from '../disruption/balanced.ts';
import { consolidationBudgets } from '../disruption/budgets.ts';
import { type Candidate, isEmpty } from '../disruption/candidates.ts';
import { assess, refusalsByMethods } from '../gates/assessment.ts';
import { PoolReserve } from '../gates/pool-reserve.ts';
import { singleNodeAllowed } from '../gates/single-node-allowed.ts';
import { replacementsAllowed, scoreRefusal } from '../moves/alone.ts';
import { consolidate, deletion } from '../moves/consolidate.ts';
import type { Move } from '../moves/move.ts';
import { refusalsAlone } from '../pass/node-verdict.ts';
import type { MoveRefusal, NodeRefusal, Refusal } from '../refusal.ts';
import { compile } from '../scheduling/compile.ts';
import { CompileCache } from '../scheduling/compile-cache.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { Simulation } from '../scheduling/simulation.ts';
import { reasonFor } from '../search/approval.ts';
import { type Attempt, attemptOf } from './attempt.ts';
import type { Change } from './change.ts';
import { changed, type Situation } from './situation.ts';

/** The engine's verdict on removing one node by itself, and how far the evaluation got. */
export interface NodeTrial {
  readonly cluster: CompiledCluster;
  readonly situation: Situation;
  readonly row: number;
  /** undefined if a gate for nodes refused first. */
  readonly candidate?: Candidate;
  /** Empty if the node may go. */
  readonly refusals: readonly Refusal[];
  /** The simulation's result, if there was one. */
  readonly attempt?: Attempt;
  readonly move?: Move;
  /** Nodes of its pool that may still be disrupted, once the move itself is accepted. */
  readonly budgetLeft?: number;
}

/** Tries changes on one node of one cluster, which is compiled again only if necessary. */
export class NodeTrials {
  readonly situation: Situation;
  readonly node: string;
  private compiled: CompiledCluster | undefined;
  /** Most changes leave the catalog and most pods as they are. */
  private readonly cache: CompileCache;

  constructor(situation: Situation, node: string, cache = new CompileCache()) {
    this.situation = situation;
    this.node = node;
    this.cache = cache;
  }

  /** Without changes: the current situation. */
  run(changes: readonly Change[] = [], node = this.node): NodeTrial {
    const situation = changed(this.situation, changes);
    const cluster = this.clusterOf(situation);
    const row = cluster.rows.findIndex((r) => r.tracked && r.name === node);
    if (row < 0) throw new Error(`no node ${node} in the cluster`);
    return tryNode(situation, cluster, row, extraDollars(changes));
  }

  private clusterOf({ objects, rules: { settings } }: Situation): CompiledCluster {
    if (!isCompiledAlike(this.situation.objects, objects)) return compile(objects, settings, this.cache);
    this.compiled ??= compile(objects, settings, this.cache);
    return { ...this.compiled, objects, settings };
  }
}

/** Does no gate for nodes keep it out of every move? True also of a node that is not there. */
export function mayBeCandidate({ objects, rules }: Situation, node: string): boolean {
  const cluster = compile(objects, rules.settings);
  const row = cluster.rows.findIndex((r) => r.tracked && r.name === node);
  if (row < 0) return true;
  const assessment = assess(cluster, row, rules);
  return 'candidate' in assessment && refusalsByMethods(cluster, assessment.candidate, rules).length === 0;
}

/**
 * Compiling would give the same: only the spot-to-spot setting differs, which only the verdict uses. Nothing compiled
 * depends on the settings that changes affect.
 */
function isCompiledAlike(a: ClusterObjects, b: ClusterObjects): boolean {
  const {
    options: { spotToSpot: _a, ...own },
    ...objects
  } = a;
  const {
    options: { spotToSpot: _b, ...others },
    ...rest
  } = b;
  return isShallowEqual(objects, rest) && isShallowEqual(own, others);
}

function isShallowEqual<T extends object>(a: T, b: T): boolean {
  return (Object.keys(a) as (keyof T)[]).every((key) => a[key] === b[key]);
}

function extraDollars(changes: readonly Change[]): number {
  return changes.reduce((sum, c) => (c.code === 'more-savings' ? sum + c.cents / 100 : sum), 0);
}

function tryNode(situation: Situation, cluster: CompiledCluster, row: number, extra: number): NodeTrial {
  const { rules } = situation;
  const base = { cluster, situation, row };
  const assessment = assess(cluster, row, rules);
  if ('refusals' in assessment) return { ...base, refusals: assessment.refusals };
  const { candidate } = assessment;
  const refusals: readonly NodeRefusal[] = refusalsByMethods(cluster, candidate, rules);
  if (refusals.length > 0) return { ...base, candidate, refusals };
  const { against, attempt, move } = tryMove(situation, cluster, { ...candidate, price: candidate.price + extra });
  const budgets = consolidationBudgets(cluster.objects, cluster.rows);
  if (move === undefined) {
    const alone = against.flatMap((refusal) => refusalsAlone(refusal, candidate, budgets));
    return { ...base, candidate, refusals: alone, attempt };
  }
  const { name } = candidate.pool;
  const reason = reasonFor(move.kind, candidate);
  const budgetLeft = budgets[reason].get(name) ?? 0;
  const full: readonly MoveRefusal[] = budgetLeft > 0 ? [] : [{ code: 'budget', nodePool: name, reason }];
  const alone = [...singleNodeAllowed(candidate, move.kind), ...full];
  return { ...base, candidate, refusals: alone, attempt, move, budgetLeft };
}

interface Tried {
  /** Empty if there is a move. */
  readonly against: readonly MoveRefusal[];
  readonly move?: Move;
  readonly attempt?: Attempt;
}

function tryMove(situation: Situation, cluster: CompiledCluster, candidate: Candidate): Tried {
  const simulation = new Simulation(cluster, { gate: PoolReserve.of(cluster, situation.rules) });
  if (isEmpty(candidate)) {
    const verdict = deletion(simulation, [candidate]);
    return 'refusal' in verdict ? { against: [verdict.refusal] } : { against: [], move: verdict.move };
  }
  let attempt: Attempt | undefined;
  const verdict = consolidate(simulation, [candidate], {
    maxReplacements: replacementsAllowed(candidate, situation.rules.settings.maxReplacements),
    thorough: true,
    watch: (outcome) => {
      attempt = attemptOf(simulation, candidate.row, outcome);
    },
  });
  const totals = totalsFor(situation, cluster, candidate);
  if ('refusal' in verdict) {
    // The score may be out of reach for any savings; that is an additional reason.
    const best = isBeyondBalance(candidate, totals);
    return {
      against: [verdict.refusal, ...(best === undefined ? [] : [scoreRefusal(candidate.pool.name, best)])],
      attempt,
    };
  }
  const score = disapproving([candidate], verdict.move.savings, totals);
  return score === undefined
    ? { against: [], move: verdict.move, attempt }
    : { against: [scoreRefusal(candidate.pool.name, score)], attempt };
}

/** Needed for Balanced pools only, and evaluating every node is expensive. */
function totalsFor({ rules }: Situation, cluster: CompiledCluster, { policy }: Candidate): Map<string, PoolTotals> {
  if (policy.policy !== 'Balanced') return new Map();
  const candidates = cluster.rows.flatMap((node, row) => {
    const assessment = node.tracked ? assess(cluster, row, rules) : { refusals: [] };
    return 'candidate' in assessment ? [assessment.candidate] : [];
  });
  return poolTotals(cluster, candidates);
}
