import { CAPACITY_TYPE, ON_DEMAND, SPOT } from '../cluster/well-known.ts';
import type { Candidate } from '../disruption/candidates.ts';
import { destinationFactor } from '../disruption/destination-lifetime.ts';
import { besidePending } from '../scheduling/beside-pending.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Outcome, Simulation } from '../scheduling/simulation.ts';
import { admits } from '../selection/requirement.ts';
import type { Consolidation, Move, Placement } from './move.ts';
import { MoveCost } from './move-cost.ts';
import { capacityTypes, finalize, type Launch, type Replacement } from './replacement.ts';
import { priceReplacements, tooLittle } from './replacement-prices.ts';

export interface ConsolidateOptions {
  /** New nodes that the move may launch; default 1, as in stock. */
  readonly maxReplacements?: number;
  /** Simulate to the end even if the answer is already "no", so that the refusal has all its numbers. */
  readonly thorough?: boolean;
  /** Called before the outcome is undone. */
  readonly watch?: (outcome: Outcome) => void;
}

/**
 * The result of removing these candidates together, ignoring budgets and policies: as stock Karpenter decides it
 * (karpenter-semantics §4.4), except for the number of replacements.
 */
export function consolidate(
  simulation: Simulation,
  candidates: readonly Candidate[],
  options: ConsolidateOptions = {},
): Consolidation {
  const { cluster } = simulation;
  // Karpenter creates no scheduler without a pool that can launch; a deletion needs none.
  if (cluster.settings.compat && cluster.pools.length === 0) return { refusal: { code: 'no-ready-node-pool' } };
  const { maxReplacements = 1 } = options;
  const maxClaims = options.thorough === true || mayLoseClaims(cluster) ? Infinity : maxReplacements;
  const rows = candidates.map((c) => c.row);
  const remove = () =>
    simulation.removing(
      rows,
      (outcome) => {
        options.watch?.(outcome);
        return judge(simulation, candidates, outcome, maxReplacements);
      },
      { maxClaims },
    );
  return cluster.settings.compat ? remove() : besidePending(simulation, rows, remove);
}

/** The deletion of empty nodes: nothing is placed, but what must be left after a move is checked. */
export function deletion(simulation: Simulation, candidates: readonly Candidate[]): Consolidation {
  const { gate } = simulation;
  const rows = candidates.map((c) => c.row);
  const refusal =
    gate === undefined ? undefined : simulation.removing(rows, (outcome) => gate.refusal(simulation, outcome));
  if (refusal !== undefined) return { refusal };
  const { worth: savings } = MoveCost.of(simulation, candidates);
  return { move: { kind: 'delete', candidates, replacements: [], placements: [], savings } };
}

/**
 * Cutting a claim to the types that can be sent may break minValues and drop the claim, so counting early would be
 * wrong.
 */
function mayLoseClaims(cluster: CompiledCluster): boolean {
  return cluster.pending.length > 0 && cluster.templates.some((t) => t.hasMinValues);
}

/** The verdict on an outcome, before it is undone. */
export function judge(
  simulation: Simulation,
  candidates: readonly Candidate[],
  outcome: Outcome,
  maxReplacements: number,
): Consolidation {
  const { cluster, gate } = simulation;
  const stranded = withoutPending(cluster, outcome.unplaced);
  if (stranded.length === 0 && outcome.cutShort) {
    return {
      refusal: { code: 'too-many-replacements', replacements: outcome.claims.length, allowed: maxReplacements },
    };
  }
  // A commitment may pay for an on-demand node instead.
  const onlySpot = simulation.spend.now === undefined && candidates.every((c) => c.capacityType === SPOT);
  if (stranded.length === 0 && onlySpot && isRefusedAsSpot(cluster, outcome))
    return { refusal: { code: 'spot-to-spot-disabled' } };
  const finalized: Launch[] = [];
  for (const claim of outcome.claims) {
    const replacement = finalize(cluster, claim);
    if (replacement !== undefined) finalized.push(replacement);
    else stranded.push(...withoutPending(cluster, claim.pods));
  }
  if (stranded.length > 0) return { refusal: { code: 'pods-unplaceable', ...podNames(cluster, stranded) } };
  const displaced = cluster.settings.compat ? [] : displacedBuffers(cluster, outcome.unplaced);
  if (displaced.length > 0) return { refusal: { code: 'capacity-buffer-room', buffers: displaced } };
  const waiting = withoutPending(cluster, outcome.onUninitialized);
  if (waiting.length > 0) return { refusal: { code: 'relies-on-uninitialized-node', ...podNames(cluster, waiting) } };
  if (finalized.length > maxReplacements) {
    return {
      refusal: { code: 'too-many-replacements', replacements: finalized.length, allowed: maxReplacements },
    };
  }
  const cost = MoveCost.of(simulation, candidates);
  const factor = destinationWorth(cluster, candidates, finalized, outcome);
  if (finalized.length === 0) {
    // Stock also deletes nodes without a price.
    const tooSmall = cluster.settings.compat ? undefined : tooLittle(candidates, cost, cost.worth, factor);
    const refusal = tooSmall ?? gate?.refusal(simulation, outcome);
    return refusal === undefined
      ? {
          move: {
            kind: 'delete',
            candidates,
            replacements: [],
            placements: placementsIn(outcome),
            savings: cost.worth,
            ...discounted(cost.worth, factor),
          },
        }
      : { refusal };
  }
  const priced = priceReplacements(cluster, candidates, finalized, cost, factor);
  if ('refusal' in priced) return priced;
  const left = gate?.refusal(simulation, outcome);
  if (left !== undefined) return { refusal: left };
  const replacements = priced.replacements.map((r) => ({ ...r, pods: r.pods.slice() }));
  const placements = placementsIn(outcome);
  replacements.forEach(({ pods }, k) => {
    for (const pod of pods) placements.push({ pod, row: -1 - k });
  });
  const savings = cost.savings(replacements);
  return { move: { kind: 'replace', candidates, replacements, placements, savings, ...discounted(savings, factor) } };
}

function discounted(savings: number, factor: number): Pick<Move, 'discountedSavings'> {
  return factor < 1 ? { discountedSavings: savings * factor } : {};
}

function placementsIn(outcome: Outcome): Placement[] {
  return outcome.placements.map(({ pod, row }) => ({ pod, row }));
}

/** Weight of the savings by the expected lifetime of the destinations. */
function destinationWorth(
  cluster: CompiledCluster,
  candidates: readonly Candidate[],
  replacements: readonly Replacement[],
  { placements, joined, onto }: Outcome,
): number {
  const { destinationLifetime = false, spotInterruptionsPerHour = 0 } = cluster.settings;
  if (!destinationLifetime) return 1;
  const rows = new Set(placements.map(({ row }) => row));
  return destinationFactor(cluster, { destinationLifetime, spotInterruptionsPerHour }, candidates, [
    ...[...rows].map((row) => ({ row })),
    ...[...replacements, ...new Set(joined.map(({ claim }) => onto[claim]))].map((r) => ({
      template: r.template,
      ...(Array.isArray(r.types) ? { types: r.types } : {}),
      capacityType: admits(capacityTypes(cluster, r), SPOT) ? SPOT : ON_DEMAND,
    })),
  ]);
}

/** Spot for spot while disabled: types and prices need no check, unless minValues could drop the claim. */
function isRefusedAsSpot(cluster: CompiledCluster, { claims, onUninitialized }: Outcome): boolean {
  if (cluster.objects.options.spotToSpot || claims.length !== 1 || onUninitialized.length > 0) return false;
  const [{ requirements, reservations, template }] = claims;
  const allowed = cluster.space.require(requirements, CAPACITY_TYPE);
  return (
    !cluster.templates[template].hasMinValues &&
    reservations.size === 0 &&
    (allowed === undefined || admits(allowed, SPOT))
  );
}

function withoutPending(cluster: CompiledCluster, pods: readonly number[]): number[] {
  return pods.filter((pod) => cluster.pods[pod].nodeName !== '');
}

/** CapacityBuffers whose pods fit now and would not after the move. Karpenter ignores this. */
function displacedBuffers({ pods, bufferPlacements }: CompiledCluster, unplaced: readonly number[]): readonly string[] {
  if (bufferPlacements.size === 0) return [];
  const placed = new Set([...bufferPlacements.values()].flat());
  const displaced = unplaced.filter((pod) => placed.has(pod)).map((pod) => pods[pod].capacityBuffer as string);
  return [...new Set(displaced)].sort();
}

const NAMED_PODS = 5;

function podNames(cluster: CompiledCluster, pods: readonly number[]): { pods: string[]; others: number } {
  const named = pods.slice(0, NAMED_PODS).map((i) => `${cluster.pods[i].namespace}/${cluster.pods[i].name}`);
  return { pods: named, others: pods.length - named.length };
}
