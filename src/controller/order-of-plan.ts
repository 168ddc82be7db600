import { nameInOrder, type PlannedOrder, readNameInOrder } from '../engine/pass/planned-order.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import type { Command } from './command.ts';

/**
 * The remaining moves of the plan that the last commands came from, with the names of running nodes: the journal says which
 * node was launched for which. It survives a restart.
 */
export function orderOfPlan(journal: readonly Command[], { rows }: CompiledCluster): PlannedOrder {
  let last: Command | undefined;
  for (const command of journal) if (last === undefined || command.id > last.id) last = command;
  if (last?.next === undefined) return [];
  const launchedFor = new Map(
    journal.flatMap(({ nodes, replacements }) => nodes.map(({ node }) => [node, replacements] as const)),
  );
  const nodeOf = new Map(rows.flatMap(({ name, claim }) => (claim === undefined ? [] : [[claim.name, name]])));
  const nameNow = (name: string): string => {
    const launched = readNameInOrder(name);
    if (launched === undefined) return name;
    const removed = nameNow(launched.removed);
    const claim = launchedFor.get(removed)?.[launched.replacement - 1]?.nodeClaim;
    // Not launched yet: it keeps the name by which a later stage of the order knows it.
    return (claim === undefined ? undefined : nodeOf.get(claim)) ?? nameInOrder(launched.replacement, removed);
  };
  return last.next.map(({ nodes, placements = {}, ...move }) => ({
    ...move,
    nodes: nodes.map(nameNow),
    placements: Object.fromEntries(Object.entries(placements).map(([pod, place]) => [pod, nameNow(place)])),
  }));
}

/** Moves and destinations stored in a command: about 60 KB of an object of at most 1.5 MB; the rest is planned again. */
const MOST_MOVES = 200;
const MOST_PLACEMENTS = 500;

/** As a command keeps it. */
export function bounded(order: PlannedOrder): PlannedOrder {
  let left = MOST_PLACEMENTS;
  return order.slice(0, MOST_MOVES).map(({ placements = {}, ...move }) => {
    left -= Object.keys(placements).length;
    return left < 0 ? move : { ...move, placements };
  });
}
