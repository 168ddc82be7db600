import type { ClusterObjects } from './cluster/objects.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, NODE_POOL, ZONE } from './cluster/well-known.ts';
import { poolTotals } from './disruption/balanced.ts';
import { remainingBudgets } from './disruption/budgets.ts';
import {
  type Assessment,
  assess,
  type Candidate,
  disruptionCost,
  isEmpty,
  refusalsByMethods,
} from './disruption/candidates.ts';
import { lifetimeRemaining } from './disruption/lifetime.ts';
import { requiredSavings } from './disruption/required-savings.ts';
import { utilization } from './disruption/utilization.ts';
import { explain } from './explain.ts';
import { API_VERSION, type Plan, type PlannedMove, type PlannedNode } from './plan-document.ts';
import { values } from './policies/ask-stock.ts';
import type { Move } from './policies/consolidate.ts';
import { expectedPrice, type Replacement } from './policies/replacement.ts';
import { alone, emptiness, multiNode, singleNode } from './policies/stock-methods.ts';
import type { Refusal } from './refusal.ts';
import { compile } from './scheduling/compile.ts';
import type { CompiledCluster } from './scheduling/compiled-cluster.ts';
import { Simulation } from './scheduling/simulation.ts';
import type { Rules } from './settings.ts';

export interface PlanSettings {
  readonly search: 'karpenter';
  readonly rules: Rules;
  /** What reading and parsing took, to be reported. */
  readonly loadMs: number;
}

/** What one node is told: is it a candidate, and what would become of it alone? */
interface NodeVerdict {
  readonly candidate: Candidate | undefined;
  readonly eligible: boolean;
  readonly refusals: readonly Refusal[];
  readonly move?: Move;
}

/** One pass over a cluster. `clock` returns milliseconds and is only used to report how long things took. */
export function plan(objects: ClusterObjects, settings: PlanSettings, clock: () => number): Plan {
  const started = clock();
  const cluster = compile(objects, settings.rules.settings);
  const compiled = clock();
  const simulation = new Simulation(cluster);
  const assessed = cluster.rows.map((node, row) => (node.tracked ? assess(cluster, row, settings.rules) : undefined));
  const candidates = assessed.flatMap((a) => (a !== undefined && 'candidate' in a ? [a.candidate] : []));
  const totals = poolTotals(cluster, candidates);
  const rows = assessed.flatMap((a, row) =>
    a === undefined ? [] : [{ row, verdict: judge(simulation, a, totals, settings.rules) }],
  );
  const eligible = rows.flatMap(({ verdict }) =>
    verdict.eligible && verdict.candidate !== undefined ? [verdict.candidate] : [],
  );
  const moveOf = new Map(rows.map(({ verdict }) => [verdict.candidate, verdict.move]));

  const move = stockPass(simulation, eligible, totals, (c) => moveOf.get(c));
  const moves = move === undefined ? [] : [plannedMove(cluster, move.move, move.method)];
  const nodes = rows.map(({ row, verdict }) =>
    plannedNode(cluster, row, verdict, settings.rules.settings.nodeBaseCost),
  );
  const now = nodes.reduce((sum, n) => sum + (n.centsPerHour ?? 0), 0);
  const savings = moves.reduce((sum, m) => sum + m.savingsCentsPerHour, 0);
  return {
    apiVersion: API_VERSION,
    kind: 'Plan',
    now: new Date(objects.nowMs).toISOString().replace('.000Z', 'Z'),
    search: settings.search,
    totals: {
      nodes: nodes.length,
      pods: objects.pods.length,
      centsPerHour: now,
      plannedCentsPerHour: now - savings,
      savingsCentsPerHour: savings,
      evictions: moves.reduce((sum, m) => sum + m.placements.length, 0),
      disruptionCost: moves.reduce((sum, m) => sum + m.disruptionCost, 0),
      evaluated: eligible.length,
      loadMs: settings.loadMs + (compiled - started),
      elapsedMs: clock() - compiled,
    },
    moves,
    nodes,
  };
}

function judge(
  simulation: Simulation,
  assessment: Assessment,
  totals: ReturnType<typeof poolTotals>,
  rules: Rules,
): NodeVerdict {
  if ('refusals' in assessment) return { candidate: undefined, eligible: false, refusals: assessment.refusals };
  const { cluster } = simulation;
  const { candidate } = assessment;
  const empty = isEmpty(candidate);
  const refusals = refusalsByMethods(cluster, candidate, rules);
  if (refusals.length > 0) return { candidate, eligible: false, refusals };
  if (empty)
    return {
      candidate,
      eligible: true,
      refusals,
      move: { kind: 'delete', candidates: [candidate], replacements: [], placements: [], savings: candidate.price },
    };
  const verdict = alone(simulation, candidate, totals);
  return 'move' in verdict
    ? { candidate, eligible: true, refusals: [], move: verdict.move }
    : { candidate, eligible: true, refusals: [verdict.refusal] };
}

/** The first of Karpenter's methods that has something to do does it; the others wait for the next pass. */
function stockPass(
  simulation: Simulation,
  eligible: readonly Candidate[],
  totals: ReturnType<typeof poolTotals>,
  moveOf: (c: Candidate) => Move | undefined,
): { readonly method: PlannedMove['method']; readonly move: Move } | undefined {
  const { objects, rows } = simulation.cluster;
  const empty = emptiness(eligible.filter(isEmpty), remainingBudgets(objects, rows, 'Empty'));
  if (empty !== undefined) return { method: 'emptiness', move: empty };
  const others = eligible.filter((c) => !isEmpty(c));
  const multi = multiNode(simulation, others, remainingBudgets(objects, rows, 'Underutilized'), totals);
  if (multi !== undefined) return { method: 'multi', move: multi };
  const single = singleNode(others, remainingBudgets(objects, rows, 'Underutilized'), moveOf);
  return single === undefined ? undefined : { method: 'single', move: single };
}

function plannedMove(cluster: CompiledCluster, move: Move, method: PlannedMove['method']): PlannedMove {
  const removed = new Set(move.candidates.map((c) => c.row));
  const placements = move.placements.filter(({ pod }) => removed.has(cluster.rowOfPod[pod]));
  return {
    kind: move.kind,
    method,
    wave: 1,
    nodes: move.candidates.map((c) => c.name).sort(),
    replacements: move.replacements.map((r) => plannedReplacement(cluster, r)),
    placements: placements.map(({ pod, row }) => ({
      pod: `${cluster.pods[pod].namespace}/${cluster.pods[pod].name}`,
      to: row < 0 ? `new-${-row}` : cluster.rows[row].name,
    })),
    savingsCentsPerHour: move.savings * 100,
    requiredCentsPerHour: requiredSavings(move.candidates).requiredCents,
    disruptionCost: move.candidates.reduce((sum, c) => sum + c.disruptionCost, 0),
  };
}

function plannedReplacement(cluster: CompiledCluster, r: Replacement): PlannedMove['replacements'][number] {
  return {
    nodePool: cluster.templates[r.template].pool.name,
    instanceTypes: typeNames(cluster, r),
    capacityTypes: values(cluster, r, CAPACITY_TYPE),
    zones: values(cluster, r, ZONE),
    centsPerHour: expectedPrice(cluster, r) * 100,
  };
}

function typeNames(cluster: CompiledCluster, r: Replacement): string[] {
  return r.types.map((t) => cluster.types.list[t].name);
}

function plannedNode(cluster: CompiledCluster, row: number, verdict: NodeVerdict, baseCost: number): PlannedNode {
  const { name, labels, claim } = cluster.rows[row];
  const type = cluster.types.indexOf(labels[INSTANCE_TYPE] ?? '');
  const price =
    type === undefined ? undefined : cluster.types.priceOf(type, labels[ZONE] ?? '', labels[CAPACITY_TYPE] ?? '');
  const { move } = verdict;
  return {
    name,
    nodePool: labels[NODE_POOL] ?? '',
    instanceType: labels[INSTANCE_TYPE] ?? '',
    zone: labels[ZONE] ?? '',
    capacityType: labels[CAPACITY_TYPE] ?? '',
    centsPerHour: price === undefined ? null : price * 100,
    utilization: utilization(cluster, row),
    disruptionCost: disruptionCost(cluster, row, baseCost),
    lifetimeRemaining: lifetimeRemaining(claim, cluster.objects.nowMs),
    candidate: verdict.eligible,
    alone: {
      decision: move?.kind ?? 'none',
      instanceTypes:
        move === undefined || move.replacements.length === 0 ? [] : typeNames(cluster, move.replacements[0]),
      savingsCentsPerHour: (move?.savings ?? 0) * 100,
      requiredCentsPerHour: verdict.candidate === undefined ? 0 : requiredSavings([verdict.candidate]).requiredCents,
    },
    refusals: withUnpriced(cluster, row, verdict.refusals, price).map((r) => ({ ...r, message: explain(r) })),
  };
}

/** A node without a price is kept, and said to be without one. */
function withUnpriced(
  cluster: CompiledCluster,
  row: number,
  refusals: readonly Refusal[],
  price: number | undefined,
): readonly Refusal[] {
  const { managed, labels } = cluster.rows[row];
  if (price !== undefined || !managed || refusals.some((r) => r.code === 'unknown-instance-type')) return refusals;
  const [instanceType, zone, capacityType] = [INSTANCE_TYPE, ZONE, CAPACITY_TYPE].map((key) => labels[key] ?? '');
  return [...refusals, { code: 'unpriced', instanceType, zone, capacityType }];
}
