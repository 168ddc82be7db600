import type { ClusterObjects } from '../cluster/objects.ts';
import { type PoolTotals, poolTotals } from '../disruption/balanced.ts';
import { type DisruptionReason, remainingBudgets } from '../disruption/budgets.ts';
import { assess, type Candidate, isEmpty, refusalsByMethods } from '../disruption/candidates.ts';
import { consolidate, type Move } from '../policies/consolidate.ts';
import { balanced } from '../policies/stock-methods.ts';
import type { MoveRefusal, NodeRefusal, Refusal } from '../refusal.ts';
import { compile } from '../scheduling/compile.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { Simulation } from '../scheduling/simulation.ts';
import type { Settings } from '../settings.ts';
import { type Attempt, attemptOf } from './attempt.ts';
import type { Change } from './change.ts';
import { changed, type Situation } from './situation.ts';

/** What the engine says to removing one node by itself, and how far it got before it said no. */
export interface Trial {
  readonly cluster: CompiledCluster;
  readonly situation: Situation;
  readonly row: number;
  /** undefined: a gate for nodes refused before anything was weighed. */
  readonly candidate?: Candidate;
  /** Why not; empty if the node may go. */
  readonly refusals: readonly Refusal[];
  /** What a simulation found, if the trial came to one. */
  readonly attempt?: Attempt;
  readonly move?: Move;
  /** Nodes of its pool that may still go now, once the move itself has been found good. */
  readonly budgetLeft?: number;
}

/** Tries things on one node of one cluster; compiled clusters are kept as long as objects stay the same. */
export class TrialRoom {
  readonly situation: Situation;
  readonly node: string;
  private readonly compiled = new WeakMap<ClusterObjects, CompiledCluster>();

  constructor(situation: Situation, node: string) {
    this.situation = situation;
    this.node = node;
  }

  /** With these changes; none: as things are. */
  run(changes: readonly Change[] = []): Trial {
    const situation = changed(this.situation, changes);
    const cluster = this.clusterOf(situation);
    const row = cluster.rows.findIndex((r) => r.tracked && r.name === this.node);
    if (row < 0) throw new Error(`no node ${this.node} in the cluster`);
    return tryNode(situation, cluster, row, extraDollars(changes));
  }

  private clusterOf({ objects, rules: { settings } }: Situation): CompiledCluster {
    let cluster = this.compiled.get(objects);
    if (cluster === undefined) {
      cluster = compile(objects, settings);
      this.compiled.set(objects, cluster);
    }
    return cluster.settings === settings ? cluster : withSettings(cluster, settings);
  }
}

/** Nothing that is compiled depends on the settings that changes are about. */
function withSettings(cluster: CompiledCluster, settings: Settings): CompiledCluster {
  return { ...cluster, settings };
}

function extraDollars(changes: readonly Change[]): number {
  return changes.reduce((sum, c) => (c.code === 'more-savings' ? sum + c.cents / 100 : sum), 0);
}

function tryNode(situation: Situation, cluster: CompiledCluster, row: number, extra: number): Trial {
  const { rules } = situation;
  const base = { cluster, situation, row };
  const assessment = assess(cluster, row, rules);
  if ('refusals' in assessment) return { ...base, refusals: assessment.refusals };
  const { candidate } = assessment;
  const refusals: readonly NodeRefusal[] = refusalsByMethods(cluster, candidate, rules);
  if (refusals.length > 0) return { ...base, candidate, refusals };
  const tried = tryMove(situation, cluster, { ...candidate, price: candidate.price + extra });
  if (tried.refusal !== undefined) return { ...base, candidate, refusals: [tried.refusal], attempt: tried.attempt };
  const { move, attempt } = tried;
  const { name } = candidate.pool;
  const reason = reasonOf(candidate);
  const budgetLeft = remainingBudgets(cluster.objects, cluster.rows, reason).get(name) ?? 0;
  const full: readonly MoveRefusal[] = budgetLeft > 0 ? [] : [{ code: 'budget', nodePool: name, reason }];
  return { ...base, candidate, refusals: full, attempt, move, budgetLeft };
}

/** What budgets count the node's removal as. */
export function reasonOf(candidate: Candidate): DisruptionReason {
  return isEmpty(candidate) ? 'Empty' : 'Underutilized';
}

type Tried =
  | { readonly refusal: MoveRefusal; readonly attempt?: Attempt }
  | { readonly refusal?: undefined; readonly move: Move; readonly attempt?: Attempt };

function tryMove(situation: Situation, cluster: CompiledCluster, candidate: Candidate): Tried {
  if (isEmpty(candidate)) {
    const savings = candidate.price;
    return { move: { kind: 'delete', candidates: [candidate], replacements: [], placements: [], savings } };
  }
  const simulation = new Simulation(cluster);
  let attempt: Attempt | undefined;
  const { maxReplacements } = situation.rules.settings;
  const verdict = balanced(candidate, totalsFor(situation, cluster, candidate), () =>
    consolidate(simulation, [candidate], {
      maxReplacements,
      thorough: true,
      watch: (outcome) => {
        attempt = attemptOf(simulation, candidate.row, outcome);
      },
    }),
  );
  return 'move' in verdict ? { move: verdict.move, attempt } : { refusal: verdict.refusal, attempt };
}

/** Only Balanced pools ask for them, and they cost a look at every node. */
function totalsFor({ rules }: Situation, cluster: CompiledCluster, { policy }: Candidate): Map<string, PoolTotals> {
  if (policy.policy !== 'Balanced') return new Map();
  const candidates = cluster.rows.flatMap((node, row) => {
    const assessment = node.tracked ? assess(cluster, row, rules) : { refusals: [] };
    return 'candidate' in assessment ? [assessment.candidate] : [];
  });
  return poolTotals(cluster, candidates);
}
