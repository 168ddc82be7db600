import type { Future } from '../../src/lab/future.ts';
import type { Scenario } from '../../src/simulator/scenario.ts';
import type { SimNode } from '../../src/simulator/sim-node.ts';
import { SimulatedCluster } from '../../src/simulator/simulated-cluster.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Time from a change of the workload to the decision that follows it: new nodes are ready by then. */
const DECISION_MS = 3 * MINUTE_MS;

/** What happens to each node at one decision time, by name. Nodes that are not named stay. */
type Decision = ReadonlyMap<string, 'steer' | 'remove'>;

/** A run up to the time of its next decision. */
interface PartialRun {
  readonly decisions: readonly Decision[];
  readonly evictions: number;
  readonly dollars: number;
  readonly nodes: readonly { readonly name: string; readonly pods: number }[];
  /** Runs with equal states go on alike. */
  readonly state: string;
}

export interface Optimum {
  readonly evictions: number;
  readonly dollars: number;
  /** Runs that were simulated. */
  readonly simulated: number;
}

/**
 * The fewest evictions at a cost of at most `maxDollars`, over every way to remove and steer nodes at the decision times, in
 * the simulator itself: scheduler, provisioner and workload controllers are not modelled a second time. Runs with the fewest
 * evictions are continued first, so the first complete run within the cost is an optimum. A run is dropped if its cost so far
 * plus the least that the rest can cost exceeds the limit, or if another one has the same state for no more money and evictions.
 * undefined: `mostRuns` are simulated without an answer, or no run that decides at these times is within the cost.
 */
export function exactOptimum(
  workload: Scenario,
  seed: number,
  future: Future,
  maxDollars: number,
  mostRuns: number,
): Optimum | undefined {
  const timesMs = decisionTimes(future);
  const restDollars = leastDollars(workload, future);
  const queue: PartialRun[][] = [];
  const seen = new Map<string, readonly PartialRun[]>();
  let simulated = 0;
  const add = (decisions: readonly Decision[]) => {
    simulated++;
    const run = runUntil(workload, seed, decisions, timesMs, timesMs[decisions.length] ?? future.endMs);
    if (run.dollars + restDollars(timesMs[decisions.length] ?? future.endMs) > maxDollars) return;
    const key = `${decisions.length} ${run.state}`;
    const alike = seen.get(key) ?? [];
    if (alike.some((other) => other.evictions <= run.evictions && other.dollars <= run.dollars)) return;
    seen.set(key, [...alike, run]);
    const bucket = queue[run.evictions];
    if (bucket === undefined) queue[run.evictions] = [run];
    else bucket.push(run);
  };
  add([]);
  for (let evictions = 0; evictions < queue.length; evictions++) {
    for (let run = queue[evictions]?.pop(); run !== undefined; run = queue[evictions].pop()) {
      if (run.decisions.length === timesMs.length) return { evictions, dollars: run.dollars, simulated };
      for (const decision of decisionsOn(run.nodes)) add([...run.decisions, decision]);
      if (simulated > mostRuns) return undefined;
    }
  }
  return undefined;
}

function decisionTimes({ startMs, endMs, demand }: Future): readonly number[] {
  const times: number[] = [];
  demand.forEach((amounts, minute) => {
    const before = demand[minute - 1];
    if (before === undefined || amounts.some((amount, i) => amount !== before[i]))
      times.push(startMs + minute * MINUTE_MS + DECISION_MS);
  });
  // Demand is the peak of a minute, so a change can show in two.
  return times.filter((ms, i) => ms < endMs && ms - (times[i - 1] ?? 0) > MINUTE_MS);
}

const CHOICES = ['keep', 'steer', 'remove'] as const;

/** Every way to keep, steer or remove each of the nodes. A node without pods is never steered. */
function* decisionsOn(nodes: PartialRun['nodes']): Generator<Decision> {
  const choices = nodes.map(({ pods }) => (pods === 0 ? CHOICES.filter((choice) => choice !== 'steer') : CHOICES));
  const total = choices.reduce((product, { length }) => product * length, 1);
  for (let number = 0; number < total; number++) {
    const decision = new Map<string, 'steer' | 'remove'>();
    let rest = number;
    nodes.forEach(({ name }, i) => {
      const choice = choices[i][rest % choices[i].length];
      rest = Math.floor(rest / choices[i].length);
      if (choice !== 'keep') decision.set(name, choice);
    });
    yield decision;
  }
}

function runUntil(
  workload: Scenario,
  seed: number,
  decisions: readonly Decision[],
  timesMs: readonly number[],
  untilMs: number,
): PartialRun {
  const cluster = new SimulatedCluster(workload, { seed, consolidation: 'none' });
  const { world, ledger } = cluster;
  decisions.forEach((decision, i) => {
    cluster.advanceTo(timesMs[i]);
    for (const node of [...world.nodes.values()]) {
      const choice = decision.get(node.name);
      world.steerNode(node, choice === 'steer');
      for (const pod of node.pods) world.steerPod(pod, choice === 'steer' ? -1 : undefined);
      if (choice === 'remove') world.deleteNode(node, 'consolidation');
    }
  });
  cluster.advanceTo(untilMs);
  const { evictions, costDollars } = ledger.summary();
  const nodes = [...world.nodes.values()].filter((node) => !node.deleting);
  return {
    decisions,
    evictions,
    dollars: costDollars,
    nodes: nodes.map((node) => ({ name: node.name, pods: podsOf(node).length })),
    state: stateOf(nodes),
  };
}

function podsOf(node: SimNode) {
  return [...node.pods].filter(({ state }) => state.app.kind !== 'DaemonSet');
}

/** With names, which decide ties of scheduler and ReplicaSets; without steering, which every decision sets anew. */
function stateOf(nodes: readonly SimNode[]): string {
  const pods = (node: SimNode) =>
    podsOf(node)
      .map(({ object, readyMs, endsMs }) => `${object.name} ${readyMs} ${endsMs}`)
      .sort();
  return nodes
    .map((node) => `${node.name} ${node.createdMs}: ${pods(node).join(', ')}`)
    .sort()
    .join('; ');
}

/** The least that the workload costs from a time on: the demand of each minute on nodes that are filled to the last bit. */
function leastDollars(workload: Scenario, { startMs, demand }: Future): (fromMs: number) => number {
  const { columns } = new SimulatedCluster(workload, { seed: 1, consolidation: 'none' }).world;
  const types = workload.instanceTypes.map(({ allocatable, offerings }) => ({
    amounts: columns.amounts(allocatable),
    price: Math.min(...offerings.map(({ price }) => price)),
  }));
  const isOne = types.length === 1;
  const perMinute = demand.map((_, minute) => {
    // Demand is the peak of a minute, and pods wait up to a minute for their node: the least of neighbours is a bound.
    const near = demand.slice(Math.max(0, minute - 1), minute + 2);
    const amounts = demand[minute].map((_, i) => Math.min(...near.map((each) => each[i])));
    const nodes = (type: (typeof types)[number]) =>
      Math.max(...amounts.map((amount, i) => (amount === 0 ? 0 : amount / type.amounts[i])));
    const dollars = types.map((type) => type.price * (isOne ? Math.ceil(nodes(type)) : nodes(type)));
    return (Math.min(...dollars) * MINUTE_MS) / HOUR_MS;
  });
  const from = new Float64Array(perMinute.length + 1);
  for (let i = perMinute.length - 1; i >= 0; i--) from[i] = from[i + 1] + perMinute[i];
  return (fromMs) => from[Math.min(perMinute.length, Math.ceil((fromMs - startMs) / MINUTE_MS))];
}
