import type {
  CommitmentUse,
  Plan,
  PlanBound,
  PlannedMove,
  PlannedNode,
  PlannedReplacement,
} from '../engine/plan-document.ts';
import { count, grouped, perHour, sumPerHour } from './money.ts';

/** Texts of a plan, for terminal and dashboard. */

export function moveInWords(move: PlannedMove): string {
  const nodes = count(move.nodes.length, move.method === 'emptiness' ? 'empty node' : 'node');
  const by = move.replacements.length === 0 ? '' : ` by ${move.replacements.map(replacementInWords).join(' and ')}`;
  return `${move.kind} ${nodes}${by}`;
}

function replacementInWords(replacement: PlannedReplacement): string {
  const { nodePool, instanceTypes, capacityTypes, zones, centsPerHour } = replacement;
  const others = instanceTypes.length > 1 ? ` or ${count(instanceTypes.length - 1, 'other type')}` : '';
  const where = [...capacityTypes, ...zones].filter((value) => value !== '*').join(', ');
  return `one ${instanceTypes[0]}${others} (${where === '' ? '' : `${where}, `}pool ${nodePool}, ${perHour(centsPerHour)})`;
}

/** Of nodes without a price, what is saved is not known. */
export function savingsInWords({
  savingsCentsPerHour,
  unpricedNodes = 0,
}: Pick<PlannedMove, 'savingsCentsPerHour' | 'unpricedNodes'>): string {
  if (unpricedNodes === 0) return `saves ${perHour(savingsCentsPerHour)}`;
  if (savingsCentsPerHour === 0) return 'saves what is not known (no price)';
  return `saves ${perHour(savingsCentsPerHour)} and the price of ${count(unpricedNodes, 'node')} that is not known`;
}

export function consequenceInWords({
  placements,
  rollouts = [],
  disruptionCost,
  requiredCentsPerHour,
}: PlannedMove): string {
  const required = requiredCentsPerHour > 0 ? ` (required ${perHour(requiredCentsPerHour)})` : '';
  const pods = `${count(placements.length, 'pod')} to move${joiningInWords(placements)}${rolledInWords(rollouts)}`;
  return `${required}, ${pods}, disruption cost ${disruptionCost.toFixed(1)}`;
}

const MOST_NAMED = 3;

function rolledInWords(rollouts: NonNullable<PlannedMove['rollouts']>): string {
  if (rollouts.length === 0) return '';
  const named = rollouts.slice(0, MOST_NAMED).map(({ pod }) => pod);
  const more = rollouts.length > MOST_NAMED ? ` and ${rollouts.length - MOST_NAMED} more` : '';
  return ` (${named.join(', ')}${more} rolled, not evicted)`;
}

/** Pods that move to nodes which earlier moves launch. */
function joiningInWords(placements: PlannedMove['placements']): string {
  const hosts = placements.flatMap(({ to }) => / of move (\d+)$/.exec(to)?.[1] ?? []);
  if (hosts.length === 0) return '';
  const moves = [...new Set(hosts.map(Number))].sort((a, b) => a - b);
  const many = hosts.length === placements.length ? '' : `${hosts.length} of them `;
  return ` (${many}to new nodes of ${moves.length === 1 ? 'move' : 'moves'} ${moves.join(', ')})`;
}

/** Why a node stays: its refusals, or the result of evaluating it alone. */
export function reasonsToStay({ refusals, alone }: PlannedNode): string[] {
  // Whatever else holds for a node that is not Karpenter's, nobody consolidates it.
  if (refusals[0]?.code === 'not-managed') return [refusals[0].message];
  if (refusals.length > 0) return refusals.map(({ message }) => message);
  if (alone.decision === 'none') return ['no cheaper node fits its pods'];
  const doing = alone.decision === 'delete' ? 'deleting' : 'replacing';
  return [`removable, but not in this plan: ${doing} it alone saves ${perHour(alone.savingsCentsPerHour)}`];
}

/** Numbers of nodes by reason to stay, most frequent first. */
export function reasonsToStayCounted(
  nodes: readonly PlannedNode[],
): readonly (readonly [reason: string, nodes: number])[] {
  const counts = new Map<string, number>();
  for (const { refusals, alone } of nodes) {
    const reason = refusals[0]?.code ?? (alone.decision === 'none' ? 'nothing-cheaper' : 'not-planned');
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

export function tookInWords(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Extent and duration of the search. */
export function effortInWords({ totals, coverage }: Plan): string {
  const { elapsedMs, evaluated } = totals;
  const took = tookInWords(elapsedMs);
  if (coverage === undefined) return `${count(evaluated, 'node')} evaluated in ${took}.`;
  const { candidates, examined } = coverage;
  if (candidates === 0) return `No candidates, in ${took}.`;
  const share = examined === candidates ? 'all examined' : `${grouped(String(examined))} examined`;
  return `${count(candidates, 'candidate')}, ${share}, in ${took}.`;
}

/** The part of the plan that a controller would not execute with its default of one new node per command. */
export function severalAtOnceInWords({ moves }: Plan): string | undefined {
  const several = moves.filter((move) => move.replacements.length > 1);
  if (several.length === 0) return undefined;
  const saved = several.reduce((sum, move) => sum + move.savingsCentsPerHour, 0);
  const most = Math.max(...several.map((move) => move.replacements.length));
  return `${perHour(saved)} of the savings needs up to ${most} new nodes at once; --max-replacements 1 plans without them.`;
}

/** Cost now, and what it would be. */
export function costInWords({ nodes, moves, totals }: Plan): readonly [now: string, planned: string] {
  if (nodes.length === 0) return ['no nodes', 'no nodes'];
  const unpriced = nodes.filter((node) => node.centsPerHour === null);
  const leaving = new Set(moves.flatMap((move) => move.nodes));
  const left = unpriced.filter(({ name }) => !leaving.has(name));
  return [sumPerHour(totals.centsPerHour, unpriced.length), sumPerHour(totals.plannedCentsPerHour, left.length)];
}

/** Warnings about incomplete sums. */
export function priceWarnings({ nodes, prices }: Plan): readonly string[] {
  if (prices !== undefined) return prices.warnings.map((warning) => `${warning[0].toUpperCase()}${warning.slice(1)}.`);
  const unpriced = nodes.filter((node) => node.centsPerHour === null).length;
  if (unpriced === 0) return [];
  return [
    `No price in the catalog for ${grouped(String(unpriced))} of ${count(nodes.length, 'node')}: counted as free.`,
  ];
}

/** Which Karpenter runs. */
export function karpenterInWords({ karpenter }: Pick<Plan, 'karpenter'>): string | undefined {
  if (karpenter === undefined) return undefined;
  const { version, deployment, closest } = karpenter;
  const as = version?.replace(/^v/, '') === closest ? '' : `; assuming the decisions of ${closest}`;
  const where = deployment === undefined ? ' runs, by its CRDs' : ` runs in Deployment ${deployment}`;
  return `Karpenter ${version ?? 'of unknown version'}${where}${as}.`;
}

/** Origin and age of the prices. */
export function pricesInWords({ prices, now }: Plan): string | undefined {
  if (prices === undefined) return undefined;
  const { source, asOf, nodesBySource } = prices;
  const others = ['overlay', 'assumed'].flatMap((each) =>
    nodesBySource[each] === undefined ? [] : `${count(nodesBySource[each], 'node')} ${each}`,
  );
  const age =
    source.startsWith('karpenter') && asOf !== undefined ? `, ${ageInWords(Date.parse(now) - Date.parse(asOf))}` : '';
  return `Prices: ${source}${age}${others.length === 0 ? '' : ` (${others.join(', ')})`}.`;
}

/** Prices from a file may be newer than the dump. */
function ageInWords(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const long =
    minutes < 120
      ? `${minutes} min`
      : minutes < 48 * 60
        ? `${Math.round(minutes / 60)} h`
        : `${Math.round(minutes / (24 * 60))} days`;
  return ms < 0 && minutes > 0 ? `${long} newer than the cluster's state` : `${long} old`;
}

/** What is committed, and how much of it is used. */
export function commitmentsInWords({ commitments = [], moves }: Plan): readonly string[] {
  return commitments.map(({ name, committedCentsPerHour, now, planned }) => {
    const use = ({ usedCentsPerHour, unusedCentsPerHour }: CommitmentUse) =>
      `${perHour(usedCentsPerHour)} used, ${perHour(unusedCentsPerHour)} unused`;
    const after = moves.length === 0 ? '' : `; planned ${use(planned)}`;
    return `Commitment ${name}: ${perHour(committedCentsPerHour)} committed, ${use(now)}${after}.`;
  });
}

/** How close the plan is to the optimum. */
export function boundInWords(bound: PlanBound): string {
  const least = `no plan can get below ${perHour(bound.centsPerHour)}`;
  const near =
    bound.gapPercent < 0.05
      ? 'this one is the best possible'
      : `this one is within ${bound.gapPercent.toFixed(1)} % of it`;
  return `Proven: ${least}; ${near}.`;
}
