import { capacityTypeOf, nodeGroupOf } from './cluster/node-group.ts';
import type { Quote } from './cluster/node-price.ts';
import { labelOf } from './cluster/objects.ts';
import { namespacedName } from './cluster/pods.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, ZONE } from './cluster/well-known.ts';
import { disruptionCost } from './disruption/candidates.ts';
import { lifetimeRemaining } from './disruption/lifetime.ts';
import { requiredSavings } from './disruption/required-savings.ts';
import { rolloutsOn } from './disruption/rollouts.ts';
import { utilization } from './disruption/utilization.ts';
import { isAboutMove } from './explanation/gate-names.ts';
import { MoveCost } from './moves/move-cost.ts';
import { expectedPrice, labelValues, type Replacement } from './moves/replacement.ts';
import { PRICE_REFUSALS } from './moves/replacement-prices.ts';
import type { NodeVerdict } from './pass/node-verdict.ts';
import { launchedName } from './pass/stages.ts';
import type { PlannedMove, PlannedNode, PlannedRollout } from './plan-document.ts';
import type { Refusal } from './refusal.ts';
import { refusalText } from './refusal-text.ts';
import type { CompiledCluster } from './scheduling/compiled-cluster.ts';
import type { Simulation } from './scheduling/simulation.ts';
import type { TimedMove } from './search/waves.ts';

interface Found extends TimedMove {
  readonly method: PlannedMove['method'];
}

/** Moves as the plan's document has them. `before`: moves of earlier stages. */
export function plannedMoves(cluster: CompiledCluster, moves: readonly Found[], before = 0): PlannedMove[] {
  const numbers = new Map(moves.flatMap(({ move }, i) => move.candidates.map((c) => [c.row, before + i + 1] as const)));
  return moves.map((found) => plannedMove(cluster, found, numbers));
}

/** `numbers`: of the moves, from 1, by the rows that they remove. */
function plannedMove(
  cluster: CompiledCluster,
  { move, method, wave }: Found,
  numbers: ReadonlyMap<number, number>,
): PlannedMove {
  const removed = new Set(move.candidates.map((c) => c.row));
  const placements = move.placements.filter(({ pod }) => removed.has(cluster.rowOfPod[pod]));
  const nameOf = (row: number, ofMove: number | undefined) => {
    if (row >= 0) return cluster.rows[row].name;
    return ofMove === undefined ? `new-${-row}` : launchedName(-row, ofMove);
  };
  const rollouts = move.candidates.flatMap((c) => rolloutsOn(cluster, c.row, c.policy));
  const unpriced = move.candidates.filter(({ row }) => cluster.types.quote(cluster.rows[row].labels) === undefined);
  return {
    kind: move.kind,
    method,
    wave,
    nodes: move.candidates.map((c) => c.name).sort(),
    replacements: move.replacements.map((r) => plannedReplacement(cluster, r)),
    placements: placements.map(({ pod, row, launchedFor }) => ({
      pod: `${cluster.pods[pod].namespace}/${cluster.pods[pod].name}`,
      to: nameOf(row, launchedFor === undefined ? undefined : numbers.get(launchedFor)),
    })),
    ...(rollouts.length === 0 ? {} : { rollouts: rollouts.map((r) => plannedRollout(cluster, r)) }),
    savingsCentsPerHour: move.savings * 100,
    ...(unpriced.length === 0 ? {} : { unpricedNodes: unpriced.length }),
    requiredCentsPerHour: requiredSavings(move.candidates).requiredCents,
    disruptionCost: move.candidates.reduce((sum, c) => sum + c.disruptionCost, 0),
  };
}

function plannedRollout(
  { pods }: CompiledCluster,
  { pod, deployment, by }: ReturnType<typeof rolloutsOn>[number],
): PlannedRollout {
  return { pod: namespacedName(pods[pod]), deployment: namespacedName(deployment), by };
}

function plannedReplacement(cluster: CompiledCluster, r: Replacement): PlannedMove['replacements'][number] {
  return {
    nodePool: cluster.templates[r.template].pool.name,
    instanceTypes: typeNames(cluster, r),
    capacityTypes: labelValues(cluster, r, CAPACITY_TYPE),
    zones: labelValues(cluster, r, ZONE),
    centsPerHour: expectedPrice(cluster, r) * 100,
  };
}

function typeNames(cluster: CompiledCluster, r: Replacement): string[] {
  return r.types.map((t) => cluster.types.list[t].name);
}

/** A node as the plan's document has it. */
export function plannedNode(simulation: Simulation, row: number, verdict: NodeVerdict, baseCost: number): PlannedNode {
  const { cluster } = simulation;
  const { name, labels, claim } = cluster.rows[row];
  const quote = cluster.types.quote(labels);
  const price = quote?.price;
  const { move } = verdict;
  return {
    name,
    nodePool: nodeGroupOf(labels),
    instanceType: labels[INSTANCE_TYPE] ?? '',
    zone: labels[ZONE] ?? '',
    capacityType: capacityTypeOf(labels),
    centsPerHour: price === undefined ? null : price * 100,
    ...coverageOf(simulation, quote),
    ...(quote?.source === undefined ? {} : { priceSource: quote.source }),
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
    refusals: withUnpriced(cluster, row, verdict.refusals, price).map((r) => ({ ...r, message: refusalText(r) })),
  };
}

function coverageOf(
  { cluster, spend: { running } }: Simulation,
  quote: Quote | undefined,
): Pick<PlannedNode, 'coverage'> {
  if (running === undefined || quote?.coveredBy === undefined) return {};
  const { worth } = new MoveCost(cluster, running, [{ price: quote.price, coveredBy: quote.coveredBy }]);
  const commitments = quote.coveredBy.map(({ name }) => name);
  return { coverage: { commitments, savedCentsPerHour: worth * 100 } };
}

function saysWhyUnpriced({ code }: Refusal): boolean {
  return code === 'unknown-instance-type' || code === 'missing-label';
}

/** A node without a price is said to be without one; that a move of it saves too little says nothing more. */
function withUnpriced(
  cluster: CompiledCluster,
  row: number,
  refusals: readonly Refusal[],
  price: number | undefined,
): readonly Refusal[] {
  const { managed, labels } = cluster.rows[row];
  if (price !== undefined || !managed || refusals.some(saysWhyUnpriced)) return refusals;
  const [instanceType, zone, capacityType] = [INSTANCE_TYPE, ZONE, CAPACITY_TYPE].map(
    (key) => labelOf(labels, key) ?? '',
  );
  const unpriced = { code: 'unpriced', instanceType, zone, capacityType } as const;
  const aboutMoves = refusals.filter((r) => isAboutMove(r) && !PRICE_REFUSALS.has(r.code));
  return [...refusals.filter((r) => !isAboutMove(r)), unpriced, ...aboutMoves];
}
